// The fewest answers that make a request.

import type { Answers } from './field.ts'
import type { Model } from './model.ts'

export function minimalAnswers({ fields }: Pick<Model, 'fields'>): Answers {
  const asked = fields.find(({ audience }) => audience === 'asked')
  return asked ? { [asked.name]: '-' } : {}
}

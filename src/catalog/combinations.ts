// The combinations of answers that users can choose by taps on a card: for every pair of fields, with the usual answers to all others.

import { type Answer, type Answers, type Field, isUserField } from './field.ts'
import type { Model } from './model.ts'

/** The answers that can be chosen for a field. Texts and files are left out: no rule between fields depends on their content. */
function choicesOf(field: Field): readonly Answer[] {
  switch (field.kind) {
    case 'choice':
      return field.options.map(({ value }) => value)
    case 'number':
      return [...new Set([field.min, field.max, ...field.suggestions])]
    case 'toggle':
      return [true, false]
    case 'text':
    case 'media':
      return []
  }
}

export function combinationsOf({ fields }: Model): Answers[] {
  const single = fields
    .filter(isUserField)
    .map((field) => choicesOf(field).map((answer): Answers => ({ [field.name]: answer })))
  const pairs = single.flatMap((some, index) =>
    single
      .slice(index + 1)
      .flatMap((others) => some.flatMap((one) => others.map((other) => ({ ...one, ...other })))),
  )
  return [...single.flat(), ...pairs]
}

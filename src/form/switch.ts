// Moving a draft to another model: what the two have in common is kept, what the other can not take is left behind.

import type { Answers, Field } from '../catalog/field.ts'
import { isUserField, type Model } from '../catalog/model.ts'
import { readAnswer } from './answer.ts'

export function carryAnswers(from: Model, to: Model, answers: Answers): Answers {
  const carried = to.fields.filter(isUserField).flatMap((field) => {
    const answer = answers[sourceOf(from, field)?.name ?? '']
    if (answer === undefined) return []
    const read = readAnswer(field, typeof answer === 'boolean' ? (answer ? 'on' : 'off') : String(answer))
    return read.ok ? [[field.name, read.answer] as const] : []
  })
  return Object.fromEntries(carried)
}

/** The field of the same name; the one that is asked first is the prompt, whatever each model calls it. */
function sourceOf(from: Model, field: Field): Field | undefined {
  if (field.audience === 'asked') return from.fields.find((one) => one.audience === 'asked')
  return from.fields.find((one) => one.name === field.name && one.kind === field.kind)
}

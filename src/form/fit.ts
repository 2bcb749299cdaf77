// What goes together: answers that can not stand beside the others are left out, and what no answer could make right is
// not offered.

import type { Answer, Answers, Field, Option } from '../catalog/field.ts'
import { isUserField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { nest } from '../catalog/request.ts'
import { violations } from '../catalog/rules.ts'

/** The answers that go together; what was said last stays, and then what comes first in the model. */
export function fitAnswers(model: Model, answers: Answers, newest?: string): Answers {
  const all = keptOf(model, ({ name }) => answers[name])
  if (problems(model, all) === 0) return all
  // It may go only with some of the others, so it is judged together with them.
  const first = keptOf(model, ({ name }) => (name === newest ? answers[name] : undefined))
  const kept = gathered(model, all, first)
  return problems(model, kept) === 0 ? kept : gathered(model, all, {})
}

function keptOf(model: Model, answerTo: (field: Field) => Answer | undefined): Answers {
  const pairs = model.fields.flatMap((field): [string, Answer][] => {
    const answer = answerTo(field)
    return answer === undefined ? [] : [[field.name, answer]]
  })
  return Object.fromEntries(pairs)
}

/** One after the other, those that make nothing worse. */
function gathered(model: Model, all: Answers, first: Answers): Answers {
  let kept = first
  for (const field of model.fields.filter(({ name }) => first[name] === undefined)) {
    const answer = lowered(model, field, kept, all[field.name])
    const next = answer === undefined ? kept : { ...kept, [field.name]: answer }
    if (problems(model, next) <= problems(model, kept)) kept = next
  }
  return kept
}

/** A number that is now too much becomes the most there may be. */
function lowered(model: Model, field: Field, kept: Answers, answer: Answer | undefined): Answer | undefined {
  if (typeof answer !== 'number') return answer
  return Math.min(answer, model.limit(field, kept) ?? answer)
}

/** Whether a field can be answered otherwise than it is by default, beside these answers. */
export function isPossible(model: Model, field: Field, answers: Answers): boolean {
  if (!isUserField(field) || !model.applies(field, answers)) return false
  return samplesOf(field).some((answer) => isPossibleAnswer(model, field, answers, answer))
}

export function possibleOptions(
  model: Model,
  field: Extract<Field, { kind: 'choice' }>,
  answers: Answers,
): readonly Option[] {
  return field.options.filter(({ value }) => isPossibleAnswer(model, field, answers, value))
}

/** What would only be too much beside this answer is left out when it is given: that hides nothing. */
function isPossibleAnswer(model: Model, field: Field, answers: Answers, answer: Answer): boolean {
  return problems(model, { ...answers, [field.name]: answer }, false) === 0
}

/** How often two answers write the same value, or a rule is broken by what is there (not by what is still missing). */
function problems(model: Model, answers: Answers, mindsExcess = true): number {
  const all = model.complete(answers)
  const writes = model.fields.flatMap((field) => {
    const answer = answers[field.name]
    return answer === undefined || !model.applies(field, answers) ? [] : [field.write(answer, all)]
  })
  const paths = writes.flatMap((flat) => Object.keys(flat))
  const doubles = paths.length - new Set(paths).size
  const broken = violations(model.rules, Object.assign({}, ...writes), model.usual)
  return doubles + broken.filter(({ missing, excess }) => !missing && (mindsExcess || !excess)).length
}

/** An answer of each sort that differs from the default. */
function samplesOf(field: Field): readonly Answer[] {
  switch (field.kind) {
    case 'text':
      return ['-']
    case 'number':
      return [field.min]
    case 'toggle':
      return [!field.default]
    case 'choice':
      return field.options.map(({ value }) => value).filter((value) => value !== field.default)
    case 'media':
      return [field.media.slice(0, 1).map((medium) => ({ file: '-', medium, mime: '' }))]
  }
}

/** The first field without an answer that the gateway would miss. */
export function missingField(model: Model, answers: Answers): Field | undefined {
  const flat = model.write(answers)
  const parsed = model.request.safeParse(nest({ ...flat, model: model.id }))
  // The schema does not come to its rules while anything else is missing, if only what the app puts in.
  const lacking = violations(model.rules, flat, model.usual).filter(({ missing }) => missing)
  const wanted = [
    ...(parsed.error?.issues ?? []).map(({ path }) => path.join('.')),
    ...lacking.map(({ path }) => path),
  ]
  const complete = model.complete(answers)
  return model.fields.find(
    (field) =>
      isUserField(field) &&
      complete[field.name] === undefined &&
      model.applies(field, answers) &&
      Object.keys(field.shape).some((path) =>
        wanted.some((one) => one === path || path.startsWith(`${one}.`)),
      ),
  )
}

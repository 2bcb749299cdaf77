// The operator's values for request fields, by path. Fixed values are in every request that accepts them, and their fields are not shown to
// users. Defaults are the initial values of fields; users may change them.

import {
  type Answer,
  type Answers,
  type Field,
  type Flat,
  isSwitchedOn,
  isUserField,
  type Json,
  same,
} from './field.ts'
import { type Model, minimalAnswers } from './model.ts'
import { limitAt, violations } from './request.ts'
import { noField, whatToWrite } from './settings.ts'

interface OperatorValues {
  readonly fixed: Flat
  readonly defaults: Flat
}

/** The model with the operator's values; the same object if there are no values. */
export function withOperatorValues(model: Model, { fixed, defaults }: OperatorValues): Model {
  if (Object.keys(fixed).length === 0 && Object.keys(defaults).length === 0) return model
  const { hidden, forced, rest, initial } = partsOf(model, { fixed, defaults })
  const defaultValues = { ...model.defaultValues, ...defaults, ...fixed }
  const given = (answers: Answers) =>
    withInitial(model, { ...withoutFields(answers, hidden), ...forced }, initial, rest)
  const write = (answers: Answers) => ({ ...model.write(given(answers)), ...rest })
  return {
    ...model,
    fields: model.fields.map((field) => {
      if (hidden.includes(field)) return { ...field, audience: 'operator' as const }
      return withDefault(field, initial[field.name])
    }),
    fixed: rest,
    defaultValues,
    applies: (field, answers) => model.applies(field, given(answers)),
    complete: (answers) => model.complete(given(answers)),
    write,
    limit: (field, answers) => limitAt(model.rules, field.name, write(answers), defaultValues),
  }
}

/** The operator's values as answers to fields, as far as answers can express them. */
interface Parts {
  /** The fields that users do not see. */
  readonly hidden: readonly Field[]
  /** The answers to the hidden fields. Like answers of users, each is sent only if its field applies. */
  readonly forced: Answers
  /** Fixed values that no answer writes; they are in every request. */
  readonly rest: Flat
  /** The answers that fields start with. */
  readonly initial: Answers
}

function partsOf({ fields }: Model, { fixed, defaults }: OperatorValues): Parts {
  const hidden = fields.filter((field) => isUserField(field) && touches(field, fixed))
  const forced = answersWriting(hidden, fixed)
  const written = hidden.flatMap((field) => (forced[field.name] === undefined ? [] : pathsOf(field)))
  return {
    hidden,
    forced,
    rest: Object.fromEntries(Object.entries(fixed).filter(([path]) => !written.includes(path))),
    initial: answersWriting(fields.filter(isUserField), defaults),
  }
}

const pathsOf = (field: Field): string[] => Object.keys(field.shape)
/** Whether there is a value for a path of the field, or for the object around it. */
const touches = (field: Field, flat: Flat): boolean =>
  Object.keys(flat).some((key) => pathsOf(field).some((path) => path === key || path.startsWith(`${key}.`)))

function withoutFields(answers: Answers, fields: readonly Field[]): Answers {
  const rest: Record<string, Answer> = { ...answers }
  for (const { name } of fields) delete rest[name]
  return rest
}

/**
 * The answers that write these values; values that no answer can write are left out. If several fields write a path, the first one is
 * used.
 */
function answersWriting(fields: readonly Field[], flat: Flat): Answers {
  const taken = new Set<string>()
  const pairs = fields.flatMap((field): [string, Answer][] => {
    const own = Object.fromEntries(
      Object.entries(flat).filter(([path]) => field.shape[path] && !taken.has(path)),
    )
    const answer = Object.keys(own).length > 0 ? answerWriting(field, own) : undefined
    if (answer === undefined) return []
    for (const path of Object.keys(own)) taken.add(path)
    return [[field.name, answer]]
  })
  return Object.fromEntries(pairs)
}

function answerWriting(field: Field, own: Flat): Answer | undefined {
  const [value] = Object.values(own)
  if (field.kind !== 'choice') {
    return isAnswerTo(field, value) && same(field.write(value, {}), own) ? value : undefined
  }
  const { options } = field
  // The option of a value that is not sent: a fixed value must not send it either.
  const standing = options.find(({ means }) => means && same(means, own))
  return (options.find(({ set }) => same(set, own)) ?? standing)?.value
}

function isAnswerTo(field: Field, value: Json | undefined): value is string | number | boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && field.fits(value)
    case 'number':
      return typeof value === 'number'
    case 'toggle':
      return typeof value === 'boolean'
    case 'choice':
    case 'media':
      return false
  }
}

function withDefault(field: Field, answer: Answer | undefined): Field {
  if (field.kind === 'choice' && typeof answer === 'string') return { ...field, default: answer }
  if (field.kind === 'text' && typeof answer === 'string') return { ...field, default: answer }
  if (field.kind === 'number' && typeof answer === 'number') return { ...field, default: answer }
  if (field.kind === 'toggle' && typeof answer === 'boolean') return { ...field, default: answer }
  return field
}

/** Adds the operator's defaults that fit the answers: stored answers can contradict a newer default, and then the answers are kept. */
function withInitial(model: Model, answers: Answers, initial: Answers, rest: Flat): Answers {
  const dropped = (complete: Answers) => Object.keys(answers).filter((name) => complete[name] === undefined)
  const conflicts = (next: Answers) =>
    clashes(model, next, rest).length + dropped(model.complete(next)).length
  let all = answers
  for (const [name, value] of Object.entries(initial)) {
    const field = model.fields.find((one) => one.name === name)
    if (!field || answers[name] !== undefined || isSwitchedOn(field, all)) continue
    const most = typeof value === 'number' ? model.limit(field, all) : undefined
    const next = { ...all, [name]: typeof value === 'number' ? Math.min(value, most ?? value) : value }
    if (conflicts(next) <= conflicts(all)) all = next
  }
  return all
}

const clashes = (model: Model, answers: Answers, rest: Flat) =>
  violations(model.rules, { ...model.write(answers), ...rest }, model.defaultValues).filter(
    ({ missing }) => !missing,
  )

/** Finds mistakes in the operator's values of a model, and says what to write instead. */
export function wrongValues(model: Model, { fixed, defaults }: OperatorValues): string[] {
  const wrong = [
    ...Object.entries(fixed).flatMap(([path, value]) => wrongValue(model, path, value)),
    ...Object.entries(defaults).flatMap(([path, value]) => wrongDefault(model, path, value, fixed)),
    ...(fixed.stream === true && fixed.async !== false
      ? ['"stream" needs "async": false beside it: a task has no stream']
      : []),
  ]
  return wrong.length > 0 ? wrong : contradictions(model, { fixed, defaults })
}

const writing = ({ fields }: Model, path: string) => fields.filter((field) => field.shape[path])

function wrongValue(model: Model, path: string, value: Json): string[] {
  const fields = writing(model, path)
  if (fields.length === 0) return [noField(path)]
  if (fields.some(({ audience }) => audience === 'asked')) return [`"${path}" is what users write: remove it`]
  const parsed = fields.map(({ shape }) => shape[path]?.safeParse(value))
  if (parsed.some((one) => one?.success)) return []
  const why = parsed[0]?.error?.issues.map(whatToWrite).join('; ')
  return [`"${path}" cannot be ${JSON.stringify(value)}: ${why}`]
}

function wrongDefault(model: Model, path: string, value: Json, fixed: Flat): string[] {
  const wrong = wrongValue(model, path, value)
  if (wrong.length > 0) return wrong
  if (fixed[path] !== undefined) return [`"${path}" is in "request" and in "defaults": remove one of them`]
  const fields = writing(model, path).filter(isUserField)
  if (fields.length === 0) return [`"${path}" is not set by users: write it into "request"`]
  if (fields.some((field) => touches(field, fixed)))
    return [`"${path}" belongs to a field that "request" sets: write it there`]
  return []
}

/**
 * Finds values that contradict each other in an order with minimal answers, and defaults that no answer can write. An option that a fixed
 * value contradicts is not offered: see form/fit.ts.
 */
function contradictions(model: Model, { fixed, defaults }: OperatorValues): string[] {
  const { forced, rest, initial } = partsOf(model, { fixed, defaults })
  const represented = new Set(model.fields.filter(({ name }) => initial[name] !== undefined).flatMap(pathsOf))
  const answers = { ...minimalAnswers(model), ...initial, ...forced }
  return [
    ...Object.keys(defaults)
      .filter((path) => !represented.has(path))
      .map((path) => `"${path}" cannot have a default: write it into "request"`),
    ...clashes(model, answers, rest).map(({ message }) => message),
  ]
}

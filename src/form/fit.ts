// The settings of a draft and the consistency of its answers: answers that contradict the others are dropped, and fields and options that
// could only contradict them are not offered.

import {
  type Answer,
  type Answers,
  type Axis,
  type ChoiceField,
  type Field,
  isUserField,
  type Option,
  sameInAll,
  type TextField,
  type ToggleField,
} from '../catalog/field.ts'
import type { Command, Model } from '../catalog/model.ts'
import { nest, violations } from '../catalog/request.ts'
import { type Refusal, readAnswer } from './answer.ts'

export interface Setting {
  /** The name of its page: that of the field, or of the field and the axis. */
  readonly page: string
  /** The field; for an axis, the choice reduced to the options that differ in this axis only. */
  readonly field: Field
}

/** @param answers with defaults */
export const settingsOf = ({ fields }: Pick<Model, 'fields'>, answers: Answers): Setting[] =>
  fields.filter(isUserField).flatMap((field) => {
    if (field.kind !== 'choice' || !field.axes) return [{ page: field.name, field: asCalled(field, answers) }]
    return field.axes.map((axis) => ({
      page: `${field.name}.${axis.name}`,
      field: alongAxis(field, axis, answers),
    }))
  })

/** The setting with this page. Old buttons still name a choice with axes; for such a name the setting is the whole choice. */
export function settingAt(model: Model, answers: Answers, page: string): Setting | undefined {
  const found = settingsOf(model, answers).find((setting) => setting.page === page)
  if (found) return found
  const field = model.fields.find((one) => one.name === page && isUserField(one))
  return field && { page, field }
}

/** @param answers with defaults */
function asCalled(field: Field, answers: Answers): Field {
  const called = field.called?.(answers)
  return called ? { ...field, ...called } : field
}

function alongAxis(field: ChoiceField, axis: Axis, answers: Answers): ChoiceField {
  const { hint: _, axes: __, default: usual, ...rest } = field
  const { name, label, hint, audience, labels = {} } = axis
  const optionOf = (value: unknown) => field.options.find((one) => one.value === value)
  const current = optionOf(answers[field.name]) ?? optionOf(usual)
  const isAlong = ({ at = {} }: (typeof field.options)[number]) =>
    Object.entries(at).every(([other, value]) => other === name || value === current?.at?.[other])
  const options = field.options
    .filter(isAlong)
    .map((one) => ({ ...one, label: labels[one.at?.[name] ?? ''] ?? sameInAll(one.at?.[name] ?? one.value) }))
  const usualValue = options.find(({ at }) => at?.[name] === optionOf(usual)?.at?.[name])?.value
  return {
    ...rest,
    label,
    audience,
    options,
    ...(hint ? { hint } : {}),
    ...(usualValue === undefined ? {} : { default: usualValue }),
  }
}

/**
 * The largest consistent set of answers: the newest answer is kept; of the others, those to earlier fields of the model have precedence.
 */
export function fitAnswers(model: Model, answers: Answers, newest?: string): Answers {
  const all = chosen(model, answers, () => true)
  if (problems(model, all) === 0) return all
  // The newest answer can depend on others, so the set is judged as a whole.
  const first = chosen(model, answers, ({ name }) => name === newest)
  const kept = gathered(model, all, first)
  return problems(model, kept) === 0 ? kept : gathered(model, all, {})
}

function chosen(model: Model, answers: Answers, isWanted: (field: Field) => boolean): Answers {
  const pairs = model.fields.filter(isWanted).flatMap(({ name }): [string, Answer][] => {
    const answer = answers[name]
    return answer === undefined ? [] : [[name, answer]]
  })
  return Object.fromEntries(pairs)
}

/** Adds answers one by one; an answer that adds a problem is left out. */
function gathered(model: Model, all: Answers, first: Answers): Answers {
  let kept = first
  for (const field of model.fields.filter(({ name }) => first[name] === undefined)) {
    const answer = lowered(model, field, kept, all[field.name])
    const next = answer === undefined ? kept : { ...kept, [field.name]: answer }
    if (problems(model, next) <= problems(model, kept)) kept = next
  }
  return kept
}

/** Lowers a number above its present limit to the limit. */
function lowered(model: Model, field: Field, kept: Answers, answer: Answer | undefined): Answer | undefined {
  if (typeof answer !== 'number') return answer
  return Math.min(answer, model.limit(field, kept) ?? answer)
}

/** Whether a value other than the default is possible together with these answers. */
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

/** Whether an answer is possible. Numbers whose limit it would lower are no obstacle: they are lowered when the answer is given. */
function isPossibleAnswer(model: Model, field: Field, answers: Answers, answer: Answer): boolean {
  return problems(model, { ...answers, [field.name]: answer }, false) === 0
}

/**
 * The number of request paths that are written twice, and of rules broken by given answers (not by missing ones) and by what the operator
 * has fixed.
 */
function problems(model: Model, answers: Answers, mindsExcess = true): number {
  const all = model.complete(answers)
  const writes = model.fields.flatMap((field) => {
    const answer = (isUserField(field) ? answers : all)[field.name]
    return answer === undefined || !model.applies(field, answers) ? [] : [field.write(answer, all)]
  })
  const paths = writes.flatMap((flat) => Object.keys(flat))
  const doubles = paths.length - new Set(paths).size
  const broken = violations(model.rules, Object.assign({}, model.fixed, ...writes), model.defaultValues)
  // A number that users do not see is not lowered for them.
  const isLowered = (path: string) => model.fields.some((field) => isUserField(field) && field.shape[path])
  const minded = broken.filter(
    ({ path, missing, excess }) => !missing && (mindsExcess || !excess || !isLowered(path)),
  )
  return doubles + minded.length
}

/** Sample answers that differ from the default. */
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

/** The first unanswered field that the gateway requires. */
export const missingField = (model: Model, answers: Answers): Field | undefined =>
  missingFields(model, answers)[0]

/** Whether an order is as complete without the answer to this field as with it. */
export function isOptional(model: Model, { name }: Field, answers: Answers): boolean {
  const others = Object.fromEntries(Object.entries(answers).filter(([one]) => one !== name))
  return !missingFields(model, others).some((field) => field.name === name)
}

function missingFields(model: Model, answers: Answers): Field[] {
  const flat = model.write(answers)
  const parsed = model.request.safeParse(nest({ ...flat, model: model.id }))
  // Zod skips the rules while any value is missing, even one that the app fills in later.
  const lacking = violations(model.rules, flat, model.defaultValues).filter(({ missing }) => missing)
  const wanted = [
    ...(parsed.error?.issues ?? []).map(({ path }) => path.join('.')),
    ...lacking.map(({ path }) => path),
  ]
  const complete = model.complete(answers)
  const isWanted = ({ shape }: Field) =>
    Object.keys(shape).some((path) => wanted.some((one) => one === path || path.startsWith(`${one}.`)))
  return model.fields
    .filter(isUserField)
    .filter((field) => complete[field.name] === undefined && model.applies(field, answers))
    .filter(isWanted)
    .map((field) => asCalled(field, complete))
}

// A prompt that the model does not accept together with the other answers: too long, or in another language. It stays in the draft until it
// fits.

interface Settled {
  readonly answers: Answers
  /** The prompt that does not fit; null when the answers have a prompt, or there is none. */
  readonly unfitPrompt: string | null
}

interface Prompted extends Settled {
  /** The user's own text, if the prompt was rewritten. */
  readonly writtenPrompt: string | null
}

export const promptField = ({ fields }: Model): TextField | undefined =>
  fields.find((field): field is TextField => field.audience === 'asked' && field.kind === 'text')

/** The text of the prompt, whether it fits or not. */
export function promptOfDraft(model: Model, { answers, unfitPrompt }: Settled): string | null {
  const answer = answers[promptField(model)?.name ?? '']
  return typeof answer === 'string' ? answer : unfitPrompt
}

/** Puts a prompt into the answers if they have none and the prompt fits them; else keeps it as unfit. */
export function withPrompt(model: Model, answers: Answers, words: string | null): Settled {
  const field = promptField(model)
  if (!field || words === null || answers[field.name] !== undefined) return { answers, unfitPrompt: null }
  const read = readAnswer(model, field, answers, words)
  if (!read.ok) return { answers, unfitPrompt: words }
  return {
    answers: fitAnswers(model, { ...answers, [field.name]: read.answer }, field.name),
    unfitPrompt: null,
  }
}

/** Keeps the prompt of a draft when the answers change. The user's own text replaces the rewritten prompt if it fits. */
export function keepPrompt(
  model: Model,
  answers: Answers,
  prompt: string | null,
  written: string | null,
): Prompted {
  if (written !== null) {
    const { [promptField(model)?.name ?? '']: _, ...others } = answers
    const restored = withPrompt(model, others, written)
    if (restored.unfitPrompt === null) return { ...restored, writtenPrompt: null }
  }
  return { ...withPrompt(model, answers, prompt), writtenPrompt: written }
}

/** How a text model can rewrite a prompt: one that does not fit so that it does, or any prompt as a suggestion to the user. */
export type Rewriting =
  | { readonly to: 'translate' }
  | { readonly to: 'shorten'; readonly max: number }
  | { readonly to: 'improve'; readonly kind: Command | 'lyrics'; readonly max: number }
  /** Writes the lyrics of a song from its description. */
  | { readonly to: 'lyrics'; readonly max: number }

export function rewritingFor(refusal: Refusal): Rewriting | undefined {
  if (refusal.reason === 'needs-english') return { to: 'translate' }
  if (refusal.reason === 'too-many-tokens') return { to: 'shorten', max: refusal.characters }
  return refusal.reason === 'too-long' ? { to: 'shorten', max: refusal.max } : undefined
}

const lyrics = 'field-lyrics'

/** What can be suggested for the prompt of an order: a better one of its kind, and lyrics in place of the description of a song. */
export function suggestionsFor(model: Model, answers: Answers): Rewriting[] {
  const field = promptField(model)
  if (!field || answers[field.name] === undefined) return []
  const [kind] = model.commands
  const roomIn = (all: Answers) => Math.min(field.max, model.limit(field, all) ?? field.max)
  const sings = (all: Answers) => settingAt(model, model.complete(all), field.name)?.field.label === lyrics
  const sung = withLyrics(model, answers, true)
  const max = roomIn(answers)
  if (sings(answers)) return [{ to: 'improve', kind: 'lyrics', max }]
  const better: Rewriting = { to: 'improve', kind, max }
  return sings(sung) ? [better, { to: 'lyrics', max: roomIn(sung) }] : [better]
}

/** The answers with the switch that makes the prompt of a song its lyrics. */
export function withLyrics({ fields }: Model, answers: Answers, isOn: boolean): Answers {
  const toggle = fields.find((field) => field.kind === 'toggle' && field.asks !== undefined)
  return toggle ? { ...answers, [toggle.name]: isOn } : answers
}

/** Why a prompt does not fit; undefined when it fits. */
export function whyUnfit(model: Model, answers: Answers, words: string): Refusal | undefined {
  const field = promptField(model)
  const read = field && readAnswer(model, field, answers, words)
  return read && !read.ok ? read.refusal : undefined
}

// Applies settings of the last order or of a preset to a draft. The prompt and the files of the draft stay.

/** Whether a field is a setting, in contrast to the inputs: the prompt, the files and the user's own videos. */
const isSetting = (field: Field): boolean =>
  isUserField(field) &&
  field.audience !== 'asked' &&
  field.kind !== 'media' &&
  !(field.kind === 'text' && field.source === 'videos')

export const settingsIn = (model: Model, answers: Answers): Answers => chosen(model, answers, isSetting)

/** The draft's answers with other settings; those that contradict the prompt or the files are left out. */
export function withSettings(model: Model, answers: Answers, settings: Answers): Answers {
  const kept = chosen(model, answers, (field) => !isSetting(field))
  return fitAnswers(model, { ...kept, ...settingsIn(model, settings) })
}

/** Whether these settings would change the order. */
export function wouldChange(model: Model, answers: Answers, settings: Answers): boolean {
  const before = model.complete(answers)
  const after = model.complete(withSettings(model, answers, settings))
  return model.fields.filter(isSetting).some(({ name }) => before[name] !== after[name])
}

// Finds the text that has to be asked for because a toggle was switched on: the description of a song cannot serve as its lyrics.

interface Given {
  readonly answers: Answers
  readonly unfitPrompt: string | null
}

/** Undefined if the model needs no such text, or if a text that was kept becomes the answer. */
export function textAskedBy(
  model: Model,
  { answers, unfitPrompt }: Given,
  toggle: ToggleField,
): TextField | undefined {
  const text = model.fields.find(
    (field): field is TextField => field.name === toggle.asks && field.kind === 'text',
  )
  const switched = { ...answers, [toggle.name]: true }
  if (!text || isOptional(model, text, switched)) return undefined
  const isKept = unfitPrompt !== null && readAnswer(model, text, switched, unfitPrompt).ok
  return isKept ? undefined : text
}

/** A toggle that is switched on by the answer to its text. */
interface Asking {
  readonly toggle: ToggleField
  readonly text: TextField
}

/** The first toggle that these settings would switch on although the text that it asks for is missing. */
export function textAskedBySettings(model: Model, draft: Given, settings: Answers): Asking | undefined {
  const answers = withSettings(model, draft.answers, settings)
  const before = model.complete(draft.answers)
  const after = model.complete(answers)
  const switchedOn = model.fields
    .filter(isUserField)
    .filter((field) => field.kind === 'toggle')
    .filter(({ name }) => after[name] === true && before[name] !== true)
  for (const toggle of switchedOn) {
    const text = textAskedBy(model, { answers, unfitPrompt: draft.unfitPrompt }, toggle)
    if (text) return { toggle, text }
  }
  return undefined
}

// A draft as a card: what is shown and which buttons there are, as data. Words and messages are the bot's.

import { type Answer, type Answers, defaultOf, type Field, type Flat, write } from '../catalog/field.ts'
import { isUserField, type Model } from '../catalog/model.ts'
import { type Rule, violations } from '../catalog/rules.ts'
import type { Kopecks } from '../money.ts'

export type Page =
  | { readonly at: 'main' }
  | { readonly at: 'advanced' }
  | { readonly at: 'models' }
  | { readonly at: 'field'; readonly name: string }

export interface Line {
  readonly field: Field
  /** Undefined when it is neither answered nor has a default. */
  readonly answer: Answer | undefined
}

/** A model the draft can be switched to, and what it would cost there; undefined until the answers make a request. */
export interface Sibling {
  readonly model: Model
  readonly amount: Kopecks | undefined
}

export type CardButton =
  /** Opens the field's own page. */
  | { readonly to: 'open'; readonly field: Field; readonly answer: Answer | undefined }
  | { readonly to: 'set'; readonly field: Field; readonly value: string; readonly chosen: boolean }
  /** Asks for a typed answer. */
  | { readonly to: 'ask'; readonly field: Field; readonly because: 'edit' | 'other' }
  | { readonly to: 'clear'; readonly field: Field }
  | { readonly to: 'advanced' }
  /** Opens the choice of models. */
  | { readonly to: 'models'; readonly model: Model }
  | ({ readonly to: 'switch'; readonly chosen: boolean } & Sibling)
  | { readonly to: 'back' }
  | { readonly to: 'generate' }
  | { readonly to: 'drop' }

export interface Card {
  readonly model: Model
  readonly page: Page
  readonly lines: readonly Line[]
  readonly buttons: readonly (readonly CardButton[])[]
}

/** The first field that must be asked and has no answer. */
export function missingField(model: Model, answers: Answers): Field | undefined {
  return model.fields.find(
    (field) => field.kind === 'text' && field.required && answers[field.name] === undefined,
  )
}

/** @param siblings the models on offer that this one can be switched to, itself among them */
export function cardOf(model: Model, answers: Answers, page: Page, siblings: readonly Sibling[] = []): Card {
  return { model, page, lines: linesOf(model, answers), buttons: buttonsOf(model, answers, page, siblings) }
}

/** The answers that count: what the user gave, else the default. */
const currentAnswer = (field: Field, answers: Answers) => answers[field.name] ?? defaultOf(field)

/** Asked and card fields always, advanced ones once they differ from the default. */
function linesOf(model: Model, answers: Answers): Line[] {
  return model.fields
    .filter((field) => isUserField(field) && isPossible(model.rules, field, model, answers))
    .filter((field) => field.audience !== 'advanced' || isChanged(field, answers))
    .map((field) => ({ field, answer: currentAnswer(field, answers) }))
}

const isChanged = (field: Field, answers: Answers) =>
  answers[field.name] !== undefined && answers[field.name] !== defaultOf(field)

/** A field is hidden while any answer it could give breaks a rule with what the others have answered. */
function isPossible(rules: readonly Rule[], field: Field, model: Model, answers: Answers): boolean {
  const others: Answers = Object.fromEntries(Object.entries(answers).filter(([name]) => name !== field.name))
  const flat: Flat = Object.assign(
    {},
    ...model.fields.map((one) => (others[one.name] === undefined ? {} : write(one, others[one.name] ?? ''))),
  )
  return sampleAnswers(field).some(
    (answer) => violations(rules, { ...flat, ...write(field, answer) }).length === 0,
  )
}

function sampleAnswers(field: Field): readonly Answer[] {
  switch (field.kind) {
    case 'text':
      return ['-']
    case 'number':
      return [field.min]
    case 'toggle':
      return [true]
    case 'choice':
      return field.options.map((option) => option.value)
  }
}

function buttonsOf(model: Model, answers: Answers, page: Page, siblings: readonly Sibling[]): CardButton[][] {
  switch (page.at) {
    case 'models': {
      const others = siblings.map(
        (one): CardButton => ({ to: 'switch', ...one, chosen: one.model.id === model.id }),
      )
      return [...rowsOf(others, 1), [{ to: 'back' }]]
    }
    case 'main': {
      const shown = fieldsFor(model, answers, ['asked', 'card'])
      const advanced: CardButton[] =
        fieldsFor(model, answers, ['advanced']).length > 0 ? [{ to: 'advanced' }] : []
      const own = [...shown.map((field) => openButton(field, answers)), ...advanced]
      const other: CardButton[][] = siblings.length > 1 ? [[{ to: 'models', model }]] : []
      return [...other, ...pairs(own), [{ to: 'generate' }], [{ to: 'drop' }]]
    }
    case 'advanced': {
      const own = fieldsFor(model, answers, ['advanced']).map((field) => openButton(field, answers))
      return [...pairs(own), [{ to: 'back' }]]
    }
    case 'field': {
      const field = model.fields.find((one) => one.name === page.name && isUserField(one))
      return field ? fieldPage(field, answers) : buttonsOf(model, answers, { at: 'main' }, siblings)
    }
  }
}

function fieldsFor(model: Model, answers: Answers, audiences: readonly Field['audience'][]): Field[] {
  return model.fields
    .filter((field) => audiences.includes(field.audience))
    .filter((field) => isPossible(model.rules, field, model, answers))
}

function openButton(field: Field, answers: Answers): CardButton {
  const answer = currentAnswer(field, answers)
  // What can be cleared needs a page to do it on.
  if (field.kind === 'text' && (field.required || answer === undefined))
    return { to: 'ask', field, because: 'edit' }
  if (field.kind === 'toggle')
    return { to: 'set', field, value: answer ? 'off' : 'on', chosen: answer === true }
  return { to: 'open', field, answer }
}

function fieldPage(field: Field, answers: Answers): CardButton[][] {
  const answer = currentAnswer(field, answers)
  const clear: CardButton[][] = isChanged(field, answers) ? [[{ to: 'clear', field }]] : []
  const set = (value: string, chosen: boolean): CardButton => ({ to: 'set', field, value, chosen })
  switch (field.kind) {
    case 'choice': {
      const options = field.options.map(({ value }) => set(value, value === answer))
      return [...rowsOf(options, field.columns), ...clear, [{ to: 'back' }]]
    }
    case 'number': {
      const offered = field.suggestions.map((one) => set(String(one), one === answer))
      return [...rowsOf(offered, 4), [{ to: 'ask', field, because: 'other' }], ...clear, [{ to: 'back' }]]
    }
    case 'text':
    case 'toggle':
      return [[{ to: 'ask', field, because: 'edit' }], ...clear, [{ to: 'back' }]]
  }
}

const pairs = (buttons: readonly CardButton[]) => rowsOf(buttons, 2)

function rowsOf<T>(items: readonly T[], columns: number): T[][] {
  const count = Math.ceil(items.length / columns)
  return Array.from({ length: count }, (_, row) => items.slice(row * columns, (row + 1) * columns))
}

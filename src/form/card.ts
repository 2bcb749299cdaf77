// A draft as a card: its lines and buttons as data. The bot turns them into a message.

import {
  type Answer,
  type Answers,
  defaultOf,
  type Field,
  isUserField,
  type Option,
} from '../catalog/field.ts'
import { codePoints } from '../catalog/fields.ts'
import type { Model } from '../catalog/model.ts'
import type { Kopecks } from '../money.ts'
import { keyOf, listOf } from './answer.ts'
import { isOptional, isPossible, missingField, possibleOptions } from './fit.ts'

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

/** A model that the draft can be switched to, with its price there; no price until the answers make a complete request. */
export interface Sibling {
  readonly model: Model
  readonly amount: Kopecks | undefined
}

/** What a card depends on besides the draft. */
export interface Around {
  /** The offered models that the draft can be switched to, including its own. */
  readonly siblings: readonly Sibling[]
  /** Options of text fields, by field name. */
  readonly offers: Readonly<Record<string, readonly Option[]>>
  /** Whether the gateway can fetch files from our server. */
  readonly canLink: boolean
}

export type CardButton =
  /** Opens the field's own page. */
  | { readonly to: 'open'; readonly field: Field; readonly answer: Answer | undefined }
  | { readonly to: 'set'; readonly field: Field; readonly value: string; readonly chosen: boolean }
  /** An offered option of a text. */
  | { readonly to: 'pick'; readonly field: Field; readonly option: Option; readonly chosen: boolean }
  /** Asks for a typed answer or a file. */
  | { readonly to: 'ask'; readonly field: Field; readonly because: 'edit' | 'other' | 'more' }
  | { readonly to: 'clear'; readonly field: Field }
  /** Creates a new option, like a custom style. */
  | { readonly to: 'make'; readonly field: Field }
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
  /** Media fields that need a link to our server, while the server has no public address. */
  readonly unreachable: readonly Field[]
  /** The first field that has to be answered before an order is possible. */
  readonly missing: Field | undefined
  readonly buttons: readonly (readonly CardButton[])[]
  readonly offers: Around['offers']
}

const nothingAround: Around = { siblings: [], offers: {}, canLink: true }

export function cardOf(model: Model, answers: Answers, page: Page, around: Partial<Around> = {}): Card {
  const drawn = { model, answers, complete: model.complete(answers), ...nothingAround, ...around }
  return {
    model,
    page,
    lines: linesOf(drawn),
    unreachable: page.at === 'main' ? shownFields(drawn).filter((field) => !isReachable(drawn, field)) : [],
    missing: missingField(model, answers),
    buttons: buttonsOf(drawn, page),
    offers: drawn.offers,
  }
}

interface Drawn extends Around {
  readonly model: Model
  readonly answers: Answers
  readonly complete: Answers
}

const shownFields = (
  { model, answers }: Drawn,
  audiences: readonly Field['audience'][] = ['asked', 'card', 'advanced'],
) => model.fields.filter((field) => audiences.includes(field.audience) && isPossible(model, field, answers))

const isReachable = ({ canLink }: Drawn, field: Field) =>
  field.kind !== 'media' || field.via === 'data' || canLink

/** The prompt always, other card fields when they have an answer, advanced fields when they differ from the default. */
function linesOf(drawn: Drawn): Line[] {
  return shownFields(drawn)
    .map((field) => ({ field, answer: drawn.complete[field.name] }))
    .filter(({ field, answer }) => field.audience === 'asked' || answer !== undefined)
    .filter(({ field }) => field.audience !== 'advanced' || isChanged(field, drawn.answers))
}

const isChanged = (field: Field, answers: Answers) =>
  answers[field.name] !== undefined && answers[field.name] !== defaultOf(field)

function buttonsOf(drawn: Drawn, page: Page): CardButton[][] {
  const { model, siblings } = drawn
  switch (page.at) {
    case 'models': {
      const others = siblings.map(
        (one): CardButton => ({ to: 'switch', ...one, chosen: one.model.id === model.id }),
      )
      return [...rowsOf(others, 1), [{ to: 'back' }]]
    }
    case 'main': {
      const advanced: CardButton[] = shownFields(drawn, ['advanced']).length > 0 ? [{ to: 'advanced' }] : []
      const own = [...openButtons(drawn, ['asked', 'card']), ...advanced]
      const other: CardButton[][] = siblings.length > 1 ? [[{ to: 'models', model }]] : []
      return [...other, ...rowsOf(own, 2), [{ to: 'generate' }], [{ to: 'drop' }]]
    }
    case 'advanced':
      return [...rowsOf(openButtons(drawn, ['advanced']), 2), [{ to: 'back' }]]
    case 'field': {
      const field = model.fields.find((one) => one.name === page.name && isUserField(one))
      return field ? fieldPage(drawn, field) : buttonsOf(drawn, { at: 'main' })
    }
  }
}

const openButtons = (drawn: Drawn, audiences: readonly Field['audience'][]) =>
  shownFields(drawn, audiences)
    .filter((field) => isReachable(drawn, field) && !isEmpty(drawn, field))
    .map((field) => openButton(drawn, field))

/** A field whose options are the user's own videos, without any. */
const isEmpty = ({ offers }: Drawn, field: Field) =>
  field.kind === 'text' && field.source === 'videos' && (offers[field.name] ?? []).length === 0

function openButton(drawn: Drawn, field: Field): CardButton {
  const { complete, offers } = drawn
  const answer = complete[field.name]
  if (field.kind === 'toggle')
    return { to: 'set', field, value: answer ? 'off' : 'on', chosen: answer === true }
  // Options and the button that clears an answer need a page.
  const isTyped = field.kind === 'number' && field.suggestions.length === 0
  const isText = field.kind === 'text' && !field.source && !offers[field.name]
  const isPlain = field.kind === 'media' || isText || isTyped
  const isSimple = field.audience === 'asked' ? !isClearable(drawn, field) : answer === undefined
  if (isPlain && isSimple) return { to: 'ask', field, because: 'edit' }
  return { to: 'open', field, answer }
}

/** The prompt can be removed only when the model does not require it beside the other answers. */
const isClearable = ({ model, answers }: Drawn, field: Field) =>
  isChanged(field, answers) && (field.audience !== 'asked' || isOptional(model, field, answers))

function fieldPage(drawn: Drawn, field: Field): CardButton[][] {
  const clear: CardButton[] = isClearable(drawn, field) ? [{ to: 'clear', field }] : []
  return [...fieldButtons(drawn, field), clear, [{ to: 'back' as const }]].filter((row) => row.length > 0)
}

function fieldButtons(drawn: Drawn, field: Field): CardButton[][] {
  const answer = drawn.complete[field.name]
  const set = (value: string, chosen: boolean): CardButton => ({ to: 'set', field, value, chosen })
  switch (field.kind) {
    case 'choice': {
      const options = possibleOptions(drawn.model, field, drawn.answers)
      return rowsOf(
        options.map(({ value }) => set(value, value === answer)),
        field.columns,
      )
    }
    case 'number': {
      const most = drawn.model.limit(field, drawn.answers) ?? field.max
      const fitting = field.suggestions.filter((one) => one <= most)
      const offered = fitting.map((one) => set(String(one), one === answer))
      return [...rowsOf(offered, 4), [{ to: 'ask', field, because: offered.length > 0 ? 'other' : 'edit' }]]
    }
    case 'text':
      return textPage(drawn, field, answer)
    case 'media': {
      const isFull = field.max > 1 && Array.isArray(answer) && answer.length >= field.max
      return isFull ? [] : [[{ to: 'ask', field, because: field.max > 1 && answer ? 'more' : 'edit' }]]
    }
    case 'toggle':
      return [[set(answer ? 'off' : 'on', answer === true)]]
  }
}

function textPage(
  { offers }: Drawn,
  field: Extract<Field, { kind: 'text' }>,
  answer: Answer | undefined,
): CardButton[][] {
  const chosen = field.many ? listOf(answer) : [answer]
  const hasRoom = (value: string) => codePoints([...chosen, value].join(', ')) <= field.max
  const fitting = (offers[field.name] ?? []).filter(
    ({ value }) => !field.many || chosen.includes(value) || hasRoom(value),
  )
  const options = fitting.map(
    (option): CardButton => ({ to: 'pick', field, option, chosen: chosen.includes(option.value) }),
  )
  const make: CardButton[][] = field.source === 'styles' ? [[{ to: 'make', field }]] : []
  const ask: CardButton = { to: 'ask', field, because: options.length > 0 ? 'other' : 'edit' }
  return [...rowsOf(options, 2), ...make, ...(field.source === 'videos' ? [] : [[ask]])]
}

/** The key of an option in callback data. */
export const pickKey = ({ value }: Option): string => keyOf(value)

function rowsOf<T>(items: readonly T[], columns: number): T[][] {
  const count = Math.ceil(items.length / columns)
  return Array.from({ length: count }, (_, row) => items.slice(row * columns, (row + 1) * columns))
}

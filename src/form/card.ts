// A draft as a card: its pages, lines and buttons as data. The bot turns them into a message. A value is shown once: in the button of its
// field, or in a line if the page has no such button or the button has no room for the value.

import { type Answer, type Answers, defaultOf, type Field, type Option } from '../catalog/field.ts'
import { codePoints } from '../catalog/fields.ts'
import type { Model } from '../catalog/model.ts'
import { trialOf } from '../catalog/trial.ts'
import type { Kopecks } from '../money.ts'
import { keyOf, listOf } from './answer.ts'
import {
  isOptional,
  isPossible,
  missingField,
  possibleOptions,
  type Setting,
  settingAt,
  settingsIn,
  settingsOf,
  wouldChange,
} from './fit.ts'

export type Page =
  | { readonly at: 'main' }
  | { readonly at: 'advanced' }
  | { readonly at: 'models' }
  | { readonly at: 'presets' }
  /** @see Setting.page */
  | { readonly at: 'field'; readonly name: string }

/** A model that the draft can be switched to, with its price there; no price until the answers make a complete request. */
export interface Sibling {
  readonly model: Model
  readonly amount: Kopecks | undefined
}

/** The data of a card that are not in the draft. */
interface Around {
  /** The offered models that the draft can be switched to, including its own. */
  readonly siblings: readonly Sibling[]
  /** Options of text fields, by field name. */
  readonly offers: Readonly<Record<string, readonly Option[]>>
  /** The answers of the user's last order of the model. */
  readonly last: Answers | undefined
  readonly presets: readonly NamedPreset[]
  /** Whether users can make styles. */
  readonly makesStyles: boolean
}

/** Settings that the user saved under a name. */
interface NamedPreset {
  readonly id: string
  readonly name: string
}

export type CardButton =
  /** Opens the field's own page. */
  | {
      readonly to: 'open'
      readonly page: string
      readonly field: Field
      readonly answer: Answer | undefined
      /** Whether a line shows the answer. */
      readonly inLine: boolean
    }
  | {
      readonly to: 'set'
      readonly page: string
      readonly field: Field
      readonly value: string
      readonly chosen: boolean
    }
  /** An offered option of a text. */
  | { readonly to: 'pick'; readonly field: Field; readonly option: Option; readonly chosen: boolean }
  /** Asks for a typed answer or a file. */
  | { readonly to: 'ask'; readonly field: Field; readonly because: 'edit' | 'other' | 'more' | 'missing' }
  | { readonly to: 'clear'; readonly field: Field }
  /** Makes an option of the user's own, for instance a style. */
  | { readonly to: 'make'; readonly field: Field }
  | { readonly to: 'advanced' }
  /** Gives all settings their defaults. */
  | { readonly to: 'reset' }
  /** Gives a video the length and the quality of a trial. */
  | { readonly to: 'trial'; readonly seconds: number }
  /** Opens the list of presets. */
  | { readonly to: 'presets' }
  /** Takes over the settings of the last order. */
  | { readonly to: 'last' }
  | { readonly to: 'preset'; readonly preset: NamedPreset }
  | { readonly to: 'save' }
  /** Opens the choice of models. */
  | { readonly to: 'models' }
  | ({ readonly to: 'switch'; readonly chosen: boolean } & Sibling)
  | { readonly to: 'back'; readonly at: 'main' | 'advanced' }
  | { readonly to: 'generate' }
  /** Asks for one setting after another. */
  | { readonly to: 'guide' }
  | { readonly to: 'drop' }

/** The draft and all other data that the pages need. */
export interface Drawn extends Around {
  readonly model: Model
  readonly answers: Answers
  /** The answers with defaults. */
  readonly complete: Answers
  /** The first field that has to be answered before an order is possible. */
  readonly missing: Field | undefined
}

const allAudiences: readonly Field['audience'][] = ['asked', 'card', 'advanced']

const shownSettings = ({ model, answers, complete }: Drawn, audiences = allAudiences): Setting[] =>
  settingsOf(model, complete).filter(
    ({ field }) => audiences.includes(field.audience) && isPossible(model, field, answers),
  )

export const isChanged = (field: Field, answers: Answers): boolean =>
  answers[field.name] !== undefined && answers[field.name] !== defaultOf(field)

/** Whether an answer can be cleared. The prompt only if the model does not require it together with the other answers. */
export const isClearable = ({ model, answers }: Drawn, field: Field): boolean =>
  isChanged(field, answers) && (field.audience !== 'asked' || isOptional(model, field, answers))

/** Code points that a button shows on a phone, besides its label. */
export const buttonAnswer = 18

/** Whether an answer is too long for a button. The label of an offered option is short. */
function isLong({ offers }: Drawn, field: Field, answer: Answer | undefined): boolean {
  if (field.kind !== 'text' || typeof answer !== 'string') return false
  const isOffered = offers[field.name]?.some(({ value }) => value === answer)
  return !isOffered && codePoints(answer) > buttonAnswer
}

// The buttons of each page of a card.

function buttonsOf(drawn: Drawn, page: Page): CardButton[][] {
  switch (page.at) {
    case 'main':
      return mainPage(drawn)
    case 'models':
      return modelsPage(drawn)
    case 'presets':
      return presetsPage(drawn)
    case 'advanced':
      return [
        ...rowsOf(openButtons(drawn, ['advanced']), 2),
        trialButton(drawn),
        [...resetOf(drawn), ...back],
        order,
      ]
    case 'field': {
      const setting = settingAt(drawn.model, drawn.complete, page.name)
      return setting ? fieldPage(drawn, setting) : mainPage(drawn)
    }
  }
}

const order: CardButton[] = [{ to: 'generate' }]
const back: CardButton[] = [{ to: 'back', at: 'main' }]
const backToAdvanced: CardButton[] = [{ to: 'back', at: 'advanced' }]
const isFilled = (row: readonly CardButton[]) => row.length > 0

/** The main page: inputs, the most important settings, one button for further settings, and the order button. */
function mainPage(drawn: Drawn): CardButton[][] {
  const { siblings } = drawn
  const isInput = ({ field }: Setting) => field.audience === 'asked' || field.kind === 'media'
  const shown = openSettings(drawn, ['asked', 'card'])
  const inputs = shown.filter(isInput).map((setting) => openButton(drawn, setting))
  const settings = shown.filter((one) => !isInput(one)).map((setting) => openButton(drawn, setting))
  const more: CardButton[] = shownSettings(drawn, ['advanced']).length > 0 ? [{ to: 'advanced' }] : []
  const models: CardButton[] = siblings.length > 1 ? [{ to: 'models' }] : []
  // These buttons change several settings at once.
  const tools: CardButton[] = [...(isUntouched(drawn) ? lastOf(drawn) : []), { to: 'presets' }]
  const rows = [models, ...rowsOf(inputs, 2), ...rowsOf([...settings, ...more, ...tools], 2)]
  const others: CardButton[] = [{ to: 'guide' }, { to: 'drop' }]
  return [...rows, order, others].filter(isFilled)
}

function modelsPage({ siblings, model }: Drawn): CardButton[][] {
  const others = siblings.map(
    (one): CardButton => ({ to: 'switch', ...one, chosen: one.model.id === model.id }),
  )
  return [...rowsOf(others, 1), back]
}

function presetsPage(drawn: Drawn): CardButton[][] {
  const saved = drawn.presets.map((preset): CardButton => ({ to: 'preset', preset }))
  return [lastOf(drawn), ...rowsOf(saved, 2), [{ to: 'save' as const }], back].filter(isFilled)
}

const isUntouched = ({ model, answers }: Drawn) => Object.keys(settingsIn(model, answers)).length === 0

const lastOf = ({ model, answers, last }: Drawn): CardButton[] =>
  last && wouldChange(model, answers, last) ? [{ to: 'last' }] : []

function trialButton({ model, answers }: Drawn): CardButton[] {
  const trial = trialOf(model, answers)
  return trial ? [{ to: 'trial', seconds: trial.seconds }] : []
}

const resetOf = ({ model, answers }: Drawn): CardButton[] =>
  wouldChange(model, answers, {}) ? [{ to: 'reset' }] : []

export const openSettings = (drawn: Drawn, audiences: readonly Field['audience'][]) =>
  shownSettings(drawn, audiences).filter(({ field }) => !isEmpty(drawn, field))

const openButtons = (drawn: Drawn, audiences: readonly Field['audience'][]) =>
  openSettings(drawn, audiences).map((setting) => openButton(drawn, setting))

/** Whether a field offers the user's own videos, and the user has none. */
const isEmpty = ({ offers }: Drawn, field: Field) =>
  field.kind === 'text' && field.source === 'videos' && (offers[field.name] ?? []).length === 0

function openButton(drawn: Drawn, { page, field }: Setting): CardButton {
  const { complete, offers, missing } = drawn
  const answer = complete[field.name]
  if (field.kind === 'toggle')
    return { to: 'set', page, field, value: answer ? 'off' : 'on', chosen: answer === true }
  // Options and the button that clears an answer need a page.
  const isTyped = field.kind === 'number' && field.suggestions.length === 0
  const isText = field.kind === 'text' && !field.source && !offers[field.name]
  const isPlain = field.kind === 'media' || isText || isTyped
  const isSimple = field.audience === 'asked' ? !isClearable(drawn, field) : answer === undefined
  if (isPlain && isSimple)
    return { to: 'ask', field, because: field.name === missing?.name ? 'missing' : 'edit' }
  const inLine = field.audience === 'asked' || isLong(drawn, field, answer)
  return { to: 'open', page, field, answer, inLine }
}

function fieldPage(drawn: Drawn, setting: Setting): CardButton[][] {
  const { page, field } = setting
  // The default of an axis is one of its options.
  const clear: CardButton[] = page === field.name && isClearable(drawn, field) ? [{ to: 'clear', field }] : []
  const before = field.audience === 'advanced' ? backToAdvanced : back
  return [...fieldButtons(drawn, setting), clear, before].filter(isFilled)
}

export function fieldButtons(drawn: Drawn, { page, field }: Setting): CardButton[][] {
  const answer = drawn.complete[field.name]
  const set = (value: string, chosen: boolean): CardButton => ({ to: 'set', page, field, value, chosen })
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
  { offers, makesStyles }: Drawn,
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
  const make: CardButton[][] = makesStyles && field.source === 'styles' ? [[{ to: 'make', field }]] : []
  const ask: CardButton = { to: 'ask', field, because: options.length > 0 ? 'other' : 'edit' }
  return [...rowsOf(options, 2), ...make, ...(field.source === 'videos' ? [] : [[ask]])]
}

function rowsOf<T>(items: readonly T[], columns: number): T[][] {
  const count = Math.ceil(items.length / columns)
  return Array.from({ length: count }, (_, row) => items.slice(row * columns, (row + 1) * columns))
}

export interface Line {
  readonly field: Field
  readonly answer: Answer
}

export interface Card {
  readonly model: Model
  readonly page: Page
  /** The field whose page is open. */
  readonly open: Field | undefined
  readonly lines: readonly Line[]
  readonly missing: Field | undefined
  readonly buttons: readonly (readonly CardButton[])[]
  readonly offers: Around['offers']
}

const nothingAround: Around = { siblings: [], offers: {}, last: undefined, presets: [], makesStyles: false }

export function cardOf(model: Model, answers: Answers, page: Page, around: Partial<Around> = {}): Card {
  const missing = missingField(model, answers)
  const drawn = { model, answers, complete: model.complete(answers), missing, ...nothingAround, ...around }
  const buttons = buttonsOf(drawn, page)
  const open = page.at === 'field' ? settingAt(model, drawn.complete, page.name)?.field : undefined
  return {
    model,
    page,
    open,
    lines: open ? openLine(drawn, open, buttons.flat()) : linesOf(drawn, page),
    missing,
    buttons,
    offers: drawn.offers,
  }
}

/** The line of the open field: on its own page an answer is shown as the chosen option, else as a line. */
function openLine({ complete }: Drawn, field: Field, buttons: readonly CardButton[]): Line[] {
  const answer = complete[field.name]
  const isChosen = buttons.some((button) => 'chosen' in button && button.chosen)
  return answer === undefined || isChosen || field.kind === 'toggle' ? [] : [{ field, answer }]
}

/** The lines of a page: the prompt, changed settings for which the page has no button, and answers for which a button has no room. */
function linesOf(drawn: Drawn, page: Page): Line[] {
  if (page.at === 'models' || page.at === 'presets') return []
  const isMain = page.at !== 'advanced'
  const all = shownSettings(drawn, isMain ? undefined : ['advanced'])
  return all.flatMap(({ field }) => {
    const answer = drawn.complete[field.name]
    const isHidden = field.audience === 'advanced' && isMain && isChanged(field, drawn.answers)
    const isLine = field.audience === 'asked' || isHidden || isLong(drawn, field, answer)
    return answer !== undefined && isLine ? [{ field, answer }] : []
  })
}

/** The key of an option in callback data. */
export const pickKey = ({ value }: Option): string => keyOf(value)

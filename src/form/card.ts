// A draft as a card: its pages, lines and buttons as data. The bot turns them into a message. A value is shown once: in the button of its
// field, or in a line if the page has no such button or the button has no room for the value.

import { type Answer, type Answers, defaultOf, type Field, type Option } from '../catalog/field.ts'
import { codePoints } from '../catalog/fields.ts'
import type { Model } from '../catalog/model.ts'
import { trialOf } from '../catalog/trial.ts'
import { keyOf, listOf } from './answer.ts'
import type { Around, CardButton, Drawn, Page } from './card-data.ts'
import {
  isOptional,
  isPossible,
  missingField,
  possibleOptions,
  type Setting,
  settingAt,
  settingsOf,
  wouldChange,
} from './fit.ts'

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
    case 'suggestion':
      return [[suggested('take')], [suggested('leave')], ...suggesting(drawn)]
    case 'advanced':
      return morePage(drawn)
    case 'field': {
      const setting = settingAt(drawn.model, drawn.complete, page.name)
      return setting ? fieldPage(drawn, setting) : mainPage(drawn)
    }
  }
}

const order: CardButton[] = [{ to: 'generate' }]
const back: CardButton[] = [{ to: 'back', at: 'main' }]
const backToMore: CardButton[] = [{ to: 'back', at: 'advanced' }]
const isFilled = (row: readonly CardButton[]) => row.length > 0

/** The order, or what it lacks; the settings that matter most; the prompt and the files; the model, everything else, and the way out. */
function mainPage(drawn: Drawn): CardButton[][] {
  const { inGroup, missing } = drawn
  const shown = inGroup ? [] : openSettings(drawn, ['asked', 'card'])
  const others = shown.filter(({ page }) => page !== missing?.name)
  const isInput = ({ field }: Setting) => field.audience === 'asked' || field.kind === 'media'
  const buttonsOf = (settings: readonly Setting[]) => settings.map((setting) => openButton(drawn, setting))
  return [
    ...orderRows(drawn),
    buttonsOf(others.filter((one) => !isInput(one))),
    buttonsOf(others.filter(isInput)),
    [...(inGroup ? [] : modelsOf(drawn)), { to: 'advanced' as const }, { to: 'drop' as const }],
  ].filter(isFilled)
}

/** The first row: the order button, or, while a required answer is missing, its options or the button that asks for it. */
function orderRows(drawn: Drawn): CardButton[][] {
  const { missing, model, complete, offers } = drawn
  const setting = missing && settingAt(model, complete, missing.name)
  if (!setting) return [order]
  const hasOptions = (offers[setting.page] ?? []).length > 0
  return hasOptions ? fieldButtons(drawn, setting) : [[openButton(drawn, setting)]]
}

/** The further settings, in groups all of them, and what changes several settings at once. */
function morePage(drawn: Drawn): CardButton[][] {
  const { inGroup } = drawn
  const settings = openSettings(drawn, inGroup ? allAudiences : ['advanced'])
  const tools: CardButton[] = [
    ...trialButton(drawn),
    ...lastOf(drawn),
    { to: 'presets' },
    { to: 'guide' },
    ...resetOf(drawn),
  ]
  const rows = settings.map((setting) => openButton(drawn, setting))
  return [
    order,
    inGroup ? modelsOf(drawn) : [],
    rows,
    ...suggesting(drawn),
    suggestedOf(drawn),
    tools,
    back,
  ].filter(isFilled)
}

const suggested = (act: Extract<CardButton, { to: 'suggested' }>['act']): CardButton => ({
  to: 'suggested',
  act,
})

const suggesting = ({ rewritings }: Drawn): CardButton[][] => rewritings.map((as) => [{ to: 'suggest', as }])

/** The way back to a suggestion, or from it to the user's own words. */
const suggestedOf = ({ suggested: last }: Drawn): CardButton[] =>
  last ? [suggested(last.isTaken ? 'own' : 'show')] : []

const modelsOf = ({ siblings }: Drawn): CardButton[] => (siblings.length > 1 ? [{ to: 'models' }] : [])

function modelsPage({ siblings, model }: Drawn): CardButton[][] {
  const others = siblings.map(
    (one): CardButton => ({ to: 'switch', ...one, chosen: one.model.id === model.id }),
  )
  return [...rowsOf(others, 1), back]
}

function presetsPage(drawn: Drawn): CardButton[][] {
  const saved = drawn.presets.map((preset): CardButton => ({ to: 'preset', preset }))
  return [...rowsOf(saved, 2), [{ to: 'save' as const }], backToMore].filter(isFilled)
}

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
  const before = field.audience === 'advanced' || drawn.inGroup ? backToMore : back
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
      return [
        ...rowsOf(offered, field.named ? 2 : 4),
        [{ to: 'ask', field, because: offered.length > 0 ? 'other' : 'edit' }],
      ]
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
  const pick = (option: Option): CardButton => ({
    to: 'pick',
    field,
    option,
    chosen: chosen.includes(option.value),
  })
  const heard = (option: Option): CardButton[] => [
    pick(option),
    ...(hasSample(option) ? [{ to: 'hear' as const, field, option }] : []),
  ]
  const options = fitting.some(hasSample) ? fitting.map(heard) : rowsOf(fitting.map(pick), 2)
  const make: CardButton[][] = makesStyles && field.source === 'styles' ? [[{ to: 'make', field }]] : []
  const ask: CardButton = { to: 'ask', field, because: options.length > 0 ? 'other' : 'edit' }
  return [...options, ...make, ...(field.source === 'videos' ? [] : [[ask]])]
}

const hasSample = ({ voice }: Option): boolean => voice?.sample !== undefined

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

const nothingAround: Around = {
  siblings: [],
  offers: {},
  last: undefined,
  presets: [],
  rewritings: [],
  suggested: undefined,
  makesStyles: false,
  inGroup: false,
}

export const drawnFrom = (model: Model, answers: Answers, around: Partial<Around>): Drawn => ({
  ...{ model, answers, complete: model.complete(answers), missing: missingField(model, answers) },
  ...nothingAround,
  ...around,
})

export function cardOf(model: Model, answers: Answers, page: Page, around: Partial<Around> = {}): Card {
  const drawn = drawnFrom(model, answers, around)
  const buttons = buttonsOf(drawn, page)
  const open = page.at === 'field' ? settingAt(model, drawn.complete, page.name)?.field : undefined
  return {
    model,
    page,
    open,
    lines: open ? openLine(drawn, open, buttons.flat()) : linesOf(drawn, page, buttons.flat()),
    missing: drawn.missing,
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

/** The lines of a page: the prompt, answers for which a button has no room, and settings for which the main page has no button. */
function linesOf(drawn: Drawn, page: Page, buttons: readonly CardButton[]): Line[] {
  if (page.at === 'models' || page.at === 'presets') return []
  const isMain = page.at === 'main'
  const all = shownSettings(drawn, isMain ? undefined : [page.at === 'suggestion' ? 'asked' : 'advanced'])
  const pages = new Set(buttons.flatMap((one) => ('page' in one ? [one.page] : [])))
  const isHidden = ({ page, field }: Setting) =>
    isMain && !pages.has(page) && (field.audience === 'card' || isChanged(field, drawn.answers))
  return all.flatMap((setting) => {
    const { field } = setting
    const answer = drawn.complete[field.name]
    const isLine = field.audience === 'asked' || isHidden(setting) || isLong(drawn, field, answer)
    return answer !== undefined && isLine ? [{ field, answer }] : []
  })
}

/** The key of an option in callback data. */
export const pickKey = ({ value }: Option): string => keyOf(value)

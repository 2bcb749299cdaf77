// The buttons of each page of a card.

import type { Answer, Field } from '../catalog/field.ts'
import { codePoints } from '../catalog/fields.ts'
import { listOf } from './answer.ts'
import { possibleOptions } from './fit.ts'
import {
  type CardButton,
  type Drawn,
  isClearable,
  isLong,
  isReachable,
  type Page,
  shownSettings,
} from './page.ts'
import { settingsIn, wouldChange } from './reuse.ts'
import { type Setting, settingAt } from './settings.ts'

export function buttonsOf(drawn: Drawn, page: Page): CardButton[][] {
  switch (page.at) {
    case 'main':
      return mainPage(drawn)
    case 'models':
      return modelsPage(drawn)
    case 'presets':
      return presetsPage(drawn)
    case 'advanced':
      return [...rowsOf(openButtons(drawn, ['advanced']), 2), [...resetOf(drawn), ...back], order]
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
  // The tools change the card as a whole.
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

const resetOf = ({ model, answers }: Drawn): CardButton[] =>
  wouldChange(model, answers, {}) ? [{ to: 'reset' }] : []

export const openSettings = (drawn: Drawn, audiences: readonly Field['audience'][]) =>
  shownSettings(drawn, audiences).filter(({ field }) => isReachable(drawn, field) && !isEmpty(drawn, field))

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

function rowsOf<T>(items: readonly T[], columns: number): T[][] {
  const count = Math.ceil(items.length / columns)
  return Array.from({ length: count }, (_, row) => items.slice(row * columns, (row + 1) * columns))
}

// A draft as a card: its lines and buttons as data. The bot turns them into a message. A value is shown once: in the button of its field,
// or in a line if the page has no such button or the button has no room for the value.

import type { Answer, Answers, Field, Option } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { keyOf } from './answer.ts'
import { buttonsOf } from './buttons.ts'
import { missingField } from './fit.ts'
import {
  type Around,
  type CardButton,
  type Drawn,
  isChanged,
  isLong,
  isReachable,
  type Page,
  shownSettings,
} from './page.ts'
import { settingAt } from './settings.ts'

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
  /** Media fields that need a link to our server, while the server has no public address. */
  readonly unreachable: readonly Field[]
  readonly missing: Field | undefined
  readonly buttons: readonly (readonly CardButton[])[]
  readonly offers: Around['offers']
}

const nothingAround: Around = { siblings: [], offers: {}, canLink: true, last: undefined, presets: [] }

export function cardOf(model: Model, answers: Answers, page: Page, around: Partial<Around> = {}): Card {
  const missing = missingField(model, answers)
  const drawn = { model, answers, complete: model.complete(answers), missing, ...nothingAround, ...around }
  const buttons = buttonsOf(drawn, page)
  const open = page.at === 'field' ? settingAt(model, drawn.complete, page.name)?.field : undefined
  const isUnreachable = ({ field }: { field: Field }) => !isReachable(drawn, field)
  return {
    model,
    page,
    open,
    lines: open ? openLine(drawn, open, buttons.flat()) : linesOf(drawn, page),
    unreachable:
      page.at === 'main'
        ? shownSettings(drawn)
            .filter(isUnreachable)
            .map(({ field }) => field)
        : [],
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

// A user at a card without the bot: the reactions to taps, typed answers, files and switches of the model as pure functions, and all
// buttons that can be tapped.

import { expect } from 'vitest'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import {
  type Answer,
  type Answers,
  type Attachment,
  type Field,
  isUserField,
  type Option,
} from '../../../src/catalog/field.ts'
import { models } from '../../../src/catalog/index.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { attach, type Read, readAnswer, readOption } from '../../../src/form/answer.ts'
import { type Card, cardOf, pickKey } from '../../../src/form/card.ts'
import type { CardButton, Page } from '../../../src/form/card-data.ts'
import { fitAnswers } from '../../../src/form/fit.ts'
import { carryAnswers } from '../../../src/form/switch.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'

export const catalog = createCatalog(models, withGatewayIds())

export interface Draft {
  readonly model: Model
  readonly answers: Answers
}

const uuid = (last: number) => `123e4567-e89b-42d3-a456-4266141740${last}`
const named = (value: string): Option => ({ value, label: { ru: `«${value}»`, en: `“${value}”` }, set: {} })
/** Options in the maximum number, with values of all lengths. */
const offered = {
  voices: Array.from({ length: 60 }, (_, i) => named(`${i}${'v'.repeat(3 * i)}`)),
  styles: Array.from({ length: 20 }, (_, i) => named(uuid(10 + i))),
  concepts: Array.from({ length: 60 }, (_, i) => named(`${i}${'ж'.repeat(i)}`)),
  videos: Array.from({ length: 8 }, (_, i) => named(`task-${i}-${'x'.repeat(180)}`)),
}

const offersOf = (field: Field): readonly Option[] =>
  field.kind === 'text' && field.source ? offered[field.source] : []

const offersFor = (model: Model) =>
  Object.fromEntries(
    model.fields.filter((field) => offersOf(field).length > 0).map((field) => [field.name, offersOf(field)]),
  )

export const siblingsOf = (from: Model): readonly Model[] =>
  models.filter(({ commands }) => commands.some((command) => from.commands.includes(command)))

export function viewOf({ model, answers }: Draft, page: Page): Card {
  const siblings = siblingsOf(model).map((one) => ({ model: one, amount: undefined }))
  return cardOf(model, answers, page, { siblings, offers: offersFor(model) })
}

/** The card and each page that one of its buttons opens. */
export function pagesOf(draft: Draft): readonly Card[] {
  const main = viewOf(draft, { at: 'main' })
  const advanced = viewOf(draft, { at: 'advanced' })
  const opened = [main, advanced]
    .flatMap((card) => card.buttons.flat())
    .flatMap((button) => (button.to === 'open' ? [viewOf(draft, { at: 'field', name: button.page })] : []))
  return [main, advanced, viewOf(draft, { at: 'models' }), ...opened]
}

/** The draft after an answer. Other answers that no longer fit are dropped; a refused answer changes nothing. */
export function answered({ model, answers }: Draft, field: Field, read: Read | undefined): Draft {
  if (read && !read.ok) return { model, answers }
  const { [field.name]: _, ...others } = answers
  const wanted: Record<string, Answer> = read ? { ...others, [field.name]: read.answer } : others
  const fitted = fitAnswers(model, wanted, field.name)
  expect(fitted[field.name]).toEqual(wanted[field.name])
  return { model, answers: fitted }
}

export function typed({ model, answers }: Draft, field: Field, text: string): Read {
  const { [field.name]: _, ...others } = answers
  return readAnswer(model, field, others, text)
}

export function switched({ model, answers }: Draft, to: Model): Draft {
  return { model: to, answers: carryAnswers(model, to, answers) }
}

/** The result of a tap: a draft, a refusal, or `no-answer` for a tap that only opens a page or asks for a text or a file. */
export function tapped(draft: Draft, button: CardButton): Draft | Extract<Read, { ok: false }> | 'no-answer' {
  switch (button.to) {
    case 'set': {
      const read = typed(draft, button.field, button.value)
      return read.ok ? answered(draft, button.field, read) : read
    }
    case 'pick': {
      if (button.field.kind !== 'text') throw new Error('only texts have offers')
      const current = draft.answers[button.field.name]
      const read = readOption(button.field, offersOf(button.field), current, pickKey(button.option))
      return read && !read.ok ? read : answered(draft, button.field, read)
    }
    case 'clear':
      return answered(draft, button.field, undefined)
    case 'switch':
      return switched(draft, button.model)
    default:
      return 'no-answer'
  }
}

export function sent(draft: Draft, field: Field, file: Attachment, caption: string): Draft {
  if (field.kind !== 'media') return draft
  return answered(draft, field, attach(field, draft.answers[field.name], file, caption))
}

export const userFields = ({ model }: Draft): readonly Field[] => model.fields.filter(isUserField)

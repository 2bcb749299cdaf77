// Random taps, texts and files in any order: the answers stay consistent, the card shows the missing field or the price, each button has
// an effect, and the message is within the limits of Telegram. A failing run prints its seed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewCard } from '../../src/bot/cards/card-view.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import {
  type Answer,
  type Answers,
  type Attachment,
  type Field,
  isUserField,
  type Medium,
  type Option,
} from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { commands, type Model } from '../../src/catalog/model.ts'
import { attach, type Read, readAnswer, readOption } from '../../src/form/answer.ts'
import { type Card, cardOf, pickKey } from '../../src/form/card.ts'
import type { CardButton, Page } from '../../src/form/card-data.ts'
import { fitAnswers, missingField } from '../../src/form/fit.ts'
import { carryAnswers } from '../../src/form/switch.ts'
import type { Quoted } from '../../src/orders/confirm.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { loadTexts } from '../../src/texts.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'
import { runs } from '../support/runs.ts'

const catalog = createCatalog(models, withGatewayIds())

interface Draft {
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

const siblingsOf = (from: Model): readonly Model[] =>
  models.filter(({ commands }) => commands.some((command) => from.commands.includes(command)))

function viewOf({ model, answers }: Draft, page: Page): Card {
  const siblings = siblingsOf(model).map((one) => ({ model: one, amount: undefined }))
  return cardOf(model, answers, page, { siblings, offers: offersFor(model) })
}

/** The card and each page that one of its buttons opens. */
function pagesOf(draft: Draft): readonly Card[] {
  const main = viewOf(draft, { at: 'main' })
  const advanced = viewOf(draft, { at: 'advanced' })
  const opened = [main, advanced]
    .flatMap((card) => card.buttons.flat())
    .flatMap((button) => (button.to === 'open' ? [viewOf(draft, { at: 'field', name: button.page })] : []))
  return [main, advanced, viewOf(draft, { at: 'models' }), ...opened]
}

/** The draft after an answer. Other answers that no longer fit are dropped; a refused answer changes nothing. */
function answered({ model, answers }: Draft, field: Field, read: Read | undefined): Draft {
  if (read && !read.ok) return { model, answers }
  const { [field.name]: _, ...others } = answers
  const wanted: Record<string, Answer> = read ? { ...others, [field.name]: read.answer } : others
  const fitted = fitAnswers(model, wanted, field.name)
  expect(fitted[field.name]).toEqual(wanted[field.name])
  return { model, answers: fitted }
}

function typed({ model, answers }: Draft, field: Field, text: string): Read {
  const { [field.name]: _, ...others } = answers
  return readAnswer(model, field, others, text)
}

function switched({ model, answers }: Draft, to: Model): Draft {
  return { model: to, answers: carryAnswers(model, to, answers) }
}

/** The result of a tap: a draft, a refusal, or `no-answer` for a tap that only opens a page or asks for a text or a file. */
function tapped(draft: Draft, button: CardButton): Draft | Extract<Read, { ok: false }> | 'no-answer' {
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

function sent(draft: Draft, field: Field, file: Attachment, caption: string): Draft {
  if (field.kind !== 'media') return draft
  return answered(draft, field, attach(field, draft.answers[field.name], file, caption))
}

const userFields = ({ model }: Draft): readonly Field[] => model.fields.filter(isUserField)

const at = <T>(all: readonly T[], share: number): T | undefined => all[Math.floor(share * all.length)]

const share = fc.nat(9999).map((n) => n / 10_000)
const texts = loadTexts()
const lists = {
  words: 'a cat|Anna: hello\nBob: bye|A: a\nB: b\nC: c|pitch = 10|1024x768|zoom_in, b| |-'.split('|'),
  numbers: ['-20', '0', '0.5', '1', '7', '15', '600', '300000'],
  captions: ['', '', '', '', 'first', 'последний', '12', '@cat', '@кот на сёрфе', 'hello'],
}
const words = fc.oneof(
  fc.constantFrom(...lists.words),
  fc.constantFrom(...lists.numbers),
  fc
    .tuple(fc.constantFrom('x', '&', '<b>', '🐈', 'к'), fc.constantFrom(30, 100, 500, 501, 1000, 5000, 9999))
    .map(([one, times]) => one.repeat(times)),
)
const rarely = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
const file = fc.record({
  /** Undefined selects a medium that the field accepts. */
  medium: rarely<Medium | undefined>(undefined, 'image', 'video', 'audio'),
  bytes: rarely(1000, 10 * 1024 * 1024, 21 * 1024 * 1024),
  width: rarely(1920, 100),
  seconds: rarely(15, 1, 16, 300),
})
const caption = fc.constantFrom(...lists.captions)
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tap' as const), page: share, button: share }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('type' as const), field: share, words }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), field: share, file, caption }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), to: share }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const fieldsOf = (draft: Draft, isMedia: boolean) =>
  userFields(draft).filter(({ kind }) => (kind === 'media') === isMedia)

function fileFor(field: Field, { medium, ...facts }: Extract<Act, { kind: 'send' }>['file']): Attachment {
  const wanted = field.kind === 'media' ? field.media[0] : undefined
  return { file: 'x', mime: 'x/y', height: 1080, ...facts, medium: medium ?? wanted ?? 'image' }
}

function after(draft: Draft, one: Act): Draft {
  switch (one.kind) {
    case 'tap': {
      const button = at(at(pagesOf(draft), one.page)?.buttons.flat() ?? [], one.button)
      const outcome = button ? tapped(draft, button) : 'no-answer'
      return typeof outcome === 'object' && 'model' in outcome ? outcome : draft
    }
    case 'type': {
      const field = at(fieldsOf(draft, false), one.field)
      return field ? answered(draft, field, typed(draft, field, one.words)) : draft
    }
    case 'send': {
      const field = at(fieldsOf(draft, true), one.field)
      return field ? sent(draft, field, fileFor(field, one.file), one.caption) : draft
    }
    case 'switch': {
      const to = at(siblingsOf(draft.model), one.to)
      return to ? switched(draft, to) : draft
    }
  }
}

const draftId = '0123456789'
const funds = { at: 'private', available: 0n } as const

function quoteOf({ model, answers }: Draft): Quoted {
  const request = catalog.request(model, answers)
  const price = request && catalog.price(model, request)
  if (!request || !price) return { ok: false, reason: 'incomplete' }
  const { amount, gatewayCost, ...parts } = price
  const ids = { id: draftId, draftId, revision: 0, userId: 1n, modelId: model.id }
  const times = { createdAt: new Date(0), expiresAt: new Date(1) }
  return { ok: true, quote: { ...ids, request, amount, gatewayCost, parts, ...times } }
}

/** The length that Telegram counts: after parsing the entities. */
const shownLength = (html: string) =>
  [...html.replace(/<[^>]+>/g, '').replace(/&(lt|gt|amp|quot);/g, '.')].length

function assertShowable(draft: Draft, card: Card): void {
  for (const locale of ['ru', 'en'] as const) {
    const { html, keyboard } = viewCard(card, { draftId, quoted: quoteOf(draft), funds }, texts(locale))
    expect(shownLength(html)).toBeLessThanOrEqual(4096)
    const buttons = keyboard.inline_keyboard.flat()
    expect(buttons.length).toBeLessThanOrEqual(100)
    for (const button of buttons) {
      const data = 'callback_data' in button ? button.callback_data : ''
      expect(Buffer.byteLength(data), data).toBeLessThanOrEqual(64)
      expect(data).toMatch(/^(c:[a-z0-9]{10}:[a-z](:[\w.-]{1,40}(:.{1,48})?)?|[gq]:[a-z0-9]{10})$/s)
      expect(button.text.trim()).not.toBe('')
    }
  }
}

function assertSound(draft: Draft): void {
  const { model, answers } = draft
  expect(fitAnswers(model, answers)).toEqual(answers)
  const request = catalog.request(model, answers)
  expect(missingField(model, answers) === undefined, 'it is complete, or says what is missing').toBe(
    request !== undefined,
  )
  if (request) expect(catalog.price(model, request)?.amount).toBeGreaterThan(0n)
  for (const card of pagesOf(draft)) {
    assertShowable(draft, card)
    for (const button of card.buttons.flat()) {
      if ('field' in button)
        expect(isUserField(button.field) && model.applies(button.field, answers)).toBe(true)
      expect(tapped(draft, button), button.to).not.toMatchObject({ ok: false })
    }
  }
}

/** Checks that the card shows every changed answer of the request, and that no answer overwrites another. */
function assertSeen(draft: Draft): void {
  const { model, answers } = draft
  const all = model.complete(answers)
  const [main] = pagesOf(draft)
  const buttons = main?.buttons.flat().flatMap((button) => ('field' in button ? [button.field.name] : []))
  const seen = [...(main?.lines.map(({ field }) => field.name) ?? []), ...(buttons ?? [])]
  const written = userFields(draft).filter(
    (field) => model.applies(field, answers) && answers[field.name] !== undefined,
  )
  const paths = written.flatMap((field) => Object.keys(field.write(all[field.name] ?? '', all)))
  expect(paths.length).toBe(new Set(paths).size)
  const changed = written.filter((field) => field.kind === 'media' || answers[field.name] !== field.default)
  for (const { name } of changed) expect(seen).toContain(name)
}

describe.each(commands)('/%s', (command) => {
  it('keeps the invariants of its drafts and cards on random walks', () => {
    const sold = models.filter((model) => model.commands.includes(command)).map(({ id }) => id)
    const acts = fc.array(act, { maxLength: 15, size: 'max' })
    fc.assert(
      fc.property(fc.constantFrom(...sold), fc.boolean(), acts, (id, isBegun, all) => {
        const model = catalog.find(id)
        if (!model) return expect.unreachable(id)
        let draft: Draft = { model, answers: isBegun ? sampleAnswers(model) : {} }
        for (const one of all) draft = after(draft, one)
        assertSound(draft)
        assertSeen(draft)
      }),
      { numRuns: runs(25) },
    )
  })
})

// Random taps, texts and files in any order: the answers stay consistent, the card shows the missing field or the price, each button has
// an effect, and the message is within the limits of Telegram. A failing run prints its seed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewCard } from '../../src/bot/cards/card-view.ts'
import { type Attachment, type Field, isUserField, type Medium } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { commands } from '../../src/catalog/model.ts'
import type { Card } from '../../src/form/card.ts'
import { fitAnswers, missingField } from '../../src/form/fit.ts'
import type { Quoted } from '../../src/orders/confirm.ts'
import { loadTexts } from '../../src/texts.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'
import { runs } from '../support/runs.ts'
import {
  answered,
  catalog,
  type Draft,
  pagesOf,
  sent,
  siblingsOf,
  switched,
  tapped,
  typed,
  userFields,
} from '../support/users/walk.ts'

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

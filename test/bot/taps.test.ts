// The declared taps: the handler of a tap gets exactly what its button carries, and buttons in old messages keep working.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/catalog/model.ts'
import { personaNames } from '../../src/catalog/text-models.ts'
import { modeNames } from '../../src/catalog/text-modes.ts'
import { audiences } from '../../src/operator/broadcasts.ts'
import { historyFilters, resultUses, type Tap, tap, taps, text } from '../../src/telegram/taps.ts'
import { locales } from '../../src/texts.ts'
import { anyText } from '../support/any-text.ts'
import { childOf, childrenOf, type Node, nameOf, propertyOf, sources } from '../support/project/source.ts'
import { wire } from '../support/telegram/tap-data.ts'

const declared = Object.entries<Tap<Record<string, unknown>>>(taps)
const parsersOf = (data: string) => declared.filter(([, { parse }]) => parse(data)).map(([name]) => name)

describe('the wire format', () => {
  it('every tap is parsed from its data, by no other tap, and its builder writes the same data', () => {
    for (const [name, data] of Object.entries(wire)) {
      const [, one] = declared.find(([other]) => other === name) ?? []
      const args = one?.parse(data)
      expect([name, args && one?.data(args)]).toEqual([name, data])
      expect(parsersOf(data)).toEqual([name])
    }
  })
})

const id = fc.stringMatching(/^[a-z0-9]{10}$/)
const freeText = (maxLength: number) => anyText({ minLength: 1, maxLength })
/** All values of each argument, by its name. */
const argumentValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  draftId: id,
  quoteId: id,
  generationId: id,
  turnId: id,
  topUpId: id,
  broadcastId: id,
  reportId: id,
  presetId: id,
  field: fc.stringMatching(/^[\w.-]{1,40}$/),
  value: freeText(24),
  version: fc.stringMatching(/^\d{4}-\d\d(-\d\d)?$/),
  modelId: fc.stringMatching(/^[\w.-]{1,40}$/),
  name: freeText(25),
  command: fc.constantFrom(...commands),
  locale: fc.constantFrom(...locales),
  choice: fc.constantFrom('usual', 'length-short'),
  mode: fc.constantFrom(...modeNames),
  persona: fc.constantFrom(...personaNames),
  use: fc.constantFrom('summary', 'ask', 'speech'),
  as: fc.constantFrom('frames', 'references'),
  change: fc.constantFrom('replace', 'add'),
  shape: fc.constantFrom('-', '16x9'),
  verb: fc.constantFrom('grant', 'debit', 'ban', 'unban'),
  decision: fc.constantFrom('yes', 'no'),
  step: fc.constantFrom('ask', 'start', 'pause', 'edit', 'stop'),
  spoken: fc.constantFrom('any', ...locales),
  setting: fc.constantFrom('source', 'days', 'button', 'time'),
  to: fc.constantFrom('on', 'off'),
  way: fc.constantFrom('n', 'b', 'v'),
  page: fc.nat(999_999),
  messageId: fc.nat(999_999_999),
  position: fc.nat(99),
  next: fc.constantFrom(...resultUses),
  reason: fc.constantFrom('not-asked', 'quality', 'broken', 'words'),
  period: fc.constantFrom('today', '30', '2026-10', '2026-10-05', '2026-10-01..2026-10-15'),
  until: fc.nat(999_999_999_999_999),
  owner: fc.stringMatching(/^[0-9a-z]{1,12}$/),
  providerId: fc.stringMatching(/^[a-z-]{1,20}$/),
  amount: fc.bigInt(1n, 999_999_999_999n),
  userId: fc.bigInt(0n, 2n ** 63n - 1n),
  walletId: fc.bigInt(0n, 2n ** 63n - 1n),
  cap: fc.bigInt(0n, 999_999_999_999n),
  key: fc.stringMatching(/^[a-z0-9]{10}$/),
  payer: fc.constantFrom('own', 'group'),
  which: fc.constantFrom('shown', 'any'),
  rewriting: fc.constantFrom('improve', 'lyrics'),
  act: fc.constantFrom('show', 'take', 'own'),
  filter: fc.constantFrom(...historyFilters),
  audience: fc.constantFrom(...audiences),
  mark: fc.constantFrom('favourite', 'ordinary', 'hide', 'show'),
}

const namesIn = (format: string) => [...format.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const argumentsOf = (format: string) =>
  fc.record(
    Object.fromEntries(namesIn(format).map((name) => [name, argumentValues[name] ?? fc.constant(undefined)])),
  )

/** The callback data of the arguments, or undefined when they do not fit into 64 bytes. */
function dataOf({ data }: Tap<Record<string, unknown>>, args: Record<string, unknown>): string | undefined {
  try {
    return data(args)
  } catch (error) {
    expect(String(error)).toMatch(/takes \d+ bytes of 64/)
    return undefined
  }
}

describe('every tap', () => {
  it.each(declared)(
    '%s gives its handler the arguments of its button, within 64 bytes, and no other tap parses them',
    (name, one) => {
      const roundTrip = fc.property(argumentsOf(one.format), (args) => {
        const data = dataOf(one, args)
        fc.pre(data !== undefined)
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64)
        expect(one.parse(data)).toEqual(args)
        expect(parsersOf(data)).toEqual([name])
      })
      fc.assert(roundTrip, { numRuns: 20 })
      const [prefix = ''] = one.format.split('{')
      const anyData = fc.property(anyText({ maxLength: 64 }), (rest) => {
        const args = one.parse(prefix + rest)
        if (args) expect(one.parse(one.data(args))).toEqual(args)
      })
      fc.assert(anyData, { numRuns: 20 })
    },
  )
})

describe('the builder of a tap', () => {
  const free = tap('x:{words}', { words: text(/^.+$/s) })

  it('limits the data to 64 bytes, not characters', () => {
    expect(free.data({ words: 'я'.repeat(31) })).toBe(`x:${'я'.repeat(31)}`)
    expect(() => free.data({ words: 'я'.repeat(32) })).toThrow('takes 66 bytes of 64')
  })

  it('refuses arguments that the parser would refuse', () => {
    expect(() => taps.topUpAmount.data({ amount: -1n })).toThrow()
    expect(() => taps.generate.data({ quoteId: 'a:b' })).toThrow()
    expect(() => taps.historyPage.data({ page: 0.5, owner: 'a' })).toThrow()
  })
})

describe('the code in src', () => {
  const calls = sources.flatMap(({ nodes }) => nodes.filter(({ type }) => type === 'CallExpression'))
  /** The name of the tap: `generate` for the node `taps.generate`. */
  const tapIn = (node: Node) => (nameOf(childOf(node, 'object')) === 'taps' ? propertyOf(node) : undefined)
  /** Functions that register the handler of a tap, which is one of their arguments. */
  const registering = [
    'onTap',
    'onListTap',
    'onCardTap',
    'onPresetTap',
    'onStepTap',
    'onOfferTap',
    'onPrivateTap',
    'onWalletTap',
    'onSettingsTap',
    'waitForAnswerOrTap',
  ]

  it('registers one handler for every declared tap', () => {
    const handled = calls
      .filter((call) => registering.includes(nameOf(childOf(call, 'callee')) ?? ''))
      .flatMap((call) => childrenOf(call, 'arguments').flatMap((node) => tapIn(node) ?? []))
    expect(handled.toSorted()).toEqual(Object.keys(taps).toSorted())
  })

  it('draws a button for every declared tap', () => {
    const drawn = calls.flatMap((call) => {
      const callee = childOf(call, 'callee')
      const object = callee && childOf(callee, 'object')
      return propertyOf(callee) === 'data' && object ? (tapIn(object) ?? []) : []
    })
    // Only on messages of earlier versions.
    const retired = ['guideModel']
    expect([...new Set(drawn), ...retired].toSorted()).toEqual(Object.keys(taps).toSorted())
  })

  it('reads callback data only through the parser of a tap', () => {
    const outside = sources.filter(({ path }) => !path.startsWith('sandbox/'))
    const readers = outside.filter(({ text }) => /callback_data|\.callbackQuery\(/.test(text))
    expect(readers.map(({ path }) => path)).toEqual(['bot/context.ts'])
    const parsed = outside.filter(({ text }) => /callbackQuery\??\.data|query\?\.data/.test(text))
    expect(parsed.map(({ path }) => path)).toEqual([
      'bot/admin/rights.ts',
      'bot/context.ts',
      'bot/question.ts',
      'bot/routes.ts',
    ])
  })
})

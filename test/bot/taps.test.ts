// The declared taps: the handler of a tap gets exactly what its button carries, and buttons in old messages keep working.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resultUses, type Tap, tap, taps, text } from '../../src/telegram/taps.ts'
import { anyText } from '../support/any-text.ts'
import { childOf, childrenOf, type Node, nameOf, propertyOf, sources } from '../support/project/source.ts'
import { wire } from '../support/telegram/tap-data.ts'

const declared = Object.entries<Tap<Record<string, unknown>>>(taps)
const parsersOf = (data: string) => declared.filter(([, { parse }]) => parse(data)).map(([name]) => name)

it('every tap is parsed from its data in old messages, by no other tap, and its builder writes the same data', () => {
  for (const [name, data] of Object.entries(wire)) {
    const [, one] = declared.find(([other]) => other === name) ?? []
    const args = one?.parse(data)
    expect([name, args && one?.data(args)]).toEqual([name, data])
    expect(parsersOf(data)).toEqual([name])
  }
})

it('any data that a tap parses is written again with the same arguments', () => {
  for (const [, one] of declared) {
    const [prefix = ''] = one.format.split('{')
    const anyData = fc.property(anyText({ maxLength: 64 }), (rest) => {
      const args = one.parse(prefix + rest)
      if (args) expect(one.parse(one.data(args))).toEqual(args)
    })
    fc.assert(anyData, { numRuns: 20 })
  }
})

it('every use of a result is read from its button', () => {
  const { data, parse } = taps.useResult
  const button = { generationId: '0123456789', position: 99 }
  const read = resultUses.map((next) => parse(data({ ...button, next })))
  expect(read).toEqual(resultUses.map((next) => ({ ...button, next })))
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

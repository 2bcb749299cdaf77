// Hostile inputs, given to the functions that read them.

import { describe, expect, it } from 'vitest'
import { readChange } from '../../src/bot/admin/operator.ts'
import { number, visible as visibleIn } from '../../src/catalog/fields.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { readAnswer } from '../../src/form/answer.ts'
import { parseRoubles } from '../../src/money.ts'
import { type Tap, taps } from '../../src/telegram/taps.ts'
import { readEmail, shownName } from '../../src/users/user.ts'
import { wire } from '../support/telegram/tap-data.ts'
import { amounts, corrections, noAmounts, numbers } from './tables/numbers.ts'
import { junk, noIds, noNames, noNumbers, noOwners, noProviders, noWords } from './tables/taps.ts'
import { blank, emails, names, visible } from './tables/texts.ts'

it('parseRoubles reads amounts, and nothing else', () => {
  expect(amounts.filter(([text, kopecks]) => parseRoubles(text) !== kopecks)).toEqual([])
  expect(noAmounts.filter((text) => parseRoubles(text) !== undefined)).toEqual([])
})

it('readChange reads an amount and a reason, and nothing unclear', () => {
  expect(corrections.map(([text]) => [text, readChange(text)])).toEqual(corrections)
})

it('a text without a visible character is empty, and any other stays as it is', () => {
  expect(blank.filter((text) => visibleIn(text) !== '')).toEqual([])
  expect(visible.filter((text) => visibleIn(` ${text}\n`) !== text.trim())).toEqual([])
})

it('shownName returns the visible part of a name', () => {
  const wrong = names.filter(
    ([name, shown]) => shownName(name.toWellFormed().replaceAll('\0', ' ')) !== shown,
  )
  expect(wrong).toEqual([])
})

it('readEmail reads addresses that a receipt can be sent to, and nothing else', () => {
  expect(emails.filter(([typed, address]) => readEmail(typed.replaceAll('\0', ' ')) !== address)).toEqual([])
})

const common = { label: 'field-seed', audience: 'card' } as const
const whole = number('whole', { ...common, integer: true, min: 0, max: 1000 })
const fraction = number('fraction', { ...common, min: 0.5, max: 10 })

const read = (field: typeof whole | typeof fraction, input: string) => {
  const answer = readAnswer(videoReel, field, {}, input)
  return answer.ok ? answer.answer : answer.refusal.reason
}

it('readAnswer reads numbers for a field of whole numbers and for one of fractions, and nothing else', () => {
  expect(numbers.map(([text]) => [text, read(whole, text), read(fraction, text)])).toEqual(numbers)
})

const declared = Object.entries<Tap<Record<string, unknown>>>(taps)
const dataOf = new Map(Object.entries<string>(wire))
const parsersOf = (data: string) => declared.filter(([, { parse }]) => parse(data)).map(([name]) => name)

const refusedFor = (argument: string): readonly string[] => {
  if (/^(userId|walletId|messageId|amount|page|position|until|cap)$/.test(argument)) return noNumbers
  if (/Id$|^key$/.test(argument) && !/^(provider|model)Id$/.test(argument)) return noIds
  if (/^(field|step|modelId)$/.test(argument)) return noNames
  if (argument === 'providerId') return noProviders
  if (argument === 'owner') return noOwners
  return noWords
}

/** Whether an argument accepts any text. */
const isFree = (tap: string, argument: string) =>
  argument === 'value' ||
  /^((chatModel|sellText|stopText|askBy) modelId|setSwitch name)$/.test(`${tap} ${argument}`)

/** The valid data of a tap, each time with one argument replaced by a hostile value. */
function spoilt(tap: string, format: string): readonly string[] {
  const names = [...format.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${format.replaceAll(/\{(\w+)\}/g, '(?<$1>[^:]*?)').replace(/\*\?\)$/, '*)')}$`)
  const { groups = {} } = pattern.exec(dataOf.get(tap) ?? '') ?? {}
  return names
    .filter((name) => !isFree(tap, name))
    .flatMap((name) =>
      refusedFor(name).map((value) =>
        format.replaceAll(/\{(\w+)\}/g, (_, other: string) =>
          other === name ? value : (groups[other] ?? ''),
        ),
      ),
    )
}

const hostile = declared.flatMap(([name, { format }]) => spoilt(name, format))

describe('the parsers of callback data', () => {
  it('refuse more than two thousand hostile values, put into each argument of each tap', () => {
    expect(hostile.length).toBeGreaterThan(2000)
    expect(hostile.filter((one) => parsersOf(one).length > 0)).toEqual([])
  })

  it('refuse data that no button has', () => {
    expect(junk.filter((data) => parsersOf(data).length > 0)).toEqual([])
  })
})

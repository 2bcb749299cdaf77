// Hostile callback data, tried with the parsers: hostile values of every argument of every declared tap, and data that no button has.
// test/bot/foreign-taps.test.ts tries valid data about rows of other users.

import { describe, expect, it } from 'vitest'
import { type Tap, taps } from '../../src/telegram/taps.ts'
import { wire } from '../support/telegram/tap-data.ts'
import { junk, noIds, noNames, noNumbers, noOwners, noProviders, noWords } from './tables/taps.ts'

const declared = Object.entries<Tap<Record<string, unknown>>>(taps)
const dataOf = new Map(Object.entries<string>(wire))
const parsersOf = (data: string) => declared.filter(([, { parse }]) => parse(data)).map(([name]) => name)

const refusedFor = (argument: string): readonly string[] => {
  if (/^(userId|walletId|messageId|amount|page|position|until|days|cap)$/.test(argument)) return noNumbers
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

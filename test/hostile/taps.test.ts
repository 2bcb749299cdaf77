// Hostile callback data, tried with the parsers and in the chat: hostile values of every argument of every declared tap, and data that no
// button has. test/bot/foreign-taps.test.ts tries valid data about rows of other users.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Tap, taps } from '../../src/telegram/taps.ts'
import { wire } from '../support/telegram/tap-data.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
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
  /^((chatModel|sellText|stopText) modelId|setSwitch name)$/.test(`${tap} ${argument}`)

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

const rows = declared.map(([name, { format }]) => ({ name, data: spoilt(name, format) }))

describe('the parsers of callback data', () => {
  it('are tried with more than two thousand hostile values', () => {
    expect(rows.flatMap(({ data }) => data).length).toBeGreaterThan(2000)
  })

  it.each(rows)('refuse hostile values of each argument of $name', ({ data }) => {
    expect(data.filter((one) => parsersOf(one).length > 0)).toEqual([])
  })

  it.each(junk)('refuse %j', (data) => {
    expect(parsersOf(data)).toEqual([])
  })
})

describe('a tap in the chat', () => {
  /** Data about rows that do not exist, and data that no button has. */
  const tapped = [...junk, ...Object.values<string>(wire)].filter((data) => data !== wire.deleteDataNow)
  const data = tapped.map((name) => ({ name }))
  const notices = new Map<string, string | undefined>()
  let chat: HostileChat
  beforeAll(async () => {
    chat = await openHostileChat()
    const queries = new Map<string, string>()
    const people = new Set<SandboxUser>()
    await chat.answersTo(data, async (user, { name }) => {
      people.add(user)
      const { callback_query_id: id = '' } = await user.tapsData(1, name)
      queries.set(id, name)
    })
    for (const answers of await Promise.all([...people].map((user) => user.answers()))) {
      for (const { callback_query_id: id, text } of answers) notices.set(queries.get(id) ?? '', text ?? '')
    }
  })
  afterAll(async () => {
    await chat.isWell()
    await chat.close()
  })

  it.each(junk)('with the data %j is answered as an outdated button', (name) => {
    expect(notices.get(name)).toMatch(/no longer works|outdated/)
  })

  it.each(data)('with the data $name is answered without an error', ({ name }) => {
    expect(notices.has(name)).toBe(true)
    expect(notices.get(name)).not.toMatch(/went wrong/)
  })
})

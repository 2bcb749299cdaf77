// Typed taps: the handler of a tap gets exactly what its button carries, and buttons in old messages keep working. A client can send any
// callback data about any message that it sees: no such tap may change messages or rows of other users, in a group or in private.

import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  conversations,
  drafts,
  generations,
  presets,
  quotes,
  reports,
  topUps,
  turns,
  users,
} from '../../src/db/schema.ts'
import { savePreset } from '../../src/orders/drafts.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { resultUses, type Tap, tap, taps, text } from '../../src/telegram/taps.ts'
import { anyText } from '../support/any-text.ts'
import { childOf, childrenOf, type Node, nameOf, propertyOf, sources } from '../support/project/source.ts'
import { wire } from '../support/telegram/tap-data.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, type Wanted } from '../support/users/user.ts'

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
    'onTapBeside',
    'onOfferTap',
    'onPrivateTap',
    'onWalletTap',
    'onSettings',
    'onShownSettings',
    'waitForAnswerOrTap',
  ]

  it('registers one handler for every declared tap', () => {
    const handled = calls
      .filter((call) => registering.includes(nameOf(childOf(call, 'callee')) ?? ''))
      .flatMap((call) => childrenOf(call, 'arguments').flatMap((node) => tapIn(node) ?? []))
    expect(handled.toSorted()).toEqual(Object.keys(taps).toSorted())
  })

  it('draws a button for every declared tap', () => {
    const drawn = sources.flatMap(({ nodes }) =>
      nodes.flatMap((node) => {
        // `taps.generate.data(…)`, or `tap: taps.drop` in a table of buttons.
        const isInTable = node.type === 'Property' && nameOf(childOf(node, 'key')) === 'tap'
        const tap = isInTable ? childOf(node, 'value') : childOf(node, 'object')
        return tap && (isInTable || propertyOf(node) === 'data') ? (tapIn(tap) ?? []) : []
      }),
    )
    // Only on messages of earlier versions.
    const retired = ['guideModel', 'guideDrop', 'historyPage', 'openReceipt']
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

/** The rows of a user, by the names of the arguments in the formats of taps. */
interface Ids {
  readonly draftId: string
  readonly quoteId: string
  readonly generationId: string
  readonly turnId: string
  readonly presetId: string
  readonly topUpId: string
  /** The user's id as the buttons of a list of orders contain it. */
  readonly owner: string
}

const wired: Readonly<Record<string, string>> = wire

/** Callback data for every declared tap about these rows, and some data that no tap parses. */
function dataWith(ids: object): readonly string[] {
  const named = Object.entries<Tap<Record<string, unknown>>>(taps).map(([name, tap]) => {
    const args = tap.parse(wired[name] ?? '') ?? {}
    const own = Object.entries({ ...ids, until: Date.now() + 60_000 }).filter(([key]) => key in args)
    return tap.data({ ...args, ...Object.fromEntries(own) })
  })
  return [...named, 'nonsense', 'cg:add', 'cd:ask', 'ad:u:999999999999999999999']
}

/** Callback data of the buttons that edit, delete or order something; its ids are those of the user's own rows. */
const changingDataWith = ({ draftId: draft, quoteId: quote, owner }: Ids): readonly string[] =>
  `c:${draft}:b c:${draft}:d c:${draft}:o:duration c:${draft}:v c:${draft}:n c:${draft}:a:duration
  q:${quote} w k u:video h:0:${owner} hl:all:0:${owner} l:ru d0 ch:models ch:back`.split(/\s+/)

const targetNames = [
  'a result',
  'an answer',
  'a list of orders',
  'settings',
  'settings of the chat',
  'a card',
  'a question',
] as const
type TargetName = (typeof targetNames)[number]

const sandbox = await sharedSandbox()
let anna: SandboxUser
let groupId: number
/** Messages for Anna in the group. */
const targets = new Map<TargetName, SandboxMessage>()
let ids: Ids
const strangers: SandboxUser[] = []

const isBots = ({ from }: SandboxMessage) => from?.is_bot === true
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))

/** A member of the group who has not tapped yet, since the flood limit allows a few dozen taps each. */
function nextStranger(): SandboxUser {
  const one = strangers.pop()
  if (!one) throw new Error('more strangers are needed')
  return one.in(groupId)
}

beforeAll(async () => {
  const host = await sandbox.user('Host')
  const member = await sandbox.user('Anna')
  for (let at = 0; at < 28; at += 1) strangers.push(await sandbox.user(`Stranger ${at}`))
  const members = [host.id, member.id, ...strangers.map(({ id }) => id)]
  groupId = (await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members })).id
  anna = member.in(groupId)
  await setTargets()
  const alone = anna.in(anna.id)
  await alone.opens('/topup 500', /Stars/)
  await alone.sees(({ invoice }) => invoice !== undefined)
  const { db } = sandbox.app
  const userId = BigInt(parseInt((await idsOf(anna)).owner, 36))
  const preset = { userId, modelId: 'MODEL-VIDEO-REEL', name: 'a preset of Anna' }
  const deps = { db, clock: systemClock, ids: randomIds }
  await savePreset(deps, { ...preset, answers: { prompt: 'a secret of Anna' } })
  ids = await idsOf(anna)
})

/** Lets the bot send one message of each kind whose buttons change something, and keeps these messages. */
async function setTargets(): Promise<void> {
  const keep = async (name: TargetName, wanted: Wanted) => {
    targets.set(name, await anna.sees(wanted))
  }
  await anna.opens('/image a fox', /^Generate/)
  await keep('a result', ({ photo }) => photo !== undefined)
  await anna.sends('/chat hello [short]')
  await keep(
    'an answer',
    (message) => isBots(message) && labelsOf(message).includes('🔁 Again') && !message.photo,
  )
  await anna.sends('/history')
  await keep('a list of orders', /Your orders/)
  await anna.sends('/settings')
  await keep('settings', 'Язык / Language')
  await anna.sends('/model')
  await keep('settings of the chat', /million tokens/)
  await anna.sends('/video a cat')
  await keep('a card', isCard)
  await anna.sends('/video')
  await keep('a question', /Write the answer/)
}

const unusedId = '0123456789'

async function idsOf({ id }: SandboxUser): Promise<Ids> {
  const { db } = sandbox.app
  const user = (await db.select().from(users)).find(({ telegramId }) => telegramId === id)
  const first = async (
    table: typeof drafts | typeof quotes | typeof generations | typeof turns | typeof presets | typeof topUps,
    where?: SQL,
  ) =>
    (
      await db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.userId, user?.id ?? 0n), where))
    )[0]?.id ?? unusedId
  const draftId = await first(drafts, and(eq(drafts.state, 'open'), isNotNull(drafts.cardMessageId)))
  return {
    draftId,
    quoteId: await first(quotes, eq(quotes.draftId, draftId)),
    generationId: await first(generations),
    turnId: await first(turns),
    presetId: await first(presets),
    topUpId: await first(topUps),
    owner: (user?.id ?? 0n).toString(36),
  }
}

/** Anna's messages as the group shows them, her drafts and top-ups, and what all users have of other rows. */
async function standing() {
  const { db } = sandbox.app
  const own = [...targets.values()].map(({ message_id }) => message_id)
  const shown = (await anna.chat()).filter(({ message_id }) => own.includes(message_id))
  const userId = BigInt(parseInt(ids.owner, 36))
  const ownDrafts = await db.select().from(drafts).where(eq(drafts.userId, userId))
  const ownTopUps = await db.select().from(topUps).where(eq(topUps.userId, userId))
  const tables = [generations, conversations, presets, reports]
  const rows = await Promise.all(tables.map((table) => db.select().from(table)))
  return { shown, ownDrafts, ownTopUps, rows }
}

/** Taps all data and waits until the last tap is handled: the updates of a chat are handled in order. */
async function tapsAll(by: SandboxUser, target: TargetName, data: readonly string[]): Promise<void> {
  const { message_id = 0 } = targets.get(target) ?? {}
  for (const one of data) await by.tapsData(message_id, one)
  const { message_id: last } = await by.sends('/settings')
  await by.sees(({ message_id: id, text }) => id > last && text?.includes('Язык / Language') === true)
}

/** Splits the data into lists short enough for one user to tap without reaching the flood limit. */
function portions(data: readonly string[]): (readonly string[])[] {
  const most = 26
  return data.length === 0 ? [] : [data.slice(0, most), ...portions(data.slice(most))]
}

it('no tap with the data of another user in a group changes anything', async () => {
  expect(Object.values(ids)).not.toContain(unusedId)
  expect([...targets.keys()]).toEqual(targetNames)
  const before = await standing()
  const isOfResult = (one: string) => one.includes(ids.generationId) || one.includes(ids.turnId)
  const data = dataWith(ids)
  for (const part of portions(data.filter(isOfResult))) await tapsAll(nextStranger(), 'a result', part)
  for (const part of portions(data.filter((one) => !isOfResult(one))))
    await tapsAll(nextStranger(), 'a card', part)
  expect(await standing()).toEqual(before)
})

describe('in the private chat of a stranger,', () => {
  const secrets = /a fox|a cat|hello \[short\]|a secret of Anna|a preset of Anna/

  /** Taps on a stranger's own card. @returns everything that the stranger reads */
  async function tapsOnOwnCard(data: (ownDraft: string) => readonly string[]): Promise<string> {
    const boris = nextStranger()
    const alone = boris.in(boris.id)
    const { message_id: card } = await alone.asks('/image my own', /Prompt: my own/)
    await expect.poll(async () => (await idsOf(alone)).draftId).not.toBe(unusedId)
    for (const one of data((await idsOf(alone)).draftId)) await alone.tapsData(card, one)
    const { message_id: last } = await alone.sends('/language')
    await alone.sees(({ message_id: id, from }) => id > last && from?.is_bot === true)
    return `${await alone.transcript()}\n${JSON.stringify(await alone.answers())}`
  }

  it("no tap with the data of another user's rows changes or reveals anything, nor does their preset on an own card", async () => {
    const before = await standing()
    for (const data of portions(dataWith(ids)))
      expect(await tapsOnOwnCard((draft) => [...data, `c:${draft}:u:${ids.presetId}`])).not.toMatch(secrets)
    expect(await standing()).toEqual(before)
  })

  it('no command reveals an invoice, an order or another user', async () => {
    const boris = nextStranger()
    const own = boris.in(boris.id)
    const before = await standing()
    const commands = [
      `/start topup-${ids.topUpId}`,
      `/refund ${ids.generationId}`,
      '/grant #1 500 bonus',
      '/user 1',
    ]
    for (const command of commands) {
      expect((await own.asks(command, /./)).text).toMatch(/^👋 Hello|^👛|don’t know this command/)
    }
    expect(await own.transcript()).not.toMatch(secrets)
    expect(await standing()).toEqual(before)
  })
})

describe("with the data of a user's own rows,", () => {
  it.each(targetNames)('no tap changes %s of another user', async (target) => {
    const boris = nextStranger()
    await boris.asks(`/video a dog for ${target}`, `Prompt: a dog for ${target}`)
    // The id of the card's message is stored after the message is shown.
    await expect.poll(async () => (await idsOf(boris)).draftId).not.toBe(unusedId)
    const own = await idsOf(boris)
    const before = await standing()
    await tapsAll(boris, target, changingDataWith(own))
    expect(await standing()).toEqual(before)
  })

  it("a tap does not open the user's receipt in a message of another user", async () => {
    const boris = nextStranger()
    await boris.asks('/image an owl', /Prompt: an owl/)
    await boris.tapsFor('Generate · ₽5.28', (message) => /an owl/.test(message.caption ?? ''))
    const { generationId } = await idsOf(boris)
    const before = await standing()
    await tapsAll(boris, 'a card', [`hg:${generationId}:0`])
    expect((await standing()).shown).toEqual(before.shown)
  })
})

// The money of an answer: its maximum price is held, the price of its tokens is captured, and the capture never exceeds the hold.

import { eq } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { settleAbandoned } from '../../src/chat/answer.ts'
import {
  changeConversation,
  findConversation,
  openConversation,
  spentIn,
  startOver,
  type Turn,
} from '../../src/chat/conversations.ts'
import { claimAnswers } from '../../src/chat/deliveries.ts'
import { beginTurn, costOf, type HoldDeps } from '../../src/chat/hold.ts'
import type { AnswerTexts } from '../../src/chat/parts.ts'
import { saidIn } from '../../src/chat/past.ts'
import { readSituation } from '../../src/chat/situation.ts'
import { type Outcome, saveProgress, setAnswerMessage, settleAnswer } from '../../src/chat/turns.ts'
import { accounts, turns } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'
import { walletWith } from '../support/worlds/wallets.ts'

let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld('postgres')
})
afterAll(async () => {
  expect(await audit(world.deps.db)).toEqual([])
  await world.close()
})

// 1 kopeck per 100 input tokens and per 10 output tokens.
const [model] = textModelList.parse([
  { id: 'T', family: 'gpt', rates: { input: '100', output: '1000' }, maxOutput: 4000 },
]) as [TextModel]

let nextUpdate = 1

async function asks(
  userId: bigint,
  change: { inputTokens?: number; messageId?: number; model?: TextModel; updateId?: number } = {},
  deps: HoldDeps = world.deps,
) {
  const { db, clock } = world.deps
  const where = { userId, chatId: Number(userId), topicId: 0 }
  const fresh = { id: randomIds.next(), modelId: 'T', system: null, modes: noModes }
  const conversation = await openConversation(db, { ...where, ...fresh }, clock.now())
  const facts = { inputTokens: 1000, messageId: 1, updateId: nextUpdate++, leastOutput: 200, ...change }
  return beginTurn(deps, {
    id: randomIds.next(),
    conversation,
    userId,
    model,
    text: 'How?',
    files: [],
    ...facts,
  })
}

const outcome = (change: Partial<Outcome> = {}): Outcome => ({
  state: 'done',
  failure: null,
  text: 'So.',
  thinking: '',
  sources: [],
  inputTokens: 1000,
  outputTokens: 100,
  isEstimate: false,
  rates: null,
  captured: 20n,
  ...change,
})

async function begun(userId: bigint) {
  const one = await asks(userId)
  if (!one.ok) throw new Error(one.reason)
  return one
}

const ends = (turn: Turn, how = outcome(), lease = turn.lease ?? '') =>
  settleAnswer(world.deps, turn, {
    outcome: how,
    parts: [{ kind: 'text', text: how.text, entities: [] }],
    lease,
  })

const texts: AnswerTexts = { thinking: 'Thinking', sources: 'Sources', note: ({ about }) => about }

const pastOf = async (userId: bigint) =>
  (await readSituation(world.deps, userId, { chatId: Number(userId), topicId: 0 })).past

const balance = (id: bigint) => readBalance(world.deps.db, id)

it.each([
  ['the price of the longest answer', 1000n, 410n, 4000],
  ['the whole of a low balance, exact to the kopeck, for a shorter answer', 100n, 100n, 900],
])('a question holds %s', async (_, credit, held, longest) => {
  const { id } = await userWith(world, credit)
  const { turn, maxOutput } = await begun(id)
  expect([turn.amount, maxOutput]).toEqual([held, longest])
  expect(await balance(id)).toMatchObject({ available: credit - held, held })
  await ends(turn)
  expect(await balance(id)).toMatchObject({ available: credit - 20n, held: 0n })
  expect(await asks(id, { updateId: turn.updateId ?? 0 })).toEqual({ ok: false, reason: 'asked-before' })
})

it.each([
  ['is limited to what the question leaves of the context', 30_000, 2000],
  ['has its least length after a question that leaves less', 31_900, 200],
])('an answer %s', async (_, inputTokens, longest) => {
  const { id } = await userWith(world, 10_000n)
  const asked = await asks(id, { inputTokens })
  expect(asked).toMatchObject({ ok: true, maxOutput: longest })
  if (!asked.ok) throw new Error(asked.reason)
  expect(asked.turn.amount).toBe(costOf(model, inputTokens, longest))
  await ends(asked.turn)
})

it('a question is refused with the amount that is missing for the shortest answer, and without rates', async () => {
  const { id } = await userWith(world, 29n)
  expect(await asks(id)).toEqual({ ok: false, reason: 'insufficient', missing: 1n })
  const { rates: _, ...free } = model
  expect(costOf(free, 1, 1)).toBeUndefined()
  expect(await asks(id, { model: free })).toEqual({ ok: false, reason: 'unpriced' })
  expect(await balance(id)).toMatchObject({ available: 29n, held: 0n })
})

it('a question holds nothing when the account of its user was closed meanwhile', async () => {
  const { id } = await userWith(world, 1000n)
  await world.deps.db.update(accounts).set({ isOn: false }).where(eq(accounts.ownerId, id))
  await expect(asks(id)).rejects.toThrow('closed')
})

const rowOf = async ({ id }: Turn) => (await world.deps.db.select().from(turns).where(eq(turns.id, id)))[0]

it('the returned turn equals its row, whose files and sources are JSON lists', async () => {
  const { id } = await userWith(world, 1000n)
  const { turn } = await begun(id)
  expect(turn).toEqual(await rowOf(turn))
  const sources = [{ url: 'https://example.com/', title: 'An "example"' }]
  const settled = await ends(turn, outcome({ sources, thinking: 'Hm' }))
  expect(settled).toMatchObject({ files: [], sources })
  expect(await saveProgress(world.deps, turn, { text: 'S', thinking: '' })).toBe(false)
  expect(settled).toEqual(await rowOf(turn))
})

it('a process that has lost the lease does not store the message of an answer', async () => {
  const { id } = await userWith(world, 1000n)
  const { turn } = await begun(id)
  await setAnswerMessage(world.deps.db, turn, 76)
  await ends(turn, outcome(), 'other')
  await setAnswerMessage(world.deps.db, turn, 77)
  expect(await rowOf(turn)).toMatchObject({ answerMessageId: 76 })
})

describe('the settlement of a turn', () => {
  it.each([
    ['the price of the used tokens', outcome(), 20n],
    ['at most the held amount', outcome({ captured: 9999n }), 410n],
    ['nothing for a failure', outcome({ state: 'failed', captured: 0n }), 0n],
    ['the whole held amount', outcome({ captured: 410n }), 410n],
  ])('captures %s, and leaves a wallet of the user alone', async (_, how, taken) => {
    const { id } = (await walletWith(world, 5000n)).owner
    const { turn } = await begun(id)
    expect((await ends(turn, how))?.captured).toBe(taken)
    expect(await balance(id)).toMatchObject({ available: 1000n - taken, held: 0n })
  })

  it('happens once when several processes attempt it', async () => {
    const { id } = await userWith(world, 1000n)
    const { turn } = await begun(id)
    const leases = ['a', 'b', 'c', 'd', 'e']
    const ended = await Promise.all(leases.map((lease) => ends(turn, outcome(), lease)))
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(await balance(id)).toMatchObject({ available: 980n, held: 0n })
  })

  it('stores a text without the characters that a JSON column cannot store', async () => {
    const { id } = await userWith(world, 1000n)
    const { turn } = await begun(id)
    const ended = await ends(
      turn,
      outcome({ text: 'a\ud83d', sources: [{ url: 'https://example.com/', title: 'nul \0' }] }),
    )
    expect(ended).toMatchObject({ parts: [{ text: 'a\ufffd' }], sources: [{ title: 'nul ' }] })
  })
})

describe('the daily limit', () => {
  const limited = (dailySpend: bigint) => ({ ...world.deps, limits: { ...world.deps.limits, dailySpend } })

  it('shortens the answer, and refuses a question when it is used up', async () => {
    const { id } = await userWith(world, 1000n)
    const first = await asks(id, {}, limited(60n))
    expect(first).toMatchObject({ ok: true, maxOutput: 500, turn: { amount: 60n } })
    expect(await asks(id, { messageId: 2 }, limited(60n))).toEqual({
      ok: false,
      reason: 'daily-cap',
      most: 60n,
      spent: 60n,
    })
    if (first.ok) await ends(first.turn)
    expect(await asks(id, { messageId: 3 }, limited(49n))).toMatchObject({ reason: 'daily-cap', spent: 20n })
    world.clock.advance(24 * 60 * 60_000 + 1)
    const later = await asks(id, { messageId: 4 }, limited(49n))
    expect(later.ok).toBe(true)
    if (later.ok) await ends(later.turn)
  })

  it('is not exceeded by two questions whose statements began before either of them held money', async () => {
    const { id } = await userWith(world, 1000n)
    const ask = (messageId: number) => asks(id, { messageId }, limited(50n))
    const both = await whileLocked(id, 2, () => Promise.all([ask(1), ask(2)]))
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    for (const one of both) if (one.ok) await ends(one.turn)
  })
})

it('two simultaneous questions cannot spend the same money', async () => {
  const { id } = await userWith(world, 40n)
  const both = await Promise.all([asks(id, { messageId: 1 }), asks(id, { messageId: 2 })])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  const { available, held } = await balance(id)
  expect(available + held).toBe(40n)
  for (const one of both) if (one.ok) await ends(one.turn)
})

/** Changes the balance, runs `work`, and commits the change once `waiters` statements wait for it. */
async function whileLocked<T>(userId: bigint, waiters: number, work: () => Promise<T>): Promise<T> {
  const sql = postgres(world.database.url, { max: 1, onnotice: () => undefined })
  await sql`begin`
  await sql`update accounts set available = available where kind = 'user' and owner_id = ${String(userId)}`
  const working = work()
  await lockWaits(world.deps.db, waiters)
  await sql`commit`
  await sql.end()
  return working
}

it('a question holds its price although the balance changes meanwhile', async () => {
  const { id } = await userWith(world, 1000n)
  const asked = await whileLocked(id, 1, () => asks(id))
  expect(asked).toMatchObject({ ok: true, maxOutput: 4000 })
  if (asked.ok) await ends(asked.turn)
})

const unused = { inputTokens: 0, outputTokens: 0 }
it.each([
  [
    'is counted by its saved text, and free',
    `**${'x'.repeat(3498)}`,
    model,
    { state: 'stopped', outputTokens: 558, parts: [{ text: 'x'.repeat(3498) }, { text: 'broken' }] },
  ],
  ['is free before its first word', '', model, {}],
  ['is free when its model is no longer offered', 'So.', undefined, { state: 'stopped', ...unused }],
])('an answer whose process died %s', async (_, saved, offered, facts) => {
  const { id } = await userWith(world, 1000n)
  const { turn } = await begun(id)
  if (saved) await saveProgress(world.deps, turn, { text: saved, thinking: '' })
  const claimed = async () =>
    (await claimAnswers(world.deps.db, claimNow(world.deps, 100, 100))).find((one) => one.id === turn.id)
  expect(await claimed()).toBeUndefined()
  world.clock.advance(leaseMs + 1)
  const left = await claimed()
  if (!left) return expect.unreachable('its lease has expired')
  await settleAbandoned(world.deps, left, offered, texts)
  expect(await rowOf(turn)).toMatchObject({ isEstimate: true, captured: 0n, ...facts })
  expect(await balance(id)).toMatchObject({ available: 1000n, held: 0n })
})

it('of several answers to a repeated question, the conversation contains only the last', async () => {
  const { id } = await userWith(world, 2000n)
  for (const text of ['first', 'second']) {
    const { turn } = await begun(id)
    await ends(turn, outcome({ text }))
    world.clock.advance(1000)
  }
  const [{ conversationId } = { conversationId: '' }] = await world.deps.db
    .select()
    .from(turns)
    .where(eq(turns.userId, id))
  const past = await pastOf(id)
  expect(past.map(({ answer }) => answer)).toEqual(['first', 'second'])
  expect(saidIn(past, null, new Map()).map(({ text }) => text)).toEqual(['How?', 'second'])
  expect(saidIn(past, 1, new Map())).toEqual([])
  expect(await spentIn(world.deps.db, conversationId)).toMatchObject({
    turns: 2,
    captured: 40n,
    outputTokens: 200,
  })
})

it('an undeliverable answer stays in the conversation if a part of it is in the chat', async () => {
  const { id } = await userWith(world, 2000n)
  for (const sent of [0, 1]) {
    const { turn } = await begun(id)
    await ends(turn, outcome({ text: `${sent} sent`, captured: 0n }))
    await world.deps.db.update(turns).set({ delivery: 'undeliverable', sent }).where(eq(turns.id, turn.id))
  }
  expect((await pastOf(id)).map(({ answer }) => answer)).toEqual(['1 sent'])
})

it('starting over keeps the settings, and concurrent calls open one conversation', async () => {
  const { id } = await userWith(world, 1000n)
  const { turn } = await begun(id)
  await ends(turn)
  const { db, clock } = world.deps
  const modes = { ...noModes, search: true }
  const conversation = await changeConversation(db, turn.conversationId, { system: 'Be brief', modes })
  if (!conversation) return expect.unreachable('it is open')
  await Promise.all(['n1', 'n2', 'n3'].map((fresh) => startOver(db, conversation, fresh, clock.now())))
  const open = await findConversation(db, conversation)
  expect(open).toMatchObject({ userId: id, modelId: 'T', system: 'Be brief', modes, closedAt: null })
  expect(open?.id).not.toBe(conversation.id)
  expect(await pastOf(id)).toEqual([])
})

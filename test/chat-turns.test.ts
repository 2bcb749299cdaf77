// The money of an answer: the most it can cost is held, what it used is taken, and never more than was held.

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TextModel, textModelList } from '../src/catalog/text-models.ts'
import { outcomeOfAbandoned } from '../src/chat/answer.ts'
import { noModes, openThread, pastOf, spentIn } from '../src/chat/threads.ts'
import {
  abandonedTurns,
  beginTurn,
  costOf,
  endTurn,
  keep,
  leaseMs,
  type Outcome,
  type TurnDeps,
} from '../src/chat/turns.ts'
import { turns } from '../src/db/schema.ts'
import { randomIds } from '../src/ids.ts'
import { audit } from '../src/ledger/audit.ts'
import { readBalance } from '../src/ledger/ledger.ts'
import { createWorld, userWith, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld('postgres')
})
afterAll(() => world.close())
afterEach(async () => expect(await audit(world.deps.db)).toEqual([]))

// 1 kopeck for each 100 tokens of input, for each 10 of output.
const [model] = textModelList.parse([
  { id: 'T', family: 'gpt', rates: { input: '100', output: '1000' }, maxOutput: 4000 },
]) as [TextModel]

let nextUpdate = 1

async function asks(
  userId: bigint,
  change: { inputTokens?: number; messageId?: number } = {},
  deps: TurnDeps = world.deps,
) {
  const { db, clock } = world.deps
  const thread = await openThread(
    db,
    {
      id: randomIds.next(),
      userId,
      chatId: Number(userId),
      topicId: 0,
      modelId: 'T',
      system: null,
      modes: noModes,
    },
    clock.now(),
  )
  const facts = { inputTokens: 1000, messageId: 1, updateId: nextUpdate++, ...change }
  return beginTurn(deps, {
    ...{ id: randomIds.next(), thread, userId, model, text: 'How?', files: [], leastOutput: 200 },
    ...facts,
  })
}

const outcome = (change: Partial<Outcome> = {}): Outcome => ({
  ...{ state: 'done', text: 'So.', thinking: '', sources: [], inputTokens: 1000, outputTokens: 100 },
  ...{ isEstimate: false, captured: 20n },
  ...change,
})

async function begun(userId: bigint) {
  const one = await asks(userId)
  if (!one.ok) throw new Error(one.reason)
  return one
}

const balance = (id: bigint) => readBalance(world.deps.db, id)

it('holds for the longest answer', async () => {
  const { id } = await userWith(world, 1000n)
  const { turn, maxOutput } = await begun(id)
  expect([turn.amount, maxOutput]).toEqual([410n, 4000])
  expect(await balance(id)).toMatchObject({ available: 590n, held: 410n })
  await endTurn(world.deps, turn, outcome())
})

it('holds for a shorter one when there is less, to the kopeck', async () => {
  const { id } = await userWith(world, 100n)
  const { turn, maxOutput } = await begun(id)
  expect([turn.amount, maxOutput]).toEqual([100n, 900])
  await endTurn(world.deps, turn, outcome())
  expect(await balance(id)).toMatchObject({ available: 80n, held: 0n })
})

it('says how much is missing for the shortest', async () => {
  const { id } = await userWith(world, 29n)
  expect(await asks(id)).toEqual({ ok: false, reason: 'insufficient', missing: 1n })
  expect(await balance(id)).toMatchObject({ available: 29n, held: 0n })
})

it('refuses without a price', async () => {
  const { id } = await userWith(world, 1000n)
  const { rates: _, ...free } = model
  expect(costOf(free, 1, 1)).toBeUndefined()
  const begins = beginTurn(world.deps, {
    ...{
      id: 'x',
      userId: id,
      model: free,
      text: '',
      files: [],
      messageId: 1,
      updateId: nextUpdate++,
      inputTokens: 1,
      leastOutput: 1,
    },
    thread: { id: 't' } as never,
  })
  expect(await begins).toEqual({ ok: false, reason: 'unpriced' })
})

it('keeps files and sources as lists, not as the text of one', async () => {
  const { id } = await userWith(world, 1000n)
  const sources = [{ url: 'https://example.com/', title: 'An "example"' }]
  const { turn } = await begun(id)
  expect(turn.files).toEqual([])
  expect((await endTurn(world.deps, turn, outcome({ sources })))?.sources).toEqual(sources)
})

describe('settles', () => {
  it.each([
    ['by what was used', outcome(), 20n],
    ['never above the hold', outcome({ captured: 9999n }), 410n],
    ['nothing for a failure', outcome({ state: 'failed', captured: 0n }), 0n],
    ['all of the hold', outcome({ captured: 410n }), 410n],
  ])('%s', async (_, how, taken) => {
    const { id } = await userWith(world, 1000n)
    const { turn } = await begun(id)
    expect((await endTurn(world.deps, turn, how))?.captured).toBe(taken)
    expect(await balance(id)).toMatchObject({ available: 1000n - taken, held: 0n })
  })

  it('once, however many try', async () => {
    const { id } = await userWith(world, 1000n)
    const { turn } = await begun(id)
    const ended = await Promise.all(Array.from({ length: 5 }, () => endTurn(world.deps, turn, outcome())))
    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(await balance(id)).toMatchObject({ available: 980n, held: 0n })
  })
})

describe('a daily limit', () => {
  const limited = (dailySpend: bigint) => ({ ...world.deps, limits: { ...world.deps.limits, dailySpend } })

  it('shortens the answer, and then refuses', async () => {
    const { id } = await userWith(world, 1000n)
    const first = await asks(id, {}, limited(60n))
    expect(first).toMatchObject({ ok: true, maxOutput: 500, turn: { amount: 60n } })
    expect(await asks(id, { messageId: 2 }, limited(60n))).toEqual({
      ...{ ok: false, reason: 'daily-cap' },
      ...{ most: 60n, spent: 60n },
    })
    if (first.ok) await endTurn(world.deps, first.turn, outcome())
    expect(await asks(id, { messageId: 3 }, limited(49n))).toMatchObject({ reason: 'daily-cap', spent: 20n })
    world.clock.advance(24 * 60 * 60_000 + 1)
    const later = await asks(id, { messageId: 4 }, limited(49n))
    expect(later.ok).toBe(true)
    if (later.ok) await endTurn(world.deps, later.turn, outcome())
  })

  it('is not passed by two questions at once', async () => {
    const { id } = await userWith(world, 1000n)
    const both = await Promise.all([1, 2].map((messageId) => asks(id, { messageId }, limited(50n))))
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    for (const one of both) if (one.ok) await endTurn(world.deps, one.turn, outcome())
  })
})

it('two questions at once can not spend the same money', async () => {
  const { id } = await userWith(world, 40n)
  const both = await Promise.all([asks(id, { messageId: 1 }), asks(id, { messageId: 2 })])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  const { available, held } = await balance(id)
  expect(available + held).toBe(40n)
  for (const one of both) if (one.ok) await endTurn(world.deps, one.turn, outcome())
})

it('an answer whose process died is billed for what had been shown', async () => {
  const { id } = await userWith(world, 1000n)
  const { turn } = await begun(id)
  await keep(world.deps, turn, { text: 'x'.repeat(3500), thinking: '' })
  expect(await abandonedTurns(world.deps)).toEqual([])
  world.clock.advance(leaseMs + 1)
  const [left] = await abandonedTurns(world.deps)
  expect(left?.id).toBe(turn.id)
  if (left) await endTurn(world.deps, left, outcomeOfAbandoned(left, model))
  const [ended] = await world.deps.db.select().from(turns).where(eq(turns.id, turn.id))
  // 1000 tokens of answer and 2 of question.
  expect(ended).toMatchObject({ state: 'stopped', captured: 101n, isEstimate: true })
})

it('one that died before the first word costs nothing', async () => {
  const { id } = await userWith(world, 1000n)
  const { turn } = await begun(id)
  world.clock.advance(leaseMs + 1)
  const [left] = await abandonedTurns(world.deps)
  if (left) await endTurn(world.deps, left, outcomeOfAbandoned(left, model))
  expect(left?.id).toBe(turn.id)
  expect(await balance(id)).toMatchObject({ available: 1000n, held: 0n })
})

it('of a question asked again only the last answer is remembered', async () => {
  const { id } = await userWith(world, 2000n)
  for (const text of ['first', 'second']) {
    const { turn } = await begun(id)
    await endTurn(world.deps, turn, outcome({ text }))
    world.clock.advance(1000)
  }
  const [{ threadId } = { threadId: '' }] = await world.deps.db
    .select()
    .from(turns)
    .where(eq(turns.userId, id))
  expect((await pastOf(world.deps.db, threadId, null)).map(({ text }) => text)).toEqual(['How?', 'second'])
  expect(await pastOf(world.deps.db, threadId, 1)).toEqual([])
  expect(await spentIn(world.deps.db, threadId)).toMatchObject({ turns: 2, captured: 40n, outputTokens: 200 })
})

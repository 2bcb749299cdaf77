// Questions of several users, chats, topics and conversations stay separate, a process goes on whose answer was taken for abandoned, and
// a tap on Stop ends only the answers of its user that were being written at the tap.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/catalog/model.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { settleAbandoned } from '../../src/chat/answer.ts'
import {
  type ConversationLocation,
  changeConversation,
  findConversation,
  findConversationById,
  openConversation,
  spentIn,
  startOver,
} from '../../src/chat/conversations.ts'
import {
  claimAnswers,
  giveUpSending,
  markSent,
  priceOfUnsent,
  putOffSending,
  renewTurns,
} from '../../src/chat/deliveries.ts'
import type { AnswerTexts } from '../../src/chat/parts.ts'
import { draftProposedBefore } from '../../src/chat/past.ts'
import { readSituation } from '../../src/chat/situation.ts'
import {
  answersBeingWritten,
  askToStop,
  findTurn,
  goesOn,
  lastTurnOf,
  saveProgress,
} from '../../src/chat/turns.ts'
import { type AnswerPart, generations, turns } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { claimNow } from '../support/database/claim.ts'
import { type Answers, type Asking, createAnswers, model, text } from '../support/worlds/answers.ts'
import { quoteFor } from '../support/worlds/generations.ts'

let answers: Answers
const claimed = (max = 10) => claimAnswers(answers.db, claimNow(answers.world.deps, max))
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(async () => {
  expect(await audit(answers.db)).toEqual([])
  await answers.close()
})

const texts: AnswerTexts = { thinking: 'Thinking', sources: 'Sources', note: ({ about }) => about }

/** Delivers all messages of a settled answer. */
const delivered = async ({ turn }: Asking) => markSent(answers.db, turn, turn.parts?.length ?? 0, undefined)

describe('an answer that is being written', () => {
  it('is found with its held money, for its own user only', async () => {
    const [one, another] = [await answers.asked(), await answers.asked()]
    const written = (id: bigint, chatId?: number) => answersBeingWritten(answers.db, id, chatId)
    expect(await written(one.user.id)).toEqual([{ id: one.turn.id, amount: one.turn.amount }])
    const ofUser = async (id: bigint, turnId = one.turn.id) => (await findTurn(answers.db, turnId, id))?.id
    expect(await ofUser(one.user.id)).toBe(one.turn.id)
    expect([await ofUser(another.user.id), await ofUser(one.user.id, 'none')]).toEqual([undefined, undefined])
    expect(await written(one.user.id, one.anna.chatId)).toHaveLength(1)
    expect(await written(one.user.id, another.anna.chatId)).toEqual([])
    await delivered(await answers.settledNow(one))
    expect(await written(one.user.id)).toEqual([])
    expect(await written(another.user.id)).toMatchObject([{ id: another.turn.id }])
    await delivered(await answers.settledNow(another))
  })

  it('is no part of the conversation; neither is a failed answer, or an answer that is only a card', async () => {
    const one = await answers.asked()
    await saveProgress(answers.world.deps, one.turn, { text: 'So', thinking: '' })
    const past = async () =>
      (await readSituation(answers.world.deps, one.user.id, { chatId: one.anna.chatId, topicId: 0 })).past
    expect(await past()).toEqual([])
    const settled = await answers.settledNow(one)
    await delivered(settled)
    const change = (row: Partial<typeof turns.$inferInsert>) =>
      answers.db.update(turns).set(row).where(eq(turns.id, one.turn.id))
    expect((await past()).map(({ answer }) => answer)).toEqual(['So.'])
    await change({ answer: '' })
    expect(await past()).toEqual([])
    await change({ answer: 'So.', state: 'failed' })
    expect(await past()).toEqual([])
    await change({ state: 'done' })
  })

  it('is settled by its own process, although another one has taken it for dead', async () => {
    const one = await answers.asked()
    answers.clock.advance(leaseMs + 1)
    const [left] = await claimed()
    expect(left?.id).toBe(one.turn.id)
    const settled = await answers.settledNow(one)
    if (left) expect(await settleAbandoned(answers.world.deps, left, model, texts)).toBeUndefined()
    await delivered(settled)
  })
})

describe('an answer whose process died', () => {
  async function abandoned(saved: string, draftId: string | null = null) {
    const one = await answers.asked()
    await saveProgress(answers.world.deps, one.turn, { text: saved, thinking: '' })
    answers.clock.advance(leaseMs + 1)
    const [left] = await claimed()
    if (!left) throw new Error('it is abandoned')
    return { one, left: { ...left, draftId } }
  }

  it('ends as a stopped one when its user had asked to stop it', async () => {
    const { one, left } = await abandoned('word '.repeat(100))
    await askToStop(answers.world.deps, { turnId: one.turn.id, userId: one.user.id })
    answers.clock.advance(leaseMs + 1)
    const [stopped] = await claimed()
    expect(stopped).toMatchObject({ id: left.id })
    const turn = stopped && (await settleAbandoned(answers.world.deps, stopped, model, texts))
    expect(turn).toMatchObject({ state: 'stopped', failure: null })
    expect(turn?.parts?.at(-1)).toEqual(text('cut'))
    expect(turn?.captured).toBeGreaterThan(0n)
    if (turn) await delivered({ ...one, turn })
  })

  it('costs nothing when its user had asked to stop it before the first word, whatever it had thought', async () => {
    const { one, left } = await abandoned('')
    const stopped = { ...left, thinking: 'Waves', stopAt: answers.clock.now() }
    const turn = await settleAbandoned(answers.world.deps, stopped, model, texts)
    expect(turn).toMatchObject({ state: 'failed', failure: null, captured: 0n })
    expect(turn?.parts?.at(-1)).toEqual(text('stopped'))
    if (turn) await delivered({ ...one, turn })
  })

  it('costs nothing when it rewrote a prompt, whatever was written', async () => {
    const { one, left } = await abandoned('a red fox '.repeat(100), 'draft00009')
    const turn = await settleAbandoned(answers.world.deps, left, model, texts)
    expect(turn).toMatchObject({ state: 'failed', captured: 0n, parts: [text('not-rewritten')] })
    expect((await readBalance(answers.db, one.user.id)).available).toBe(1000n)
    if (turn) await delivered({ ...one, turn })
  })
})

describe('conversations', () => {
  const open = async ({ user, anna }: Asking, topicId: number) => {
    const fresh = { id: randomIds.next(), userId: user.id, modelId: 'T', system: null, modes: noModes }
    return openConversation(answers.db, { chatId: anna.chatId, topicId, ...fresh }, answers.clock.now())
  }

  it('are separate in two topics of a chat, also when one is changed and replaced', async () => {
    const one = await answers.settled([text('So.')])
    const opened = await open(one, 5)
    expect(opened).toMatchObject({ topicId: 5 })
    const where = { chatId: one.anna.chatId, topicId: 5 }
    const situation = await readSituation(answers.world.deps, one.user.id, where)
    expect([situation.conversation?.id, situation.past]).toEqual([opened.id, []])
    const last = (id: string, userId = one.user.id) => lastTurnOf(answers.db, id, userId)
    expect(await last(opened.id)).toBeUndefined()
    expect(await last(one.turn.conversationId)).toMatchObject({ id: one.turn.id })
    expect(await last(one.turn.conversationId, one.user.id + 1n)).toBeUndefined()
    const first = await findConversationById(answers.db, one.turn.conversationId)
    if (!first) return expect.unreachable('it is open')
    const changed = await changeConversation(answers.db, first.id, { system: 'Be brief' })
    expect(changed).toEqual({ ...first, system: 'Be brief' })
    await startOver(answers.db, first, randomIds.next(), answers.clock.now())
    expect(await findConversation(answers.db, opened)).toEqual(opened)
    expect(await changeConversation(answers.db, first.id, { system: 'Be long' })).toBeUndefined()
    await delivered(one)
  })

  it('have the total price of their answers, less what was refunded', async () => {
    const one = await answers.settled([text('abc'), text('def')])
    await markSent(answers.db, one.turn, 1, 1)
    const now = { ...one.turn, sent: 1 }
    // A half was not sent, and a sixth was not seen.
    expect(await giveUpSending(answers.world.deps, now, 1, 'unsent', { shown: 5, of: 6 })).toBe(17n)
    expect(await spentIn(answers.db, one.turn.conversationId)).toMatchObject({ turns: 1, captured: 83n })
  })
})

/** @returns the id of the draft */
async function orderIn(chatId: number, { user: { id: userId, ...user } }: Asking, createdAt: Date) {
  const { id, draftId } = (await quoteFor(answers.world, { id: userId, ...user })).quote
  const facts = { userId, chatId, modelId: 'M', request: {}, amount: 1n, state: 'failed', createdAt } as const
  await answers.db.insert(generations).values({ id, quoteId: id, draftId, callbackToken: id, ...facts })
  return draftId
}

it('a change is about the newest card of its command and its user in the conversation before it', async () => {
  const [one, another] = [await answers.asked(), await answers.asked()]
  const draftOf = async ({ user }: Asking) => {
    answers.clock.advance(1000)
    return (await quoteFor(answers.world, user)).draft.id
  }
  const proposes = ({ turn }: Asking, ...ids: string[]) => {
    const proposals = ids.map((draftId) => ({ command: 'image', prompt: 'a fox', draftId }) as const)
    return answers.db.update(turns).set({ proposals, answer: '' }).where(eq(turns.id, turn.id))
  }
  const older = await orderIn(5, one, answers.clock.now())
  const newer = await draftOf(one)
  await delivered(await answers.settledNow(one))
  await delivered(await answers.settledNow(another))
  await proposes(one, older, newer, await draftOf(another))
  await proposes(another, await draftOf(one))
  await draftOf(one)
  const before = async (createdAt: Date, command: Command = 'image') =>
    (await draftProposedBefore(answers.db, { ...one.turn, createdAt }, command))?.id
  expect(await before(answers.clock.now())).toBe(newer)
  expect([await before(one.turn.createdAt), await before(answers.clock.now(), 'video')]).toEqual([
    undefined,
    undefined,
  ])
  const where = { chatId: one.anna.chatId, topicId: 0 }
  const { past } = await readSituation(answers.world.deps, one.user.id, where)
  expect(past[0]?.proposals?.map(({ draft, order }) => [draft, order])).toEqual([
    ['open', 'failed'],
    ['open', null],
    ['open', null],
  ])
  await answers.db.delete(generations)
})

it('words go on with a conversation of their user, place and last hour, or reply to its answer, until something is ordered there', async () => {
  const { clock, db } = answers
  const one = await answers.settled([text('So.')])
  const another = await answers.settled([text('So.')])
  await markSent(db, one.turn, 1, 77)
  await delivered(another)
  const goes = (change: Partial<ConversationLocation> = {}, repliedTo?: number, { user } = one) =>
    goesOn(answers.world.deps, user.id, { chatId: one.anna.chatId, topicId: 0, ...change }, repliedTo)
  const ordered = (by: Asking, chatId: number, sinceMs: number) =>
    orderIn(chatId, by, new Date(one.turn.createdAt.getTime() + sinceMs))
  expect(await goes()).toBe(true)
  const elsewhere = { chatId: another.anna.chatId }
  expect([await goes(elsewhere), await goes({ topicId: 5 }), await goes({}, 77, another)]).toEqual([
    false,
    false,
    false,
  ])
  await ordered(another, one.anna.chatId, 1)
  await ordered(one, another.anna.chatId, 1)
  await ordered(one, one.anna.chatId, 0)
  expect(await goes()).toBe(true)
  await ordered(one, one.anna.chatId, 1)
  expect([await goes(), await goes({}, 77), await goes({}, 78)]).toEqual([false, true, false])
  await db.delete(generations)
  clock.advance(3_600_000 - 1)
  expect(await goes()).toBe(true)
  clock.advance(1)
  expect([await goes(), await goes({}, 77)]).toEqual([false, true])
  await db.update(turns).set({ draftId: 'draft00001' }).where(eq(turns.id, one.turn.id))
  expect(await goes({}, 77)).toBe(false)
  await db.update(turns).set({ draftId: null }).where(eq(turns.id, one.turn.id))
  const conversation = await findConversationById(db, one.turn.conversationId)
  if (conversation) await startOver(db, conversation, randomIds.next(), clock.now())
  expect(await goes({}, 77)).toBe(false)
})

describe('the queue of unsent answers', () => {
  it('returns an answer from its due time on, and the longest due answer first', async () => {
    const settled = [await answers.settled([text('a')]), await answers.settled([text('b')])]
    const third = await answers.settled([text('c')])
    const now = answers.clock.now().getTime()
    const dueIn = async ({ turn }: Asking, ms: number) =>
      putOffSending(answers.db, turn, 1, new Date(now + ms))
    const [first, second] = settled
    if (!first || !second) return expect.unreachable()
    await dueIn(first, 3000)
    await dueIn(second, 1000)
    await dueIn(third, 2000)
    expect(await claimed()).toEqual([])
    answers.clock.advance(3000)
    for (const { turn } of [second, third, first]) {
      const [due] = await claimed(1)
      expect(due?.id).toBe(turn.id)
      if (due) await markSent(answers.db, due, 1, undefined)
    }
  })

  it('refunds a single kopeck, and nothing of a free answer or by a count of sent messages that is outdated', async () => {
    const free = await answers.settled([text('a')], { captured: 0n })
    expect(await giveUpSending(answers.world.deps, free.turn, 1, 'unsent')).toBe(0n)
    expect(await answers.reread(free)).toMatchObject({ delivery: 'undeliverable', refunded: null })
    const one = await answers.settled([text('a'), text('b')], { captured: 1n })
    await markSent(answers.db, one.turn, 1, 1)
    expect(await giveUpSending(answers.world.deps, one.turn, 1, 'unsent')).toBe(0n)
    expect(await answers.reread(one)).toMatchObject({ delivery: 'pending', refunded: null })
    expect(await giveUpSending(answers.world.deps, { ...one.turn, sent: 1 }, 1, 'unsent')).toBe(1n)
    expect(await answers.reread(one)).toMatchObject({ delivery: 'undeliverable', refunded: 1n })
  })
})

const card = { kind: 'card', draftId: 'draft00001', command: 'image', prompt: 'a fox' } as const

it.each<[string, AnswerPart[], number, bigint]>([
  ['three of one letter, none sent', ['a', 'b', 'c'].map(text), 0, 100n],
  ['three of one letter, one sent', ['a', 'b', 'c'].map(text), 1, 67n],
  ['three of one letter, two sent', ['a', 'b', 'c'].map(text), 2, 34n],
  ['three of one letter, all sent', ['a', 'b', 'c'].map(text), 3, 0n],
  ['none with a letter', ['', ''].map(text), 1, 0n],
  ['one of one letter', ['a', ''].map(text), 1, 0n],
  ['an empty one and one of one letter', ['', 'a'].map(text), 1, 100n],
  ['a card, the text sent', [text('abc'), card], 1, 0n],
])('the price of unsent messages, of %s, is rounded up to a kopeck', (_, parts, sent, price) => {
  expect(priceOfUnsent({ captured: 100n, parts, sent })).toBe(price)
})

/** A tap on Telegram's own Stop button of the draft. @param later how many updates after the question */
const drafted = ({ anna, turn }: Asking, later = 1) => ({
  chatId: anna.chatId,
  draftId: turn.questionMessageId ?? 0,
  updateId: (turn.updateId ?? 0) + later,
})

const stopped = (which: Parameters<typeof askToStop>[1]) => askToStop(answers.world.deps, which)

it('the Stop button stops the answer of its user while it is being written, also at a second tap', async () => {
  const [one, another] = [await answers.asked(), await answers.asked()]
  const own = { turnId: one.turn.id, userId: one.user.id }
  expect(await stopped({ ...own, userId: another.user.id })).toEqual([])
  expect(await stopped({ ...own, turnId: 'none' })).toEqual([])
  expect(await stopped(own)).toEqual([one.turn.id])
  expect(await stopped(own)).toEqual([one.turn.id])
  expect(await answers.reread(one)).toMatchObject({ stopAt: answers.clock.now() })
  await delivered(await answers.settledNow(one))
  expect(await stopped(own)).toEqual([])
  expect(await answers.reread(another)).toMatchObject({ stopAt: null })
  await delivered(await answers.settledNow(another))
})

it("the draft's own Stop button stops the answers to its question in its chat", async () => {
  const [one, another] = [await answers.asked(), await answers.asked()]
  const { questionMessageId } = one.turn
  await answers.db.update(turns).set({ questionMessageId }).where(eq(turns.id, another.turn.id))
  expect(await stopped({ ...drafted(one), draftId: (questionMessageId ?? 0) + 1 })).toEqual([])
  expect(await stopped(drafted(one, 10))).toEqual([one.turn.id])
  expect(await answers.reread(another)).toMatchObject({ stopAt: null })
  await delivered(await answers.settledNow(one))
  expect(await stopped(drafted(one, 10))).toEqual([])
  await delivered(await answers.settledNow(another))
})

it("the draft's own Stop button also stops an answer of a conversation that was replaced by a new one", async () => {
  const one = await answers.asked()
  const conversation = await findConversationById(answers.db, one.turn.conversationId)
  if (!conversation) return expect.unreachable('the question has a conversation')
  await startOver(answers.db, conversation, randomIds.next(), answers.clock.now())
  expect(await stopped(drafted(one))).toEqual([one.turn.id])
  await delivered(await answers.settledNow(one))
})

it('a Stop that is handled late does not stop the next answer to the same message, whose question was edited', async () => {
  const one = await answers.asked()
  expect(await stopped(drafted(one, -1))).toEqual([])
  expect(await stopped(drafted(one, 0))).toEqual([])
  expect(await answers.reread(one)).toMatchObject({ stopAt: null })
  await delivered(await answers.settledNow(one))
})

it('the renewal of leases returns the answers that are to be stopped, of those whose leases are still held', async () => {
  const [one, another] = [await answers.asked(), await answers.asked()]
  const until = new Date(answers.clock.now().getTime() + leaseMs)
  const renewed = (...held: Parameters<typeof renewTurns>[1]) => renewTurns(answers.db, held, until)
  expect(await renewed()).toEqual([])
  expect(await renewed(one.turn, another.turn)).toEqual([])
  await stopped(drafted(one))
  expect(await renewed(one.turn, another.turn)).toEqual([one.turn.id])
  expect(await renewed({ ...one.turn, lease: 'lost' }, another.turn)).toEqual([])
  await delivered(await answers.settledNow(one))
  await delivered(await answers.settledNow(another))
})

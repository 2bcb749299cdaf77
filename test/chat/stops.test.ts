// Which answers a tap on Stop ends: only those of its user that were being written at the tap.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOver } from '../../src/chat/conversations.ts'
import { renewTurns } from '../../src/chat/deliveries.ts'
import { askToStop } from '../../src/chat/stops.ts'
import { conversations, turns } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { type Answers, type Asking, createAnswers } from '../support/worlds/answers.ts'

let answers: Answers
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(() => answers.close())

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
  expect(await stopped(own)).toEqual([one.turn.id])
  expect(await stopped(own)).toEqual([one.turn.id])
  expect(await answers.reread(one)).toMatchObject({ stopAt: answers.clock.now() })
  await answers.settledNow(one)
  expect(await stopped(own)).toEqual([])
  expect(await answers.reread(another)).toMatchObject({ stopAt: null })
  await answers.settledNow(another)
})

it("the draft's own Stop button stops the answers to its question in its chat", async () => {
  const [one, another] = [await answers.asked(), await answers.asked()]
  const { questionMessageId } = one.turn
  await answers.db.update(turns).set({ questionMessageId }).where(eq(turns.id, another.turn.id))
  expect(await stopped({ ...drafted(one), draftId: (questionMessageId ?? 0) + 1 })).toEqual([])
  expect(await stopped(drafted(one, 10))).toEqual([one.turn.id])
  expect(await answers.reread(another)).toMatchObject({ stopAt: null })
  await answers.settledNow(one)
  expect(await stopped(drafted(one, 10))).toEqual([])
  await answers.settledNow(another)
})

it("the draft's own Stop button also stops an answer of a conversation that was replaced by a new one", async () => {
  const one = await answers.asked()
  const [conversation] = await answers.db
    .select()
    .from(conversations)
    .where(eq(conversations.id, one.turn.conversationId))
  if (!conversation) return expect.unreachable('the question has a conversation')
  await startOver(answers.db, conversation, randomIds.next(), answers.clock.now())
  expect(await stopped(drafted(one))).toEqual([one.turn.id])
  await answers.settledNow(one)
})

it('a Stop that is handled late does not stop the next answer to the same message, whose question was edited', async () => {
  const one = await answers.asked()
  expect(await stopped(drafted(one, -1))).toEqual([])
  expect(await stopped(drafted(one, 0))).toEqual([])
  expect(await answers.reread(one)).toMatchObject({ stopAt: null })
  await answers.settledNow(one)
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
  await answers.settledNow(one)
  await answers.settledNow(another)
})

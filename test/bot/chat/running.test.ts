// Stopping an answer of a text model from a process that does not write it.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRunning } from '../../../src/bot/chat/running.ts'
import type { Turn } from '../../../src/chat/conversations.ts'
import { createNudges, type Nudges } from '../../../src/db/nudges.ts'
import { type Answers, createAnswers } from '../../support/worlds/answers.ts'

let answers: Answers
beforeAll(async () => {
  answers = await createAnswers()
})
afterAll(() => answers.close())

/** Two processes. @param isLost nudges do not reach the other process */
function processes(isLost: boolean) {
  const connected: ReturnType<typeof createNudges>[] = []
  const connect = (): Nudges => {
    const own = createNudges((topic, about) => {
      if (!isLost) for (const other of connected) if (other !== own) other.notify(topic, about)
    })
    connected.push(own)
    return own.nudges
  }
  const [writing, other] = [
    createRunning(answers.world.deps, connect()),
    createRunning(answers.world.deps, connect()),
  ]
  return {
    other,
    /** Writes an answer in one of them. @returns whether it was stopped */
    writes(turn: Turn) {
      let signal: AbortSignal | undefined
      writing.start(turn, async (stop) => {
        signal = stop
        await new Promise((resolve) => stop.addEventListener('abort', resolve))
      })
      return () => signal?.aborted
    },
    end: () => Promise.all([writing.stopAll(), other.stopAll()]),
  }
}

async function asked() {
  const [one, another] = [await answers.asked(), await answers.asked()]
  return { one, another, settle: () => Promise.all([answers.settledNow(one), answers.settledNow(another)]) }
}

it('an answer that another process writes is stopped, and no other answer', async () => {
  const { one, another, settle } = await asked()
  const { other, writes, end } = processes(false)
  const [isStopped, isOtherStopped] = [writes(one.turn), writes(another.turn)]
  expect(await other.stop({ turnId: one.turn.id, userId: one.user.id })).toBe(true)
  expect([isStopped(), isOtherStopped()]).toEqual([true, false])
  await end()
  await settle()
})

it('an answer whose process does not get the nudge is stopped when its lease is renewed, and no other answer', async () => {
  const { one, another, settle } = await asked()
  const { other, writes, end } = processes(true)
  const [isStopped, isOtherStopped] = [writes(one.turn), writes(another.turn)]
  await expect.poll(() => answers.clock.isWaitedFor(10_000)).toBe(true)
  const stop = { chatId: one.anna.chatId, draftId: one.turn.questionMessageId ?? 0, updateId: 1_000_000 }
  expect(await other.stop(stop)).toBe(true)
  expect([isStopped(), isOtherStopped()]).toEqual([false, false])
  answers.clock.advance(10_000)
  await expect.poll(isStopped).toBe(true)
  expect(isOtherStopped()).toBe(false)
  await end()
  await settle()
})

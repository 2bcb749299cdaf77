// Stopping an answer that another process is writing. A stop that reaches that process only through the database is tested in
// asking.test.ts.

import { expect, it } from 'vitest'
import { createRunning } from '../../../src/bot/chat/running.ts'
import type { Turn } from '../../../src/chat/conversations.ts'
import { createNudges } from '../../../src/db/nudges.ts'
import { createAnswers } from '../../support/worlds/answers.ts'

it('an answer that another process writes is stopped, and no other answer', async () => {
  const answers = await createAnswers()
  const [one, another] = [await answers.asked(), await answers.asked()]
  const mine = createNudges()
  const their = createNudges((topic, about) => mine.notify(topic, about))
  const writing = createRunning(answers.world.deps, mine.nudges)
  const other = createRunning(answers.world.deps, their.nudges)
  const isStopped = [one.turn, another.turn].map((turn: Turn) => {
    let signal: AbortSignal | undefined
    writing.start(turn, async (stop) => {
      signal = stop
      await new Promise((resolve) => stop.addEventListener('abort', resolve))
    })
    return () => signal?.aborted
  })
  expect(await other.stop({ turnId: one.turn.id, userId: one.user.id })).toBe(true)
  expect(isStopped.map((is) => is())).toEqual([true, false])
  await Promise.all([writing.stopAll(), other.stopAll()])
  for (const asked of [one, another]) await answers.settledNow(asked)
  await answers.close()
})

// Stopping an answer of a text model from a process that does not write it.

import { expect, it } from 'vitest'
import { createRunning } from '../../../src/bot/chat/running.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { createNudges, type Nudges } from '../../../src/runtime/nudges.ts'
import { freshDatabase } from '../../support/database/database.ts'
import { handClock } from '../../support/runtime/clock.ts'

it('an answer that another process writes is stopped, and no other answer', async () => {
  const database = await freshDatabase('postgres')
  const deps = { db: database.db, clock: handClock(), log: silentLog }
  const processes: ReturnType<typeof createNudges>[] = []
  const connected = (): Nudges => {
    const own = createNudges((topic, about) => {
      for (const other of processes) if (other !== own) other.notify(topic, about)
    })
    processes.push(own)
    return own.nudges
  }
  const [writing, other] = [createRunning(deps, connected()), createRunning(deps, connected())]
  const answer = (id: string) => {
    let signal: AbortSignal | undefined
    writing.start({ id, lease: id }, [id], async (stop) => {
      signal = stop
      await new Promise((resolve) => stop.addEventListener('abort', resolve))
    })
    return () => signal?.aborted
  }
  const [isStopped, isOtherStopped] = [answer('first'), answer('second')]
  other.stop('first')
  expect([isStopped(), isOtherStopped()]).toEqual([true, false])
  await writing.stopAll()
  await other.stopAll()
  await database.close()
})

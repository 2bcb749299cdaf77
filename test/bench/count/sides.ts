// Starts a process of the app with its doubles and counts its statements and requests.

import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorld } from '../bench.ts'
import { type RunningApp, startApp } from '../machine/app.ts'
import { startGateway } from '../outside/gateway.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { makeTemplate, seedQuotes } from '../seed/orders.ts'
import { seedPeople } from '../seed/people.ts'
import { countStatements } from './relay.ts'
import { createTally, type Tally } from './tally.ts'

export interface CountedApp {
  readonly telegram: TelegramStub
  readonly statements: Tally
  readonly requests: Tally
  close(): Promise<void>
}

interface Start {
  /** The number of people; each has a quote. */
  readonly people: number
  readonly settings?: Readonly<Record<string, string>>
  readonly program?: string
}

const callBackMs = 300

/** Resolves when the app has started and its first work is done. */
export async function startCounted(
  world: BenchWorld,
  { people, settings = {}, program = 'src/main.ts' }: Start,
): Promise<CountedApp> {
  const [statements, requests] = [createTally(), createTally()]
  const seeded = await world.server.clone()
  await seedPeople(seeded.sql, people)
  await seedQuotes(seeded.sql, await makeTemplate(seeded), 0, people)
  const database = await countStatements(seeded, statements)
  const telegram = await startTelegram()
  telegram.listen((method) => requests.add(method))
  const asked = (method: string, path: string) => requests.add(`${method} ${withoutId(path)}`)
  const gateway = await startGateway({ callBackMs, asked })
  const app: RunningApp = await startApp(world, { database, telegram, gateway }, settings, { program })
  await firstWork(statements)
  return {
    telegram,
    statements,
    requests,
    async close() {
      await app.stop()
      await Promise.all([telegram.close(), gateway.close()])
      await database.close()
    },
  }
}

const withoutId = (path: string): string => path.replace(/^\/v1\/tasks\/.*/, '/v1/tasks/{id}')

/** Waits for the statements that end a unit of work, which come after its last message. */
export const settle = (): Promise<void> => sleep(250)

const quietMs = 250

/** Waits for the first work of every loop, which is not counted: until a moment passes without statements. A fast clock leaves none. */
async function firstWork(statements: Tally): Promise<void> {
  await sleep(1000)
  for (let looks = 0; looks < 20; looks += 1) {
    statements.take()
    await sleep(quietMs)
    if (statements.take().size === 0) return
  }
}

// Tasks in flight that are not polled until the benchmark starts it, and the two programs that deliver their results.

import type { BenchWorld } from '../bench.ts'
import { type RunningApp, startApp } from '../machine/app.ts'
import { startBot } from '../machine/bare.ts'
import { freePort } from '../machine/ports.ts'
import { startGateway } from '../outside/gateway.ts'
import { startTelegram } from '../outside/telegram.ts'
import { makeTemplate, numberOf, seedQuotes, seedRunning } from '../seed/orders.ts'
import { seedPeople } from '../seed/people.ts'
import type { Line } from './looks.ts'

export interface Tasks {
  readonly app: Line
  readonly bare: Line
  /** Starts one more process of the app, on any core. @returns the app with both processes */
  startSecond(): Promise<Line>
  readonly gatewayUrl: string
  /** The times at which tasks become ready; tasks without an entry are ready. */
  readonly readyAt: Map<number, number>
  /** The numbers of tasks that wait for their callbacks and were not used before. */
  takeCalled(count: number): readonly number[]
  /** The numbers of tasks that do not exist yet. */
  takeFresh(count: number): readonly number[]
  /** Makes the app poll these tasks from now on. */
  follow(those: readonly number[]): Promise<void>
  close(): Promise<void>
}

/**
 * @param called the number of tasks that wait for callbacks; they have the first numbers
 * @param fresh the number of tasks that are polled often, later
 */
export async function openTasks(world: BenchWorld, called: number, fresh: number): Promise<Tasks> {
  const database = await world.server.clone()
  const { sql } = database
  await seedPeople(sql, called + fresh)
  await seedQuotes(sql, await makeTemplate(database), 0, called + fresh)
  // The age is negative, so that results take the place of their status messages (as quick results do) however long the run takes.
  await seedRunning(sql, { from: 0, count: called, ageSeconds: -3600, firstDueSeconds: 2400 })
  const readyAt = new Map<number, number>()
  const isReady = (task: string, at: number) => at >= (readyAt.get(numberOf(task)) ?? 0)
  const gateway = await startGateway({ look: (task, at) => (isReady(task, at) ? 'completed' : 'processing') })
  const telegrams = [await startTelegram(), await startTelegram()] as const
  const outside = { database, telegram: telegrams[0], gateway }
  const settings = { POLL_INTERVAL_MS: '1000' }
  const app = await startApp(world, outside, settings)
  const line: Line = { telegram: telegrams[0], urls: [app.url], method: 'editMessageMedia' }
  let second: RunningApp | undefined
  const port = await freePort()
  const bare = await startBot(world, 'relay', telegrams[1], { GATEWAY_URL: gateway.url, PORT: String(port) })
  return {
    app: line,
    bare: { telegram: telegrams[1], urls: [`http://127.0.0.1:${port}`], method: 'sendMessage' },
    async startSecond() {
      second = await startApp(world, outside, settings, { isSecond: true })
      return { ...line, urls: [app.url, second.url] }
    },
    gatewayUrl: gateway.url,
    readyAt,
    takeCalled: countingFrom(0),
    takeFresh: countingFrom(called),
    follow: ([from = 0, ...others]) =>
      seedRunning(sql, { from, count: others.length + 1, ageSeconds: 0, firstDueSeconds: 0 }),
    async close() {
      await Promise.all([app, second, bare].map((one) => one?.stop()))
      await Promise.all([...telegrams, gateway].map((one) => one.close()))
      await database.close()
    },
  }
}

function countingFrom(first: number): (count: number) => readonly number[] {
  let next = first
  return (count) => Array.from({ length: count }, () => next++)
}

// The cost of one unit of work in SQL statements and requests: of updates and orders, one after another and many at once, and of an idle
// second. Unlike durations, counts are the same on every machine.

import { setTimeout as sleep } from 'node:timers/promises'
import { written } from '../figures/figure.ts'
import { type BenchWorld, launch, type Manner, type Outside, openOutside, programs } from '../sides.ts'
import { bounds } from './bounds.ts'
import { countStatements } from './statements.ts'
import { type Calls, createTally, linesOf, per, sumOf, type Tally, without } from './tally.ts'

export interface Count {
  readonly name: CountName
  readonly unit: 'update' | 'order' | 'second'
  /** Statements per unit, by text. */
  readonly statements: Calls
  /** Requests per unit, by method; polls for updates and callbacks of the gateway are not counted. */
  readonly requests: Calls
}

export const countNames = ['update-alone', 'update-busy', 'order-alone', 'order-busy', 'idle'] as const
export type CountName = (typeof countNames)[number]

const sizes = {
  full: { alone: 20, updates: 200, orders: 100, idleMinutes: 5 },
  quick: { alone: 5, updates: 100, orders: 40, idleMinutes: 1 },
}
type Size = (typeof sizes)['full']

export async function countAll(world: BenchWorld): Promise<readonly Count[]> {
  const size = sizes[world.isQuick ? 'quick' : 'full']
  const idle = await countIdle(world, size.idleMinutes)
  return [...(await countBusy(world, size, idle.statements)), idle]
}

export const totals = ({ statements, requests }: Count) => ({
  statements: sumOf(statements),
  requests: sumOf(requests),
})

export const reportOf = (counts: readonly Count[]): string => counts.map(describe).join('\n\n')

function describe(count: Count): string {
  const { statements, requests } = totals(count)
  const bound = bounds[count.name]
  return [
    `${count.name}: ${written(statements)} statements (at most ${bound.statements}) and ${written(requests)} requests (at most ${bound.requests}) for each ${count.unit}`,
    ...linesOf(count.statements),
    ...linesOf(count.requests),
  ].join('\n')
}

/** The factor by which the clock of the idle process is faster than real time. By that clock a statement takes longer by the same factor. */
const times = 20

/** With these settings the loops of all payment providers run. Requests to this provider are refused and not counted. */
const idleSettings = {
  YOOKASSA_SHOP_ID: '123456',
  YOOKASSA_SECRET_KEY: 'bench-secret-key',
  YOOKASSA_URL: 'http://127.0.0.1:9',
  FAST_TIMES: String(times),
}

async function countIdle(world: BenchWorld, minutes: number): Promise<Count> {
  const app = await startCounted(world, 'test/tools/bench/programs/fast-app.ts', { settings: idleSettings })
  await firstWork(app.statements)
  app.requests.take()
  const begun = performance.now()
  await sleep((minutes * 60_000) / times)
  const seconds = ((performance.now() - begun) / 1000) * times
  const [statements, requests] = [per(seconds, app.statements.take()), per(seconds, app.requests.take())]
  await app.close()
  return { name: 'idle', unit: 'second', statements, requests }
}

interface Scene {
  readonly name: CountName
  readonly unit: 'update' | 'order'
  /** The methods of the last message about a unit. */
  readonly answers: readonly string[]
  /** Each group is given at once, after the one before is done. */
  readonly groups: readonly (readonly string[])[]
}

const maxPeople = 50

/** @param idle the statements of an idle process per second, which do not count */
async function countBusy(world: BenchWorld, size: Size, idle: Calls): Promise<Count[]> {
  const app = await startCounted(world, programs.app)
  const { people } = app
  const taps = await people.prepareOrders(size.alone + size.orders)
  await firstWork(app.statements)
  const balances = (count: number) =>
    Array.from({ length: count }, (_, at) => people.says(at % maxPeople, '/balance'))
  const alone = (updates: readonly string[]) => updates.map((one) => [one])
  const update = { unit: 'update', answers: ['sendMessage'] } as const
  const order = { unit: 'order', answers: ['editMessageMedia', 'sendAudio'] } as const
  const scenes: readonly Scene[] = [
    { ...update, name: 'update-alone', groups: alone(balances(size.alone)) },
    { ...update, name: 'update-busy', groups: [balances(size.updates)] },
    { ...order, name: 'order-alone', groups: alone(taps.slice(0, size.alone)) },
    { ...order, name: 'order-busy', groups: [taps.slice(size.alone)] },
  ]
  const counts: Count[] = []
  for (const scene of scenes) counts.push(await countScene(app, scene, idle))
  await app.close()
  return counts
}

async function countScene(
  app: CountedApp,
  { name, unit, answers, groups }: Scene,
  idle: Calls,
): Promise<Count> {
  const begun = performance.now()
  app.statements.take()
  app.requests.take()
  for (const updates of groups) {
    const heard = app.telegram.heard(answers, updates.length)
    app.telegram.give(updates)
    await heard
    await sleep(quietMs)
  }
  const seconds = (performance.now() - begun) / 1000
  const units = groups.flat().length
  return {
    name,
    unit,
    statements: per(units, without(idle, seconds, app.statements.take())),
    requests: per(units, app.requests.take()),
  }
}

interface CountedApp extends Outside {
  readonly statements: Tally
  readonly requests: Tally
}

/** Starts a process of the app and counts its statements and requests. */
async function startCounted(world: BenchWorld, program: string, manner?: Manner): Promise<CountedApp> {
  const [statements, requests] = [createTally(), createTally()]
  const outside = await openOutside(world)
  const relay = await countStatements(outside.database, statements)
  outside.telegram.listen(({ method }) => requests.add(method))
  outside.gateway.listen((method, path) =>
    requests.add(`${method} ${path.replace(/^\/v1\/tasks\/.*/, '/v1/tasks/{id}')}`),
  )
  const app = await launch(world.launcher, { ...outside, database: relay.url }, program, manner)
  return {
    ...outside,
    statements,
    requests,
    async close() {
      await app.stop()
      await outside.close()
      relay.close()
    },
  }
}

/** The time within which the statements that follow the last message of a unit of work come. */
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

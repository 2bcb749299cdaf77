// Measures the cost of many tasks in flight (memory, processor time, lateness of polls), and whether it depends on their number.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Bench, BenchWorld, Figure } from '../bench.ts'
import { inTime } from '../frame/in-time.ts'
import { compare, inRounds, type Measured, type Sides } from '../frame/rounds.ts'
import { median } from '../frame/statistics.ts'
import { apart } from '../frame/table.ts'
import { startApp } from '../machine/app.ts'
import type { Launched } from '../machine/launcher.ts'
import { startGateway } from '../outside/gateway.ts'
import { startTelegram } from '../outside/telegram.ts'
import { makeTemplate, numberOf, seedQuotes, seedRunning } from '../seed/orders.ts'
import { seedPeople } from '../seed/people.ts'

const sizes = {
  full: { rounds: 2, counts: [1000, 10_000, 100_000], seconds: 8, looks: 3000, leadMs: 500 },
  quick: { rounds: 1, counts: [20, 40], seconds: 0.25, looks: 20, leadMs: 100 },
}
/** `leadMs`: the time until the first task is due. */
type Size = (typeof sizes)['full']

/** Tasks due in each second of the paced part: below the default budget of a hundred. */
const perSecond = 80
const people = 1000
/** An age at which tasks are polled once a minute, so that no task is polled twice. */
const ageSeconds = 25 * 60

export const inFlight: Bench = {
  name: 'in-flight',
  title: 'Many tasks in flight',
  method: `A process with ROLE=worker. First ${perSecond} of its tasks are due in each second: processor time, memory, lateness of the looks. Then all are due at once: looks per second. The baseline is a loop of undici with 32 places and no memory, at that pace and as fast as it can.`,
  async run(world) {
    const size = sizes[world.isQuick ? 'quick' : 'full']
    const apps = size.counts.map((count) => [String(count), () => appSide(world, size, count)] as const)
    const sides: Sides<string> = { ...Object.fromEntries(apps), bare: () => bareSide(world, size) }
    const found = await inRounds(size.rounds, sides)
    const against = (baseline: string, name: string, which: readonly Quantity[]) => (count: string) =>
      which.map(({ what, ...told }) => {
        const figure = `${apart(count)} tasks, ${what}`
        const words = { ...told, name: baseline === 'bare' ? figure : `${figure} / ${name}`, against: name }
        return compare(words, found(count, what), found(baseline, what))
      })
    const [least = '', ...more] = size.counts.map(String)
    return [
      ...[least, ...more].flatMap(against('bare', 'a bare loop', besideBare)),
      ...more.flatMap(against(least, `${apart(least)} tasks`, besideFew)),
    ]
  },
}

type Quantity = Pick<Figure, 'unit' | 'better'> & { readonly what: string }

const besideBare: readonly Quantity[] = [
  { what: 'cpu', unit: 'ms/s', better: 'lower' },
  { what: 'memory', unit: 'MB', better: 'lower' },
  { what: 'looks', unit: 'looks/s', better: 'higher' },
]
const besideFew: readonly Quantity[] = [...besideBare, { what: 'lateness', unit: 'ms', better: 'lower' }]

async function appSide(world: BenchWorld, size: Size, count: number): Promise<Measured> {
  const database = await world.server.clone()
  const { sql } = database
  await seedPeople(sql, Math.min(people, count))
  await seedQuotes(sql, await makeTemplate(database), 0, count)
  await seedRunning(sql, { from: 0, count, ageSeconds, firstDueSeconds: 2400 })
  await sql`analyze`
  const telegram = await startTelegram()
  const looks = createLooks()
  const gateway = await startGateway({ look: looks.look })
  const app = await startApp(world, { database, telegram, gateway }, { ROLE: 'worker' })
  const paced = await atPace(sql, app, looks, size, count)
  await nothingHeld(sql)
  const rating = looks.rateOf(Math.min(size.looks, count))
  await sql`update generations set next_check_at = now()`
  const rate = await rating
  await app.stop()
  await Promise.all([telegram.close(), gateway.close()])
  await database.close()
  return { ...paced, looks: rate }
}

async function atPace(sql: Sql, app: Launched, looks: Looks, size: Size, count: number): Promise<Measured> {
  const everyMs = 1000 / perSecond
  const due = Math.min(count, Math.floor(perSecond * size.seconds))
  const start = Date.now() + size.leadMs
  const lateness: number[] = []
  const stop = looks.each((n, at) => lateness.push(performance.timeOrigin + at - (start + n * everyMs)))
  const looked = looks.rateOf(due)
  await sql`
    update generations set next_check_at = ${new Date(start)}::timestamptz
      + split_part(task_id, '-', 2)::integer * ${everyMs}::float8 * interval '1 millisecond'
    where split_part(task_id, '-', 2)::integer < ${due}::integer`
  await sleep(Math.max(0, start - Date.now()))
  const before = app.usage()
  await looked
  stop()
  const { cpuMs, rssMb } = app.usage()
  const seconds = (due * everyMs) / 1000
  return { cpu: (cpuMs - before.cpuMs) / seconds, memory: rssMb, lateness: median(lateness) }
}

/** Waits until no lease is held: a poll in progress writes the next time of its row when it releases the lease. */
async function nothingHeld(sql: Sql): Promise<void> {
  for (;;) {
    const [held] = await sql`select from generations where lease is not null limit 1`
    if (!held) return
    await sleep(20)
  }
}

async function bareSide(world: BenchWorld, size: Size): Promise<Measured> {
  const looks = createLooks()
  const gateway = await startGateway({ look: looks.look })
  const program = 'test/bench/programs/poll-loop.ts'
  const env = { GATEWAY_URL: gateway.url, TASKS: '100000' }
  const due = Math.floor(perSecond * size.seconds)
  const paced = world.launcher.launch(program, { ...env, PER_SECOND: String(perSecond) })
  await looks.rateOf(Math.min(due, perSecond))
  const before = paced.usage()
  await looks.rateOf(due)
  const { cpuMs, rssMb } = paced.usage()
  await paced.stop()
  const fast = world.launcher.launch(program, { ...env, PER_SECOND: '0' })
  const rate = await looks.rateOf(size.looks)
  await fast.stop()
  await gateway.close()
  return { cpu: ((cpuMs - before.cpuMs) * perSecond) / due, memory: rssMb, looks: rate }
}

interface Looks {
  look(task: string, at: number): 'processing'
  /** Calls the listener for each poll, with the number of its task. */
  each(listener: (n: number, at: number) => void): () => void
  /** Resolves after `count` polls, to their rate per second from the first to the last. */
  rateOf(count: number): Promise<number>
}

function createLooks(): Looks {
  const listeners = new Set<(n: number, at: number) => void>()
  const each = (listener: (n: number, at: number) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    each,
    look(task, at) {
      for (const listener of listeners) listener(numberOf(task), at)
      return 'processing'
    },
    rateOf: (count) =>
      inTime(`${count} looks`, (resolve) => {
        let came = 0
        let first = 0
        const stop = each((_, at) => {
          came += 1
          if (came === 1) first = at
          if (came < count) return
          stop()
          resolve(((count - 1) / (at - first)) * 1000)
        })
      }),
  }
}

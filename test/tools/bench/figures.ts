// What is measured: orders of the app, its updates, start and memory, beside the usual stack and the bare bot.

import { setTimeout as sleep } from 'node:timers/promises'
import { compare, type Figure, type Found, inRounds, type Measured, percentile } from './figure.ts'
import { type BenchWorld, deliveries, launch, openOutside, openSide, programs, type Side } from './sides.ts'
import { inTime } from './telegram.ts'

export async function allFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const measured of [orderFigures, updateFigures, startFigures]) figures.push(...(await measured(world)))
  return figures
}

const callsPerSecond = 100

/** From the tap on Generate to the song in the chat. */
async function orderFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, orders, calls] = world.isQuick ? [1, 5, 5] : [3, 1000, 400]
  const besides = async (settings: object, measure: (side: Side) => Promise<Measured>): Promise<Found> => {
    const app = await openSide(world, programs.app, settings)
    const usual = await openSide(world, programs.usualStack)
    const found = await inRounds(rounds, { app: () => measure(app), usual: () => measure(usual) })
    await Promise.all([app.close(), usual.close()])
    return found
  }
  const ordered = await besides({ GATEWAY_POLLS_PER_SECOND: '10000' }, (side) => order(side, orders))
  // No task is polled while it waits for its callback.
  const called = await besides({ POLL_INTERVAL_MS: '60000' }, (side) => callBack(side, calls))
  const of = (name: string, unit: string, goal: string, found: Found, what: string) =>
    compare({ name, unit, goal }, found('app', what), 'the usual stack', found('usual', what))
  return [
    of('orders', 'orders/s', '>= 200 orders/s', ordered, 'rate'),
    of('processor time', 'ms/order', '<= 3.0 ms', ordered, 'cpu'),
    of('callback to message, p99', 'ms', '<= 100 ms', called, 'p99'),
  ]
}

/** All people order at once; the gateway calls back 300 ms after each order. */
async function order({ people, telegram, usage }: Side, count: number): Promise<Measured> {
  const taps = await people.prepareOrders(count)
  const delivered = telegram.heard(deliveries, count)
  const cpuBefore = usage().cpuMs
  const begun = performance.now()
  telegram.give(taps)
  await delivered
  const rate = (count / (performance.now() - begun)) * 1000
  return { rate, cpu: (usage().cpuMs - cpuBefore) / count }
}

/** The time until the last statements and messages of the orders are done. */
const settleMs = 500

/** All tasks wait; then they complete evenly. */
async function callBack({ people, telegram, gateway }: Side, count: number): Promise<Measured> {
  const taps = await people.prepareOrders(count)
  const holding = gateway.hold(count)
  telegram.give(taps)
  const held = await holding
  await sleep(settleMs)
  const calledAt = new Map<number, number>()
  const arriving = inTime<number[]>(`${count} songs`, (resolve) => {
    const delays: number[] = []
    const stop = telegram.listen((call) => {
      if (!deliveries.includes(call.method)) return
      delays.push(call.at - (calledAt.get(people.numberOf(call)) ?? Number.NaN))
      if (delays.length < count) return
      stop()
      resolve(delays)
    })
  })
  const begun = performance.now()
  for (const [at, { person, complete }] of held.entries()) {
    const dueIn = begun + (at / callsPerSecond) * 1000 - performance.now()
    if (dueIn > 0) await sleep(dueIn)
    calledAt.set(person, performance.now())
    complete()
  }
  return { p99: percentile(await arriving, 0.99) }
}

/** So many that no person exceeds the app's limit of updates. */
const manyPeople = 3000

/** `/balance` by long polling: stored, claimed, balance read, answered. */
async function updateFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, ofApp, ofEcho] = world.isQuick ? [1, 20, 20] : [5, 6000, 10_000]
  const app = await openSide(world, programs.app)
  const echo = await openSide(world, programs.echo)
  const rateOf = async ({ telegram, people }: Side, count: number): Promise<Measured> => {
    const updates = Array.from({ length: count }, (_, at) => people.says(at % manyPeople, '/balance'))
    const answered = telegram.heard(['sendMessage'], count)
    const begun = performance.now()
    telegram.give(updates)
    await answered
    return { rate: (count / (performance.now() - begun)) * 1000 }
  }
  const rates = await inRounds(rounds, { app: () => rateOf(app, ofApp), echo: () => rateOf(echo, ofEcho) })
  await Promise.all([app.close(), echo.close()])
  const told = { name: 'updates', unit: 'updates/s', goal: 'ratio >= 1.0' }
  return [compare(told, rates('app', 'rate'), 'bot.start of grammY', rates('echo', 'rate'))]
}

/**
 * The fixed costs of a process: the time from its start to its first answer, an update waiting, and its memory when idle. The app starts
 * from the bundle, with its database migrated, without a compile cache.
 */
async function startFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, idleMs] = world.isQuick ? [1, 100] : [7, 3000]
  const outside = await openOutside(world)
  const { telegram, people } = outside
  const startOnce = (program: string) => async (): Promise<Measured> => {
    const answered = telegram.heard(['sendMessage'], 1)
    telegram.give([people.says(0, '/balance')])
    const begun = performance.now()
    const launched = launch(world.launcher, outside, program, {}, true)
    await answered
    const ms = performance.now() - begun
    const { usage, stop } = await launched
    await sleep(idleMs)
    const { rssMb: mb } = usage()
    await stop()
    return { ms, mb }
  }
  const found = await inRounds(rounds, { app: startOnce(programs.app), echo: startOnce(programs.echo) })
  await outside.close()
  const of = (name: string, unit: string, goal: string, what: string) =>
    compare({ name, unit, goal }, found('app', what), 'the bare bot', found('echo', what))
  return [of('start', 'ms', 'ratio <= 3.2', 'ms'), of('idle memory', 'MB', 'ratio <= 1.7', 'mb')]
}

// What is measured: orders of the app; its updates, start and memory beside the bare bot.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, figureOf, inRounds, type Measured } from './figure.ts'
import { type BenchWorld, deliveries, launch, openOutside, openSide, programs, type Side } from './sides.ts'

export async function allFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const measured of [orderFigures, updateFigures, startFigures]) figures.push(...(await measured(world)))
  return figures
}

/** From the tap on Generate to the song in the chat. */
async function orderFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, count] = world.isQuick ? [1, 5] : [3, 1000]
  const app = await openSide(world, programs.app, { GATEWAY_POLLS_PER_SECOND: '10000' })
  const found = await inRounds(rounds, { app: () => order(app, count) })
  await app.close()
  return [
    figureOf({ name: 'orders', unit: 'orders/s', goal: '>= 200 orders/s' }, found('app', 'rate')),
    figureOf({ name: 'processor time', unit: 'ms/order', goal: '<= 3.0 ms' }, found('app', 'cpu')),
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
  return [figureOf(told, rates('app', 'rate'), rates('echo', 'rate'))]
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
    figureOf({ name, unit, goal }, found('app', what), found('echo', what))
  return [of('start', 'ms', 'ratio <= 3.2', 'ms'), of('idle memory', 'MB', 'ratio <= 1.7', 'mb')]
}

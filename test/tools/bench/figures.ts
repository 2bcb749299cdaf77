// What is measured: orders of the app; its updates, start and memory beside the bare bot.

import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchWorld, launch, openOutside, openSide, type Side } from './sides.ts'

interface Named {
  readonly name: string
  readonly unit: string
  /** What the project wants; never asserted. */
  readonly goal: string
}

export interface Figure extends Named {
  /** The median of the rounds. */
  readonly app: number
  /** Of the bare bot: the median, and the median of the ratios of the rounds. */
  readonly bare?: { readonly value: number; readonly ratio: number }
}

export async function allFigures(world: BenchWorld): Promise<readonly Figure[]> {
  return [...(await orderFigures(world)), ...(await updateFigures(world)), ...(await startFigures(world))]
}

/** The values of one round, one for each figure. */
type Measure = () => Promise<readonly number[]>

/** Both sides take turns, so that other load on the machine affects them equally. The first round is a warm-up. */
async function measured(
  figures: readonly Named[],
  count: number,
  app: Measure,
  bare?: Measure,
): Promise<readonly Figure[]> {
  const rounds: { app: readonly number[]; bare: readonly number[] }[] = []
  for (let round = 0; round <= count; round += 1)
    rounds.push({ app: await app(), bare: (await bare?.()) ?? [] })
  return figures.map((figure, at) => {
    const of = (side: 'app' | 'bare') => rounds.slice(1).map((round) => round[side][at] ?? Number.NaN)
    const [own, other] = [of('app'), of('bare')]
    const ratios = own.map((value, round) => value / (other[round] ?? Number.NaN))
    return {
      ...figure,
      app: median(own),
      ...(bare && { bare: { value: median(other), ratio: median(ratios) } }),
    }
  })
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The methods that bring the song of an order. */
const deliveries = ['editMessageMedia', 'sendAudio']

/** From the tap on Generate to the song in the chat. All people order at once; the gateway calls back 300 ms after each order. */
async function orderFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, count] = world.isQuick ? [1, 5] : [3, 1000]
  const { people, telegram, usage, close } = await openSide(world, world.programs.app)
  const order = async () => {
    const taps = await people.prepareOrders(count)
    const delivered = telegram.counts(count, ({ method }) => deliveries.includes(method))
    const cpuBefore = usage().cpuMs
    const begun = performance.now()
    telegram.give(taps)
    await delivered
    return [(count / (performance.now() - begun)) * 1000, (usage().cpuMs - cpuBefore) / count]
  }
  const figures = [
    { name: 'orders', unit: 'orders/s', goal: '>= 200 orders/s' },
    { name: 'processor time', unit: 'ms/order', goal: '<= 3.0 ms' },
  ]
  const found = await measured(figures, rounds, order)
  await close()
  return found
}

/** So many that no person exceeds the app's limit of updates. */
const manyPeople = 3000

/** `/balance` by long polling: stored, claimed, balance read, answered. */
async function updateFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, ofApp, ofEcho] = world.isQuick ? [1, 20, 20] : [5, 6000, 10_000]
  const app = await openSide(world, world.programs.app)
  const echo = await openSide(world, world.programs.echo)
  const rateOf = async ({ telegram, people }: Side, count: number) => {
    const updates = Array.from({ length: count }, (_, at) => people.says(at % manyPeople, '/balance'))
    const answered = telegram.counts(count, ({ method }) => method === 'sendMessage')
    const begun = performance.now()
    telegram.give(updates)
    await answered
    return [(count / (performance.now() - begun)) * 1000]
  }
  const figures = [{ name: 'updates', unit: 'updates/s', goal: 'ratio >= 1.0' }]
  const found = await measured(
    figures,
    rounds,
    () => rateOf(app, ofApp),
    () => rateOf(echo, ofEcho),
  )
  await Promise.all([app.close(), echo.close()])
  return found
}

/**
 * The fixed costs of a process: the time from its start to its first answer, an update waiting, and its memory when idle. The app starts
 * with its database migrated.
 */
async function startFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const [rounds, idleMs] = world.isQuick ? [1, 100] : [7, 3000]
  const outside = await openOutside(world)
  const { telegram, people } = outside
  const start = (program: string) => async () => {
    const answered = telegram.counts(1, ({ method }) => method === 'sendMessage')
    telegram.give([people.says(0, '/balance')])
    const begun = performance.now()
    const launched = launch(outside, program)
    await answered
    const ms = performance.now() - begun
    const { usage, stop } = await launched
    await sleep(idleMs)
    const { rssMb } = usage()
    await stop()
    return [ms, rssMb]
  }
  const figures = [
    { name: 'start', unit: 'ms', goal: 'ratio <= 3.2' },
    { name: 'idle memory', unit: 'MB', goal: 'ratio <= 1.7' },
  ]
  const found = await measured(figures, rounds, start(world.programs.app), start(world.programs.echo))
  await outside.close()
  return found
}

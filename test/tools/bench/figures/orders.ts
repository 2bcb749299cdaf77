// Orders of one process, from the tap on Generate to the song in the chat: of the app and of the usual stack.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Held } from '../gateway.ts'
import { inTime } from '../serve.ts'
import { type BenchWorld, openSide, programs, type Side } from '../sides.ts'
import { compare, type Figure, type Found, inRounds, type Measured, percentile } from './figure.ts'

const sizes = { full: { rounds: 3, orders: 1000, calls: 400 }, quick: { rounds: 1, orders: 5, calls: 5 } }
const callsPerSecond = 100

export async function orderFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const { rounds, orders, calls } = sizes[world.isQuick ? 'quick' : 'full']
  const ordered = await besides(world, rounds, { GATEWAY_POLLS_PER_SECOND: '10000' }, (side) =>
    order(side, orders),
  )
  // No task is polled while it waits for its callback.
  const called = await besides(world, rounds, { POLL_INTERVAL_MS: '60000' }, (side) => callBack(side, calls))
  const other = 'the usual stack'
  return [
    compare(
      { name: 'orders', unit: 'orders/s', goal: '>= 200 orders/s' },
      ordered('app', 'rate'),
      other,
      ordered('usual', 'rate'),
    ),
    compare(
      { name: 'processor time', unit: 'ms/order', goal: '<= 3.0 ms' },
      ordered('app', 'cpu'),
      other,
      ordered('usual', 'cpu'),
    ),
    compare(
      { name: 'callback to message, p99', unit: 'ms', goal: '<= 100 ms' },
      called('app', 'p99'),
      other,
      called('usual', 'p99'),
    ),
  ]
}

async function besides(
  world: BenchWorld,
  rounds: number,
  settings: Readonly<Record<string, string>>,
  measure: (side: Side) => Promise<Measured>,
): Promise<Found> {
  const app = await openSide(world, programs.app, { settings })
  const usual = await openSide(world, programs.usualStack)
  const found = await inRounds(rounds, { app: () => measure(app), usual: () => measure(usual) })
  await Promise.all([app.close(), usual.close()])
  return found
}

/** The methods that bring the song. */
const deliveries = ['editMessageMedia', 'sendAudio']

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
  await evenly(held, ({ person, complete }) => {
    calledAt.set(person, performance.now())
    complete()
  })
  return { p99: percentile(await arriving, 0.99) }
}

async function evenly(all: readonly Held[], call: (held: Held) => void): Promise<void> {
  const begun = performance.now()
  for (const [at, held] of all.entries()) {
    const dueIn = begun + (at / callsPerSecond) * 1000 - performance.now()
    if (dueIn > 0) await sleep(dueIn)
    call(held)
  }
}

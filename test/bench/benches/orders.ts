// Measures orders through the whole app, compared with their SQL statements alone, and with their statements and requests.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import type { Bench, BenchWorld } from '../bench.ts'
import { compare, inRounds, timesIn } from '../frame/rounds.ts'
import { type RunningApp, startApp } from '../machine/app.ts'
import type { Launched } from '../machine/launcher.ts'
import { startGateway } from '../outside/gateway.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates } from '../outside/updates.ts'
import { makeTemplate, quoteOf, seedQuotes } from '../seed/orders.ts'
import { seedPeople } from '../seed/people.ts'
import { recordOrder } from '../seed/record.ts'
import type { Recorded } from '../seed/recorded.ts'
import { openReplay } from '../seed/replay.ts'

const sizes = { full: { rounds: 3, orders: 1000 }, quick: { rounds: 1, orders: 8 } }

export const orders: Bench = {
  name: 'orders',
  title: 'Orders per second, from the tap on Generate to the sound in the chat',
  method:
    'One process of the app with a pool of 10; the gateway is ready after 300 ms and calls back. Of two processes, one takes the updates and the other one the callbacks, on whichever core is free. The statements and requests of an order are recorded from the app, without those of the inbox and the queues. One baseline repeats the statements over 10 connections, prepared; the other one is a process on the core of the app that repeats both.',
  async run(world) {
    const { rounds, orders } = sizes[world.isQuick ? 'quick' : 'full']
    const sides = await openSides(world, timesIn(rounds) * 5 * orders + 2)
    let from = 2
    const next = () => {
      from += orders
      return from - orders
    }
    const app = () => measure(sides.telegram, sides.app, next(), orders)
    const database = async () => ({ rate: await sides.replay.run(next(), orders) })
    const loop = () => measure(sides.loopTelegram, sides.loop, next(), orders)
    const ofOne = await inRounds(rounds, { app, database, loop })
    await sides.startSecond()
    const both = async () => ({ rate: await rateOf(sides.telegram, next(), orders) })
    const ofTwo = await inRounds(rounds, { app: both, database })
    await sides.close()
    const told = { unit: 'orders/s', better: 'higher' } as const
    const alone = { ...told, against: 'its statements alone' }
    const whole = { against: 'its statements and requests' }
    const cpu = { ...whole, name: 'processor time', unit: 'ms/order', better: 'lower' } as const
    return [
      compare({ ...alone, name: 'app / database' }, ofOne('app', 'rate'), ofOne('database', 'rate')),
      compare({ ...told, ...whole, name: 'app / bare loop' }, ofOne('app', 'rate'), ofOne('loop', 'rate')),
      compare(cpu, ofOne('app', 'cpu'), ofOne('loop', 'cpu')),
      compare(
        { ...alone, name: 'two processes / database' },
        ofTwo('app', 'rate'),
        ofTwo('database', 'rate'),
      ),
    ]
  },
}

async function openSides(world: BenchWorld, count: number) {
  const database = await seeded(world, count)
  // The app would claim the orders of the replay if both had one database.
  const replayed = await seeded(world, count)
  const telegram = await startTelegram()
  const loopTelegram = await startTelegram()
  const recorded = await recordOrder({ database: replayed, telegram }, 0, 1)
  let second: RunningApp | undefined
  const gateway = await startGateway({ callBackMs: 300, callBackTo: () => second?.url })
  const loopGateway = await startGateway({ callBackMs: 300 })
  const outside = { database, telegram, gateway }
  const app = await startApp(world, outside)
  const replay = await openReplay(replayed, recorded)
  const loop = await startLoop(world, recorded, {
    DATABASE_URL: replayed.url,
    TELEGRAM_API_ROOT: loopTelegram.url,
    GATEWAY_URL: loopGateway.url,
  })
  await loopTelegram.asked()
  return {
    telegram,
    app,
    loopTelegram,
    loop,
    replay,
    async startSecond() {
      second = await startApp(world, outside, {}, { isSecond: true })
    },
    async close() {
      await Promise.all([app, second, loop].map((one) => one?.stop()))
      await replay.close()
      for (const one of [telegram, loopTelegram, gateway, loopGateway, database, replayed]) await one.close()
    },
  }
}

/** Starts the baseline with the recorded order in a file. */
async function startLoop(
  { launcher }: BenchWorld,
  recorded: Recorded,
  env: Readonly<Record<string, string>>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-order-'))
  const file = join(folder, 'recorded')
  await writeFile(file, serialize(recorded))
  const loop = launcher.launch('test/bench/programs/order-loop.ts', { ...env, RECORDED_FILE: file })
  return {
    usage: loop.usage,
    async stop() {
      await loop.stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function seeded({ server }: BenchWorld, count: number) {
  const database = await server.clone()
  await seedPeople(database.sql, count)
  await seedQuotes(database.sql, await makeTemplate(database), 0, count)
  return database
}

const { taps } = createUpdates()

/** @returns the orders per second, and the processor time of each in milliseconds */
async function measure(
  telegram: TelegramStub,
  { usage }: Pick<Launched, 'usage'>,
  from: number,
  count: number,
) {
  const before = usage().cpuMs
  const rate = await rateOf(telegram, from, count)
  return { rate, cpu: (usage().cpuMs - before) / count }
}

async function rateOf(telegram: TelegramStub, from: number, count: number): Promise<number> {
  const tapped = Array.from({ length: count }, (_, at) => taps(from + at, `q:${quoteOf(from + at)}`))
  const delivered = telegram.heard('editMessageMedia', count)
  const start = performance.now()
  telegram.give(tapped)
  await delivered
  return (count / (performance.now() - start)) * 1000
}

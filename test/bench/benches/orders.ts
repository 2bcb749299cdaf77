// Measures orders through the whole app, compared with their SQL statements alone.

import type { Bench, BenchWorld } from '../bench.ts'
import { compare, inRounds, timesIn } from '../frame/rounds.ts'
import { type RunningApp, startApp } from '../machine/app.ts'
import { startGateway } from '../outside/gateway.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates } from '../outside/updates.ts'
import { makeTemplate, quoteOf, seedQuotes } from '../seed/orders.ts'
import { seedPeople } from '../seed/people.ts'
import { recordOrder } from '../seed/record.ts'
import { openReplay } from '../seed/replay.ts'

const sizes = { full: { rounds: 3, orders: 1000 }, quick: { rounds: 1, orders: 8 } }

export const orders: Bench = {
  name: 'orders',
  title: 'Orders per second, from the tap on Generate to the sound in the chat',
  method:
    'One process of the app with a pool of 10; the gateway is ready after 300 ms and calls back. Of two processes, one takes the updates and the other one the callbacks, on whichever core is free. The baseline says the statements of an order (recorded from the app, without those of the queues) over 10 connections, prepared.',
  async run(world) {
    const { rounds, orders } = sizes[world.isQuick ? 'quick' : 'full']
    const sides = await openSides(world, timesIn(rounds) * 4 * orders + 2)
    let from = 2
    const next = () => {
      from += orders
      return from - orders
    }
    const told = { unit: 'orders/s', better: 'higher', against: 'its statements alone' } as const
    const compareAs = async (name: string) => {
      const rates = await inRounds(rounds, {
        app: async () => ({ rate: await rateOf(sides.telegram, next(), orders) }),
        database: async () => ({ rate: await sides.replay.run(next(), orders) }),
      })
      return compare({ ...told, name }, rates('app', 'rate'), rates('database', 'rate'))
    }
    const byOne = await compareAs('app / database')
    await sides.startSecond()
    const byTwo = await compareAs('two processes / database')
    await sides.close()
    return [byOne, byTwo]
  },
}

async function openSides(world: BenchWorld, count: number) {
  const database = await seeded(world, count)
  // The app would claim the orders of the replay if both had one database.
  const replayed = await seeded(world, count)
  const telegram = await startTelegram()
  const silent = await startGateway()
  const recorded = await recordOrder({ database: replayed, telegram, gateway: silent }, 0, 1)
  await silent.close()
  let second: RunningApp | undefined
  const gateway = await startGateway({ callBackMs: 300, callBackTo: () => second?.url })
  const outside = { database, telegram, gateway }
  const app = await startApp(world, outside)
  const replay = await openReplay(replayed, recorded)
  return {
    telegram,
    replay,
    async startSecond() {
      second = await startApp(world, outside, {}, { isSecond: true })
    },
    async close() {
      await Promise.all([app, second].map((one) => one?.stop()))
      await replay.close()
      await telegram.close()
      await gateway.close()
      await database.close()
      await replayed.close()
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

async function rateOf(telegram: TelegramStub, from: number, count: number): Promise<number> {
  const tapped = Array.from({ length: count }, (_, at) => taps(from + at, `q:${quoteOf(from + at)}`))
  const delivered = telegram.heard('editMessageMedia', count)
  const start = performance.now()
  telegram.give(tapped)
  await delivered
  return (count / (performance.now() - start)) * 1000
}

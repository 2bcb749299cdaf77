// Measures updates through the whole app, compared with bots that only echo.

import type { Bench, BenchWorld } from '../bench.ts'
import { compare, inRounds } from '../frame/rounds.ts'
import { startApp } from '../machine/app.ts'
import { startBot } from '../machine/bare.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates } from '../outside/updates.ts'
import { seedPeople } from '../seed/people.ts'

const sizes = {
  full: { rounds: 7, app: 6000, bare: 10_000 },
  quick: { rounds: 1, app: 20, bare: 20 },
}

export const updates: Bench = {
  name: 'updates',
  title: 'Updates per second, from Telegram to the answer',
  method:
    '`/balance` of 3000 known people by long polling: stored, claimed, conversation state and ledger read, answered. The bots echo.',
  async run(world) {
    const { rounds, app, bare } = sizes[world.isQuick ? 'quick' : 'full']
    const sides = await openSides(world)
    const [appAt, runnerAt, startAt] = sides.telegrams
    const rates = await inRounds(rounds, {
      app: () => rateOf(appAt, app),
      runner: () => rateOf(runnerAt, bare),
      start: () => rateOf(startAt, bare),
    })
    await sides.close()
    const told = { unit: 'updates/s', better: 'higher' } as const
    return [
      compare(
        { ...told, name: 'app / runner', against: 'grammY with its runner' },
        rates('app', 'rate'),
        rates('runner', 'rate'),
      ),
      compare(
        { ...told, name: 'app / bot.start', against: 'grammY with bot.start', tolerance: 3 },
        rates('app', 'rate'),
        rates('start', 'rate'),
      ),
    ]
  },
}

async function openSides(world: BenchWorld) {
  const database = await world.server.clone()
  await seedPeople(database.sql, people)
  const telegrams = [await startTelegram(), await startTelegram(), await startTelegram()] as const
  const processes = [
    await startApp(world, { database, telegram: telegrams[0] }, { ROLE: 'bot' }),
    await startBot(world, 'echo-runner', telegrams[1]),
    await startBot(world, 'echo-start', telegrams[2]),
  ]
  return {
    telegrams,
    async close() {
      await Promise.all(processes.map((one) => one.stop()))
      await Promise.all(telegrams.map((one) => one.close()))
      await database.close()
    },
  }
}

/** So many people that no person exceeds the app's limit of updates. */
const people = 3000
const { says } = createUpdates()

async function rateOf(telegram: TelegramStub, count: number): Promise<{ rate: number }> {
  const told = Array.from({ length: count }, (_, at) => says(at % people, '/balance'))
  const answered = telegram.heard('sendMessage', count)
  const start = performance.now()
  telegram.give(told)
  await answered
  return { rate: (count / (performance.now() - start)) * 1000 }
}

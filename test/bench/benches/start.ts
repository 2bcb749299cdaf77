// The idle cost of the app: its start, its memory, its disk space.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, World } from '../bench.ts'
import { compare, inRounds } from '../frame/rounds.ts'
import { startApp } from '../machine/app.ts'
import { startBot } from '../machine/bare.ts'
import type { Launched } from '../machine/launcher.ts'
import type { BenchDatabase } from '../machine/server.ts'
import { imageMb, packageMb } from '../machine/weight.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates } from '../outside/updates.ts'
import { seedPeople } from '../seed/people.ts'

const sizes = { full: { rounds: 7, idleMs: 3000 }, quick: { rounds: 1, idleMs: 100 } }

export const start: Bench = {
  name: 'start',
  title: 'A cold start, idle memory, and megabytes of an image',
  method:
    'From the start of the process to the first answer, an update waiting, the database migrated, nothing compiled before; then a while of silence. The image: packages of production, src without the sandbox, drizzle; without Node and ffmpeg.',
  async run(world) {
    const { rounds, idleMs } = sizes[world.isQuick ? 'quick' : 'full']
    const database = await world.server.clone()
    await seedPeople(database.sql, 1)
    const found = await inRounds(rounds, {
      app: () => startOnce(idleMs, (telegram) => startTheApp(world, database, telegram)),
      bare: () => startOnce(idleMs, (telegram) => startBot(world, 'echo-start', telegram, {}, true)),
    })
    await database.close()
    const told = { better: 'lower', against: 'a bare grammY bot' } as const
    return [
      compare({ ...told, name: 'first answer', unit: 'ms' }, found('app', 'ms'), found('bare', 'ms')),
      compare({ ...told, name: 'idle memory', unit: 'MB' }, found('app', 'mb'), found('bare', 'mb')),
      compare({ ...told, name: 'image', unit: 'MB', tolerance: 1.2 }, [imageMb()], [packageMb('grammy')]),
    ]
  },
}

const startTheApp = (world: World, database: BenchDatabase, telegram: TelegramStub) =>
  startApp(world, { database, telegram }, {}, { isCold: true })

const { says } = createUpdates()

async function startOnce(
  idleMs: number,
  launch: (telegram: TelegramStub) => Promise<Launched>,
): Promise<{ ms: number; mb: number }> {
  const telegram = await startTelegram()
  telegram.give([says(0, '/balance')])
  const answered = telegram.heard('sendMessage', 1)
  const began = performance.now()
  const launched = await launch(telegram)
  await answered
  const ms = performance.now() - began
  await sleep(idleMs)
  const { rssMb: mb } = launched.usage()
  await launched.stop()
  await telegram.close()
  return { ms, mb }
}

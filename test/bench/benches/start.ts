// Measures the fixed costs of the app: the time of a start, memory when idle, disk space.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { compare, inRounds } from '../frame/rounds.ts'
import { startApp } from '../machine/app.ts'
import { startBot } from '../machine/bare.ts'
import type { Launched } from '../machine/launcher.ts'
import { imageMb, packageMb } from '../machine/weight.ts'
import { startTelegram, type TelegramStub } from '../outside/telegram.ts'
import { createUpdates } from '../outside/updates.ts'
import { seedPeople } from '../seed/people.ts'

const sizes = { full: { rounds: 7, idleMs: 3000 }, quick: { rounds: 1, idleMs: 100 } }

export const start: Bench = {
  name: 'start',
  title: 'A cold start, idle memory, and megabytes of an image',
  method:
    'The bundle, from the start of the process to the first answer, an update waiting, the database migrated; then a while of silence. Nothing compiled before, and with a filled compile cache, as in our image. The image: packages of production, the bundle, locales, drizzle; without Node and ffmpeg.',
  async run(world) {
    const { rounds, idleMs } = sizes[world.isQuick ? 'quick' : 'full']
    const database = await world.server.clone()
    await seedPeople(database.sql, 1)
    const app = (isCold: boolean) =>
      startOnce(idleMs, (telegram) => startApp(world, { database, telegram }, {}, { isCold }))
    const bare = (isCold: boolean) =>
      startOnce(idleMs, (telegram) => startBot(world, 'echo-start', telegram, {}, isCold))
    const found = await inRounds(rounds, {
      app: () => app(true),
      bare: () => bare(true),
      'compiled app': () => app(false),
      'compiled bare': () => bare(false),
    })
    await database.close()
    const told = { better: 'lower', against: 'a bare grammY bot' } as const
    const [ms, mb] = [{ ...told, unit: 'ms' } as const, { ...told, unit: 'MB' } as const]
    const compiled = {
      ms: 'first answer, compiled before',
      cpu: 'processor time to the first answer, compiled before',
      mb: 'idle memory, compiled before',
    } as const
    return [
      compare({ ...ms, name: 'first answer' }, found('app', 'ms'), found('bare', 'ms')),
      compare({ ...ms, name: compiled.ms }, found('compiled app', 'ms'), found('compiled bare', 'ms')),
      compare({ ...ms, name: compiled.cpu }, found('compiled app', 'cpu'), found('compiled bare', 'cpu')),
      compare({ ...mb, name: 'idle memory' }, found('app', 'mb'), found('bare', 'mb')),
      compare({ ...mb, name: compiled.mb }, found('compiled app', 'mb'), found('compiled bare', 'mb')),
      compare(
        { ...told, name: 'image', unit: 'MB', tolerance: 1.2 },
        [await imageMb()],
        [packageMb('grammy')],
      ),
    ]
  },
}

const { says } = createUpdates()

async function startOnce(
  idleMs: number,
  launch: (telegram: TelegramStub) => Promise<Launched>,
): Promise<{ ms: number; cpu: number; mb: number }> {
  const telegram = await startTelegram()
  telegram.give([says(0, '/balance')])
  const answered = telegram.heard('sendMessage', 1)
  const began = performance.now()
  const launched = await launch(telegram)
  await answered
  const ms = performance.now() - began
  const { cpuMs: cpu } = launched.usage()
  await sleep(idleMs)
  const { rssMb: mb } = launched.usage()
  await launched.stop()
  await telegram.close()
  return { ms, cpu, mb }
}

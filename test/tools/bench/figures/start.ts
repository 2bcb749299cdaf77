// The fixed costs of a process, against the bare bot: the time from its start to its first answer, an update waiting, and its memory when
// idle. The app starts from the bundle, with its database migrated, without a compile cache.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Launched } from '../machine/launcher.ts'
import { type BenchWorld, launch, type Outside, openOutside, programs } from '../sides.ts'
import { compare, type Figure, inRounds, type Measured } from './figure.ts'

const sizes = { full: { rounds: 7, idleMs: 3000 }, quick: { rounds: 1, idleMs: 100 } }

export async function startFigures(world: BenchWorld): Promise<readonly Figure[]> {
  const { rounds, idleMs } = sizes[world.isQuick ? 'quick' : 'full']
  const outside = await openOutside(world)
  const startCold = (program: string) => () =>
    startOnce(outside, idleMs, () => launch(world.launcher, outside, program, { isCold: true }))
  const found = await inRounds(rounds, { app: startCold(programs.app), echo: startCold(programs.echo) })
  await outside.close()
  const of = (name: string, unit: string, goal: string, what: string) =>
    compare({ name, unit, goal }, found('app', what), 'the bare bot', found('echo', what))
  return [of('start', 'ms', 'ratio <= 3.2', 'ms'), of('idle memory', 'MB', 'ratio <= 1.7', 'mb')]
}

async function startOnce(
  { telegram, people }: Outside,
  idleMs: number,
  start: () => Promise<Launched>,
): Promise<Measured> {
  const answered = telegram.heard(['sendMessage'], 1)
  telegram.give([people.says(0, '/balance')])
  const begun = performance.now()
  const launched = start()
  await answered
  const ms = performance.now() - begun
  const { usage, stop } = await launched
  await sleep(idleMs)
  const { rssMb: mb } = usage()
  await stop()
  return { ms, mb }
}

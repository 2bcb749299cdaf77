// The tracker alone: nobody calls back, and each task is looked at about once a second.

import type { Figure, World } from '../bench.ts'
import { compare, inRounds, type Measured } from '../frame/rounds.ts'
import { percentile } from '../frame/statistics.ts'
import { chatIn, type TelegramStub } from '../outside/telegram.ts'
import { firstPerson } from '../outside/updates.ts'
import type { Tasks } from './tasks.ts'

/** Something that brings results into chats. */
export interface Line {
  readonly telegram: TelegramStub
  /** Where it is called back. */
  readonly url: string
  /** How it brings them. */
  readonly method: string
}

/** From the moment of each task to its message; the n-th task is the n-th person's. */
export async function delaysUntil(
  { telegram, method }: Line,
  count: number,
  since: (n: number) => number,
): Promise<Measured> {
  const taken: number[] = []
  const stop = telegram.listen((heard, body, at) => {
    if (heard === method) taken.push(at - since(chatIn(body) - firstPerson))
  })
  await telegram.heard(method, count)
  stop()
  return { p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) }
}

interface Size {
  readonly rounds: number
  /** In flight together. */
  readonly tasks: number
  /** They become ready one after another within so long. */
  readonly seconds: number
  /** Until everything has been looked at once. */
  readonly settleMs: number
}

export async function looksAlone(world: World, tasks: Tasks, size: Size): Promise<Figure[]> {
  const { app, bare, take, readyAt } = tasks
  const ready = (those: readonly number[]) => {
    const from = performance.now() + size.settleMs
    for (const [at, n] of those.entries()) readyAt.set(n, from + (at / those.length) * size.seconds * 1000)
  }
  const wait = (line: typeof app) => delaysUntil(line, size.tasks, (n) => readyAt.get(n) ?? Number.NaN)
  const found = await inRounds(size.rounds, {
    async app() {
      const those = take(size.tasks)
      ready(those)
      const taken = wait(app)
      await tasks.follow(those)
      return taken
    },
    async bare() {
      ready(Array.from({ length: size.tasks }, (_, n) => n))
      const taken = wait(bare)
      const loop = world.launcher.launch('test/bench/programs/poll-loop.ts', {
        GATEWAY_URL: tasks.gatewayUrl,
        TELEGRAM_API_ROOT: bare.telegram.url,
        TASKS: String(size.tasks),
        PER_SECOND: String(size.tasks),
      })
      await taken
      await loop.stop()
      return taken
    },
  })
  const told = { unit: 'ms', better: 'lower', against: 'a bare loop at the same pace' } as const
  return ['p50', 'p99'].map((what) =>
    compare({ ...told, name: `no callbacks, ${what}` }, found('app', what), found('bare', what)),
  )
}

// Measures the tracker without callbacks: each task is polled about once a second.

import type { BenchWorld, Figure } from '../bench.ts'
import { compare, inRounds, type Measured } from '../frame/rounds.ts'
import { percentile } from '../frame/statistics.ts'
import { chatIn, type TelegramStub } from '../outside/telegram.ts'
import { firstPerson } from '../outside/updates.ts'
import type { Tasks } from './tasks.ts'

/** A program that delivers results into chats. */
export interface Line {
  readonly telegram: TelegramStub
  /** The addresses for callbacks, which take turns. */
  readonly urls: readonly string[]
  /** The method of the Bot API by which it delivers. */
  readonly method: string
}

/** The time from each task's completion to its message; the n-th task belongs to the n-th person. */
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
  /** Tasks in flight at the same time. */
  readonly tasks: number
  /** The period within which they become ready, one after another. */
  readonly seconds: number
  /** The time until every task has been polled once. */
  readonly settleMs: number
}

export async function looksAlone(world: BenchWorld, tasks: Tasks, size: Size): Promise<Figure[]> {
  const { app, bare, takeFresh, readyAt } = tasks
  const ready = (those: readonly number[]) => {
    const from = performance.now() + size.settleMs
    for (const [at, n] of those.entries()) readyAt.set(n, from + (at / those.length) * size.seconds * 1000)
  }
  const wait = (line: typeof app) => delaysUntil(line, size.tasks, (n) => readyAt.get(n) ?? Number.NaN)
  const found = await inRounds(size.rounds, {
    async app() {
      const those = takeFresh(size.tasks)
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

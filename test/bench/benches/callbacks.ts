// Measures the time from the completion of a task to the message in the chat: with callbacks, and with polls alone.

import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Bench, Figure } from '../bench.ts'
import { compare, inRounds, type Measured, timesIn } from '../frame/rounds.ts'
import { callBack } from '../outside/gateway.ts'
import { tokenOf } from '../seed/orders.ts'
import { delaysUntil, type Line, looksAlone } from './looks.ts'
import { openTasks, type Tasks } from './tasks.ts'

const mostRate = 300

const sizes = {
  full: {
    rounds: 3,
    rates: [10, 100, mostRate],
    seconds: 4,
    looks: { tasks: 100, seconds: 5, settleMs: 1500 },
  },
  quick: {
    rounds: 1,
    rates: [10, 100, mostRate],
    seconds: 0.1,
    looks: { tasks: 4, seconds: 0.1, settleMs: 300 },
  },
}

export const callbacks: Bench = {
  name: 'callbacks',
  title: 'From the callback to the sound in the chat',
  method:
    'Tasks in flight are called back evenly at each rate. The app: callback stored, look, capture, download, upload, status message. The baseline: one look and one message by undici for each callback. Without callbacks each task is looked at about once a second. The second process is on whichever core is free.',
  async run(world) {
    const { rounds, rates, seconds, looks } = sizes[world.isQuick ? 'quick' : 'full']
    const counts = [...rates, mostRate].map((rate) => Math.ceil(rate * seconds))
    const called = counts.reduce((sum, count) => sum + count, 0) * timesIn(rounds)
    const tasks = await openTasks(world, called, looks.tasks * timesIn(rounds))
    const figures: Figure[] = []
    for (const rate of rates) figures.push(...(await atRate(tasks, { rounds, rate, seconds })))
    figures.push(...(await looksAlone(world, tasks, { rounds, ...looks })))
    const both = { ...tasks, app: await tasks.startSecond() }
    figures.push(...(await atRate(both, { rounds, rate: mostRate, seconds, by: ' by two processes' })))
    await tasks.close()
    return figures
  },
}

interface Calls {
  readonly rounds: number
  /** Completions per second. */
  readonly rate: number
  readonly seconds: number
  readonly by?: string
}

async function atRate(
  { app, bare, takeCalled }: Pick<Tasks, 'app' | 'bare' | 'takeCalled'>,
  { rounds, rate, seconds, by = '' }: Calls,
): Promise<Figure[]> {
  const count = Math.ceil(rate * seconds)
  const found = await inRounds(rounds, {
    app: () => delays(app, rate, takeCalled(count)),
    bare: () =>
      delays(
        bare,
        rate,
        Array.from({ length: count }, (_, n) => n),
      ),
  })
  const told = { unit: 'ms', better: 'lower', against: 'one look, one message' } as const
  return ['p50', 'p99'].map((what) =>
    compare(
      { ...told, name: `${rate}/s${by}, ${what}`, tolerance: what === 'p99' ? 6 : 4 },
      found('app', what),
      found('bare', what),
    ),
  )
}

async function delays(line: Line, rate: number, tasks: readonly number[]): Promise<Measured> {
  const dispatcher = new Agent({ connections: 50 })
  const calledAt = new Map<number, number>()
  const delays = delaysUntil(line, tasks.length, (n) => calledAt.get(n) ?? Number.NaN)
  const begun = performance.now()
  for (const [at, n] of tasks.entries()) {
    const dueIn = begun + (at / rate) * 1000 - performance.now()
    if (dueIn > 0) await sleep(dueIn)
    calledAt.set(n, performance.now())
    callBack(dispatcher, `${line.urls[at % line.urls.length]}/callbacks/${tokenOf(n)}`, `seeded-${n}`)
  }
  const taken = await delays
  await dispatcher.close()
  return taken
}

// Looks after payments while nobody asks: unpaid links every little while, what providers list and the refunds that were begun
// at the start and hourly. Any number of processes may run one.

import { checkDueLinks } from './links.ts'
import type { ProviderId } from './provider.ts'
import { reconcile } from './reconcile.ts'
import { resumeRefunds } from './refunds.ts'
import type { TopUpDeps } from './top-ups.ts'

export interface TopUpWatch {
  start(): void
  /** Takes nothing new and waits for what runs. */
  stop(): Promise<void>
}

const hourMs = 60 * 60_000

export function createTopUpWatch(deps: TopUpDeps): TopUpWatch {
  const { clock, log, providers, pollIntervalMs } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const read = new Map<ProviderId, number>()
  const loops: Promise<void>[] = []

  async function attempt<T>(work: () => Promise<T>, event: string): Promise<T | undefined> {
    return work().catch((error: unknown) => void log.error({ error }, event))
  }

  const look = async () => {
    while (!signal.aborted) {
      const looked = await attempt(() => checkDueLinks(deps), 'due top-ups can not be read')
      if (!looked) await clock.wait(pollIntervalMs / 3, signal)
    }
  }

  const compare = async () => {
    while (!signal.aborted) {
      await attempt(() => resumeRefunds(deps), 'refunds can not be resumed')
      for (const provider of providers) {
        if (!provider.history) continue
        const compared = () => reconcile(deps, provider, read.get(provider.id))
        const next = await attempt(compared, `payments of ${provider.id} can not be compared`)
        if (next !== undefined) read.set(provider.id, next)
      }
      await clock.wait(hourMs, signal)
    }
  }

  return {
    start() {
      loops.push(compare())
      if (providers.some(({ way }) => way.by === 'link')) loops.push(look())
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

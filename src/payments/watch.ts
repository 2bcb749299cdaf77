// Background work on payments: unpaid links are polled when they are due; refunds that were begun, the providers' lists, and what follows
// a credit are processed at the start and every hour. Any number of processes may run it.

import { type QueueLoop, queueIdleMs } from '../db/due-watch.ts'
import { hourMs } from '../runtime/durations.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { checkDueLinks, nextLinkDue } from './links.ts'
import type { ProviderId } from './providers.ts'
import { reconcile } from './reconcile.ts'
import { resumeRefunds } from './refunds.ts'
import type { TopUpDeps } from './top-ups.ts'

export function createTopUpWatch(deps: TopUpDeps): readonly Loop[] {
  const { log, providers } = deps
  /** The first entry of each provider's list that is still to be read. */
  const nextEntry = new Map<ProviderId, number>()

  /** Logs a failure, so that the other providers are processed nevertheless. */
  async function attempt<T>(run: () => Promise<T>, event: string): Promise<T | undefined> {
    return run().catch((error: unknown) => void log.error({ error }, event))
  }

  const compare = async () => {
    await attempt(() => resumeRefunds(deps), 'refunds cannot be resumed')
    await attempt(async () => deps.followUp?.catchUp(), 'credits cannot be followed up')
    for (const provider of providers) {
      if (!provider.history) continue
      const compareList = () => reconcile(deps, provider, nextEntry.get(provider.id))
      const next = await attempt(compareList, `payments of ${provider.id} cannot be compared`)
      if (next !== undefined) nextEntry.set(provider.id, next)
    }
    return false
  }

  const hourly = createLoop(deps, { pass: compare, idleMs: hourMs, failed: 'payments cannot be compared' })
  return providers.some(({ way }) => way.by === 'link') ? [hourly, linkLoop(deps)] : [hourly]
}

const linkLoop = (deps: TopUpDeps): QueueLoop => ({
  ...createLoop(deps, {
    pass: () => checkDueLinks(deps).then(Boolean),
    idleMs: queueIdleMs,
    failed: 'due top-ups cannot be read',
  }),
  nextDue: nextLinkDue,
})

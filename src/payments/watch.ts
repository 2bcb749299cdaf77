// Looks after payments while nobody asks: unpaid links every little while, what providers list and the refunds that were begun
// at the start and hourly. Any number of processes may run one.

import { createLoop, type Loop } from '../runtime/loop.ts'
import { checkDueLinks } from './links.ts'
import type { ProviderId } from './providers.ts'
import { reconcile } from './reconcile.ts'
import { resumeRefunds } from './refunds.ts'
import type { TopUpDeps } from './top-ups.ts'

const hourMs = 60 * 60_000

export function createTopUpWatch(deps: TopUpDeps): readonly Loop[] {
  const { log, providers, pollIntervalMs } = deps
  const read = new Map<ProviderId, number>()

  /** One provider that does not answer keeps nobody else from being looked at. */
  async function attempt<T>(work: () => Promise<T>, event: string): Promise<T | undefined> {
    return work().catch((error: unknown) => void log.error({ error }, event))
  }

  const compare = async () => {
    await attempt(() => resumeRefunds(deps), 'refunds can not be resumed')
    for (const provider of providers) {
      if (!provider.history) continue
      const compared = () => reconcile(deps, provider, read.get(provider.id))
      const next = await attempt(compared, `payments of ${provider.id} can not be compared`)
      if (next !== undefined) read.set(provider.id, next)
    }
    return false
  }

  const failed = 'due top-ups can not be read'
  const links = { pass: () => checkDueLinks(deps).then(Boolean), idleMs: pollIntervalMs / 3, failed }
  return [
    createLoop(deps, { pass: compare, idleMs: hourMs, failed: 'payments can not be compared' }),
    ...(providers.some(({ way }) => way.by === 'link') ? [createLoop(deps, links)] : []),
  ]
}

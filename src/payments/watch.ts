// Background work on payments: unpaid links are polled when they are due; refunds that were begun, the providers' lists of payments and
// refunds, and what follows a credit are processed at the start and every hour. Any number of processes may run it.

import { hourMs } from '../runtime/clock.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { queuePollMs } from '../runtime/queue-worker.ts'
import { checkDueLinks } from './links.ts'
import { checkListedRefunds } from './listed-refunds.ts'
import type { ProviderMethods } from './provider.ts'
import type { Provider, ProviderId } from './providers.ts'
import { reconcile } from './reconcile.ts'
import { resumeRefunds } from './refunds.ts'
import type { TopUpDeps } from './top-ups.ts'
import { createUnlistedCheck } from './unlisted.ts'

export function createTopUpWatch(deps: TopUpDeps): readonly Loop[] {
  const { log, providers } = deps
  /** The first entry of each provider's list that is still to be read. */
  const nextEntry = new Map<ProviderId, number>()
  const unlisted = new Map(providers.map(({ id }) => [id, createUnlistedCheck(deps, id)]))

  /** Logs a failure, so that the other providers are processed nevertheless. */
  async function attempt(run: () => Promise<void>, event: string): Promise<void> {
    await run().catch((error: unknown) => log.error({ error }, event))
  }

  const compareWith = async (provider: Provider) => {
    const { id, way, history } = provider
    if (way.by === 'link') await checkListedRefunds(deps, id, way)
    if (history) await compareList(provider, history)
  }

  const compareList = async (provider: Provider, history: NonNullable<ProviderMethods['history']>) => {
    const { id } = provider
    const from = nextEntry.get(id)
    const charges = new Set<string>()
    const collecting = async (offset: number) => {
      const page = await history(offset)
      if (from !== undefined) for (const { chargeId } of page.movements) charges.add(chargeId)
      return page
    }
    nextEntry.set(id, await reconcile(deps, { ...provider, history: collecting }, from))
    await unlisted.get(id)?.(charges)
  }

  const compare = async () => {
    await attempt(() => resumeRefunds(deps), 'refunds cannot be resumed')
    await attempt(async () => deps.followUp?.catchUp(), 'credits cannot be followed up')
    for (const provider of providers) {
      await attempt(() => compareWith(provider), `payments of ${provider.id} cannot be compared`)
    }
    return false
  }

  const hourly = createLoop(deps, { pass: compare, idleMs: hourMs, failed: 'payments cannot be compared' })
  return providers.some(({ way }) => way.by === 'link') ? [hourly, linkLoop(deps)] : [hourly]
}

const linkLoop = (deps: TopUpDeps): Loop =>
  createLoop(deps, {
    pass: () => checkDueLinks(deps).then(() => false),
    idleMs: queuePollMs,
    failed: 'due top-ups cannot be read',
  })

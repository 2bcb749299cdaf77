// The generations table as a queue. A claim takes due rows under a lease, the longest due first, and every write of a worker names that
// lease, so that a worker that was suspended past its lease changes nothing. A claim adds 1 to `claims`, and every release sets it to 0:
// `claims - 1` processes in a row have ended, or lost the lease, during their work on the row.

import { and, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../db/queue.ts'
import { generations } from '../db/schema.ts'
import type { Claim } from '../runtime/queue-worker.ts'
import {
  changeGeneration,
  type Generation,
  type GenerationChange,
  type GenerationDeps,
} from './generation.ts'

/** `orders`: everything that asks the gateway or ends an order. `deliveries`: what is sent into the chat, which may be slow. */
export type QueueName = 'orders' | 'deliveries'

/** With literals: the planner does not match a partial index with parameters. */
const isOf: Readonly<Record<QueueName, SQL>> = {
  orders: sql`delivery <> 'pending'`,
  deliveries: sql`delivery = 'pending'`,
}

type Deps = Pick<GenerationDeps, 'db'>

/** @returns the claimed rows, the longest due first */
export async function claim({ db }: Deps, queue: QueueName, claim: Claim): Promise<Generation[]> {
  const due = and(isOf[queue], lte(generations.nextCheckAt, claim.now))
  const rows = await db
    .update(generations)
    .set(claimed(generations, claim))
    .where(isClaimable(generations, { due, order: generations.nextCheckAt }, claim))
    .returning()
  return rows.sort((a, b) => (a.nextCheckAt?.getTime() ?? 0) - (b.nextCheckAt?.getTime() ?? 0))
}

/** The leases of both queues. */
export const leasesOfGenerations = ({ db }: Deps) =>
  leasesOf<Generation>(db, generations, sql`next_check_at is not null`)

/** How many processes in a row have ended during their work on a claimed row. */
export const endedProcesses = ({ claims }: Pick<Generation, 'claims'>): number => Math.max(0, claims - 1)

/** Releases these rows to other processes, except those that were being submitted: a submit must not be repeated. */
export async function releaseGenerations({ db }: Deps, held: readonly Generation[]): Promise<void> {
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  const leases = held.flatMap(({ lease }) => lease ?? [])
  const isOurs = and(inArray(generations.id, ids), inArray(generations.lease, leases))
  await db
    .update(generations)
    .set(released)
    .where(and(isOurs, ne(generations.state, 'submitting')))
}

/**
 * Writes under the lease and releases it; undefined when another worker has taken the row over.
 * @param also further statements, which do not depend on the lease
 */
export const writeAndRelease = (
  deps: Deps,
  held: Generation,
  change: GenerationChange,
  also: readonly SQL[] = [],
): Promise<Generation | undefined> => write(deps, held, { ...change, ...released }, also)

/** Writes under the lease and keeps it; undefined when another worker has taken the row over. */
export function write(
  { db }: Deps,
  held: Generation,
  change: GenerationChange,
  also: readonly SQL[] = [],
): Promise<Generation | undefined> {
  const parts = also.map((statement, at) => ({ name: `also_${at}`, statement }))
  return changeGeneration(db, change, isHeld(generations, held), parts)
}

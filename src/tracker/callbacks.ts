// A callback carries no proof of origin, so it only makes the tracker look now. Its address is unguessable and belongs to one
// generation; for an order whose submit got no answer it also names candidates for the task (reveal.ts).

import { sql } from 'drizzle-orm'
import { isFree } from '../db/leased-queue.ts'
import { joined, readRows } from '../db/row-reader.ts'
import { generations, salesStops } from '../db/schema.ts'
import { timestamp, withParts } from '../db/sql.ts'
import {
  deliveryIs,
  type Generation,
  type GenerationDeps,
  generationRow,
  isAwaited,
  stateIs,
} from '../generations/generation.ts'
import { claimInto, type Lease, type Places } from '../generations/place.ts'
import { isUnreachable } from '../sales/sales.ts'
import type { Candidate } from './callback-body.ts'
import { isLostLately, storing } from './candidates.ts'

export interface CallbackStoreDeps extends Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs'> {
  readonly places: Places
}

interface Called {
  /** Whether the token belongs to a generation. */
  readonly isKnown: boolean
  /** Whether the callback has made a look due that could not begin at once. */
  readonly isDue: boolean
}

/**
 * Records a callback with one statement, which writes nothing for an order that has ended. The look begins at once if there is a place
 * for it. For an order whose submit is not answered yet only the time of the callback is written: the look then follows the answer.
 */
export async function receiveCallback(
  deps: CallbackStoreDeps,
  token: string,
  candidates: readonly Candidate[],
): Promise<Called> {
  const place = deps.places.reserve('look')
  const store = (lease: Lease) => storeCallback(deps, token, candidates, lease)
  const called = await claimInto(place, store, (row) => (row?.woken ? { generation: row.woken } : undefined))
  if (!called) return { isKnown: false, isDue: false }
  const isLooking = place !== undefined && called.woken?.lease === place.lease
  const isWoken = called.woken !== undefined && called.woken.state !== 'submitting'
  return { isKnown: true, isDue: !isLooking && (isWoken || candidates.length > 0) }
}

async function storeCallback(
  { db, clock, pollIntervalMs }: CallbackStoreDeps,
  token: string,
  candidates: readonly Candidate[],
  { lease, leaseUntil }: Lease,
): Promise<{ readonly woken: Generation | undefined } | undefined> {
  const now = timestamp(clock.now())
  // The least time between two looks at one task, however many callbacks come.
  const gap = timestamp(clock.now(), -(pollIntervalMs / 4))
  const called = sql`
    select id, state, ${isLostLately(clock.now())} as is_lost_lately from ${generations} where callback_token = ${token}`
  // While the gateway cannot be reached, looks are left to the queue, which sends one request at a time then.
  const canLook = sql`(${lease}::text is not null and ${stateIs('running')} and ${isFree(generations, clock.now())}
    and coalesce(last_check_at <= ${gap}, true) and not exists (select from ${salesStops} where ${isUnreachable}))`
  const woken = sql`
    update ${generations} set callback_at = ${now},
      lease = case when ${canLook} then ${lease}::text else lease end,
      lease_until = case when ${canLook} then ${timestamp(leaseUntil)} else lease_until end,
      next_check_at = case when ${stateIs('submitting')} then next_check_at
        else least(next_check_at, greatest(${now}, ${now} + (last_check_at - ${gap}))) end
    where id in (select id from called) and (${stateIs('submitting', 'running')} or ${isAwaited})
    returning *`
  // An order whose refund is not explained yet is left out: the explanation is sent before the next look.
  const awaited = sql`
    update ${generations} set next_check_at = ${now}
    where id in (select id from called where is_lost_lately) and not ${deliveryIs('pending')}`
  const named = [...storing(candidates, now), { name: 'awaited', statement: awaited }]
  const parts = [
    { name: 'called', statement: called },
    ...(candidates.length > 0 ? named : []),
    { name: 'woken', statement: woken },
  ]
  const select = sql`
    select ${generationRow.columnsOf('woken')} from called left join woken on woken.id = called.id`
  const [row] = await readRows(db, withParts(parts, select), joined(generationRow))
  return row && { woken: row[0] }
}

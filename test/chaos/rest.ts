// When nothing goes wrong any more, everything must come to an end soon: within half a minute, in which the clocks leap over
// the times that are meant to be waited (a lost order is waited for ten minutes, a task that never ends half an hour).

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Violation } from './checks/check.ts'
import type { World } from './world.ts'

const minute = 60_000
/** Real milliseconds for each stretch, and by how much the clocks leap after it. */
const stretches = [
  { atMostMs: 10_000, leapMs: 11 * minute },
  { atMostMs: 6_000, leapMs: 31 * minute },
  { atMostMs: 14_000, leapMs: 0 },
]

const unfinished = z.object({
  orders: z.coerce.number(),
  /** Of these, those that wait for a time that is far off. */
  waiting: z.coerce.number(),
  held: z.coerce.number(),
  turns: z.coerce.number(),
  deliveries: z.coerce.number(),
  updates: z.coerce.number(),
})
type Unfinished = z.output<typeof unfinished>

export interface Rest {
  readonly seconds: number
  readonly violations: readonly Violation[]
}

export async function comeToRest(world: World): Promise<Rest> {
  const began = performance.now()
  await Promise.all(world.fleet.members.map((member) => member.up()))
  for (const { atMostMs, leapMs } of stretches) {
    const left = await waitFor(world, atMostMs, leapMs > 0 ? isCalm : isOver)
    if (isOver(left)) break
    if (leapMs > 0) world.fleet.leap(leapMs)
  }
  const left = await look(world)
  const seconds = (performance.now() - began) / 1000
  if (isOver(left)) return { seconds, violations: [] }
  const fact = JSON.stringify({ ...left, ...(await whatHolds(world)) })
  return { seconds, violations: [{ check: 'everything comes to an end', about: 'processes', fact }] }
}

/** Claimed by somebody who does nothing, or claimed by nobody; and whether the gateway is asked at all. */
async function whatHolds({ database: { sql } }: World): Promise<object> {
  const rows = await sql`
    select state, lease is not null as claimed, count(*)::integer as count,
      min(next_check_at) as "dueSince", max(lease_until) as "leaseUntil"
    from generations where next_check_at is not null group by 1, 2`
  const stops = await sql`select cause, until from sales_stops`
  return { rows: [...rows], stops: [...stops] }
}

const isOver = ({ orders, held, turns, deliveries, updates }: Unfinished) =>
  orders + held + turns + deliveries + updates === 0

/** Nothing moves but by the clock. */
const isCalm = ({ orders, waiting, turns, deliveries, updates }: Unfinished) =>
  orders === waiting && turns + deliveries + updates === 0

async function waitFor(world: World, atMostMs: number, isEnough: (left: Unfinished) => boolean) {
  const end = performance.now() + atMostMs
  let left = await look(world)
  while (!isEnough(left) && performance.now() < end) {
    await sleep(200)
    left = await look(world)
  }
  return left
}

async function look({ database: { sql }, outside }: World): Promise<Unfinished> {
  const [found] = await sql`
    select (select count(*) from generations where settled_at is null) as orders,
      (select count(*) from generations where state = 'unknown' or state = 'running' and request::text like '%[stuck]%')
        as waiting,
      (select coalesce(sum(held), 0) from balances) as held,
      (select count(*) from turns where state = 'streaming' or delivery = 'pending') as turns,
      (select count(*) from generations where settled_at is not null and next_check_at is not null) as deliveries,
      (select count(*) from updates where done_at is null) as updates`
  const untold = z
    .array(z.object({ pending: z.boolean() }))
    .parse(await (await fetch(`${outside.url}/api/updates`)).json())
  const left = unfinished.parse(found)
  return { ...left, updates: left.updates + untold.filter(({ pending }) => pending).length }
}

// The end of a run: no more faults are injected, and all work must finish. The run waits while the amount of unfinished work changes; then
// it advances the app's clock past the long deadlines (ten minutes for a lost order, half an hour for a stuck task). After that the gateway
// completes the stuck tasks, and the clock is advanced to their next poll: their results are delivered late.

import { z } from 'zod'
import { listSetAside, retrySetAside } from '../../../src/updates/inbox.ts'
import { ask } from './ask.ts'
import type { Violation } from './checks/check.ts'
import { everybody } from './journal.ts'
import { marksIn } from './users/ordering.ts'
import type { ChaosWorld } from './world.ts'

const minute = 60_000
/** The time by which the app's clock is advanced after each wait; the last wait ends the run. */
const leaps = [11 * minute, 31 * minute, 13 * minute, 0]
/** A wait ends after this time without a change. The longest pause before a retry of an update, five minutes of app time, is shorter. */
const stillMs = 16_000
/** The limit of all waits together, even if the unfinished work keeps changing. */
const mostMs = 2 * minute
const lookMs = 200

const unfinished = z.object({
  orders: z.coerce.number(),
  /** The orders that wait for a distant deadline; a part of `orders`. */
  waiting: z.coerce.number(),
  /** The waiting orders whose submit got no answer; they are refunded after ten minutes. */
  unknown: z.coerce.number(),
  /** Refunded orders whose task is still polled. */
  awaited: z.coerce.number(),
  held: z.coerce.number(),
  turns: z.coerce.number(),
  deliveries: z.coerce.number(),
  notices: z.coerce.number(),
  broadcasts: z.coerce.number(),
  updates: z.coerce.number(),
})

interface Unfinished extends z.output<typeof unfinished> {
  /** Updates that Telegram still has to deliver; after failures it pauses for up to a minute of real time. */
  readonly untold: number
}

export interface Rest {
  readonly seconds: number
  readonly violations: readonly Violation[]
  /** Marks of the commands that were set aside and retried. */
  readonly retried: ReadonlySet<string>
  /** The people who sent these updates. */
  readonly retriedOf: ReadonlySet<number>
}

export async function comeToRest(world: ChaosWorld): Promise<Rest> {
  const { clock, journal, fleet, outside } = world
  const began = clock.now().getTime()
  const retry = createRetry(world)
  await Promise.all(fleet.members.map((member) => member.up()))
  const late: Violation[] = []
  for (const [at, leapMs] of leaps.entries()) {
    const isEnough = [isCalm, isCalmLater, isSettled][at] ?? isOver
    const left = await waitFor(world, isEnough, began + mostMs, retry.all)
    if (at > 0) late.push(...notGivenBack(left))
    if (isOver(left)) break
    if (isEnough === isSettled) await ask(`${outside.url}/api/gateway/release`, 'POST')
    if (leapMs > 0) journal.note(everybody, `the app's clock is advanced by ${leapMs / minute} min`)
    clock.leap(leapMs)
  }
  const seconds = (clock.now().getTime() - began) / 1000
  return {
    seconds,
    violations: [...late, ...(await unended(world))],
    retried: retry.marks,
    retriedOf: retry.people,
  }
}

const notGivenBack = ({ unknown }: Unfinished): readonly Violation[] =>
  unknown === 0
    ? []
    : [
        {
          check: 'a lost order is given back after ten minutes',
          about: 'processes',
          fact: `${unknown} are not`,
        },
      ]

async function unended(world: ChaosWorld): Promise<readonly Violation[]> {
  const left = await look(world)
  if (isOver(left)) return []
  const fact = JSON.stringify({ ...left, ...(await whatHolds(world)) })
  return [{ check: 'everything comes to an end', about: 'processes', fact }]
}

/**
 * Does what an operator would do: retries updates that were set aside because two processes ended while they handled them. Each is
 * retried once, since no process is killed any more.
 */
function createRetry({ database: { db }, clock, journal }: ChaosWorld) {
  const retried = new Set<number>()
  const marks = new Set<string>()
  const people = new Set<number>()
  return {
    marks,
    people,
    async all() {
      for (const { id, body } of await listSetAside(db)) {
        if (retried.has(id)) continue
        retried.add(id)
        for (const mark of marksIn(body)) marks.add(mark)
        for (const [, from] of body.matchAll(/"from":\{"id":(\d+)/g)) people.add(Number(from))
        journal.count('updates set aside')
        await retrySetAside({ db, clock }, id)
      }
    },
  }
}

/** Facts for the report of a run that does not end: unfinished generations with and without a lease, and stops of sales. */
async function whatHolds({ database: { sql } }: ChaosWorld): Promise<object> {
  const rows = await sql`
    select state, lease is not null as claimed, count(*)::integer as count,
      min(next_check_at) as "dueSince", max(lease_until) as "leaseUntil"
    from generations where next_check_at is not null group by 1, 2`
  const stops = await sql`select cause, until from sales_stops`
  return { rows: [...rows], stops: [...stops] }
}

const isOver = ({ waiting: _w, unknown: _u, ...left }: Unfinished) =>
  Object.values(left).every((count) => count === 0)

/** Whether all work is done, except for polling the tasks of refunded orders. */
const isSettled = ({ awaited: _a, ...left }: Unfinished) => isOver({ ...left, awaited: 0 })

/** Whether only orders with a distant deadline are left. */
const isCalm = ({ orders, waiting, unknown: _u, held: _h, awaited: _a, ...left }: Unfinished) =>
  orders === waiting && Object.values(left).every((count) => count === 0)

/** Whether only orders with a stuck task are left, as expected after ten minutes. */
const isCalmLater = (left: Unfinished) => left.unknown === 0 && isCalm(left)

/** Waits until the condition holds, nothing has changed for `stillMs`, or the time `end` is reached. */
async function waitFor(
  world: ChaosWorld,
  isEnough: (left: Unfinished) => boolean,
  end: number,
  retry: () => Promise<void>,
): Promise<Unfinished> {
  const { clock } = world
  let [left, movedAt] = [await look(world), clock.now().getTime()]
  for (;;) {
    await retry()
    const now = clock.now().getTime()
    const next = await look(world)
    if (next.untold > 0 || JSON.stringify(next) !== JSON.stringify(left)) movedAt = now
    left = next
    if (isEnough(left) || now - movedAt > stillMs || now > end) return left
    await clock.wait(lookMs)
  }
}

async function look({ database: { sql }, outside }: ChaosWorld): Promise<Unfinished> {
  const [found] = await sql`
    select (select count(*) from generations where settled_at is null) as orders,
      (select count(*) from generations where state = 'unknown' or state = 'running' and request::text like '%[stuck]%')
        as waiting,
      (select count(*) from generations where state = 'unknown') as unknown,
      (select count(*) from generations where settled_at is not null and next_check_at is not null and delivery <> 'pending')
        as awaited,
      (select coalesce(sum(held), 0) from accounts where kind = 'user') as held,
      (select count(*) from turns where state = 'streaming' or delivery = 'pending') as turns,
      (select count(*) from generations where delivery = 'pending') as deliveries,
      (select count(*) from notices where done_at is null) as notices,
      (select count(*) from broadcasts where state = 'running') as broadcasts,
      (select count(*) from updates where done_at is null or set_aside_at is not null) as updates`
  const told = z.array(z.object({ pending: z.boolean() })).parse(await ask(`${outside.url}/api/updates`))
  return { ...unfinished.parse(found), untold: told.filter(({ pending }) => pending).length }
}

// The end of a run: no more faults are injected, and all work must finish. The run waits while the amount of unfinished work changes; then
// it advances the app's clock past the long deadlines (ten minutes for a lost order, half an hour for a stuck task). After that the gateway
// completes the stuck tasks, and the clock is advanced to their next poll: their results are delivered late.

import { z } from 'zod'
import { listSetAside, retrySetAside } from '../../../src/updates/inbox.ts'
import { ask } from './books.ts'
import type { Violation } from './checks/evidence.ts'
import { everybody } from './journal.ts'
import { marksIn } from './users/ordering.ts'
import type { ChaosWorld } from './world.ts'

const minute = 60_000
/** A wait ends after this time without a change. The longest pause before a retry of an update, five minutes of app time, is shorter. */
const stillMs = 16_000
/** The limit of all waits together, even if the unfinished work keeps changing. */
const mostMs = 2 * minute
const lookMs = 200

const count = z.coerce.number()
const unfinished = z.object({
  orders: count,
  /** The orders that wait for a distant deadline; a part of `orders`. */
  waiting: count,
  /** The waiting orders whose submit got no answer; they are refunded after ten minutes. */
  unknown: count,
  /** Refunded orders whose task is still polled. */
  awaited: count,
  held: count,
  turns: count,
  deliveries: count,
  notices: count,
  updates: count,
})

interface Unfinished extends z.output<typeof unfinished> {
  /** Updates that Telegram still has to deliver; after failures it pauses for up to a minute of real time. */
  readonly untold: number
}

const isOver = ({ waiting: _w, unknown: _u, ...left }: Unfinished) =>
  Object.values(left).every((left) => left === 0)
/** Whether all work is done, except for polling the tasks of refunded orders. */
const isSettled = (left: Unfinished) => isOver({ ...left, awaited: 0 })
/** Whether only orders with a distant deadline are left. */
const isCalm = (left: Unfinished) =>
  left.orders === left.waiting && isOver({ ...left, orders: 0, held: 0, awaited: 0 })
/** Whether only orders with a stuck task are left, as expected after ten minutes. */
const isCalmLater = (left: Unfinished) => left.unknown === 0 && isCalm(left)

/** Each wait with the time by which the app's clock is advanced after it. */
const waits = [
  { isEnough: isCalm, leapMs: 11 * minute },
  { isEnough: isCalmLater, leapMs: 31 * minute },
  { isEnough: isSettled, leapMs: 13 * minute },
  { isEnough: isOver, leapMs: 0 },
]

export interface Rest {
  readonly seconds: number
  readonly violations: readonly Violation[]
  /** Marks of the commands that were set aside and retried. */
  readonly retried: ReadonlySet<string>
}

export async function comeToRest(world: ChaosWorld): Promise<Rest> {
  const { clock, journal, fleet, outside } = world
  const began = clock.now().getTime()
  const retry = createRetry(world)
  await Promise.all(fleet.members.map((member) => member.up()))
  const violations: Violation[] = []
  const violate = (check: string, fact: string) => void violations.push({ check, about: everybody, fact })
  let left = await look(world)
  for (const { isEnough, leapMs } of waits) {
    const isFirst = isEnough === isCalm
    left = await waitFor(world, isEnough, began + mostMs, retry.all)
    if (!isFirst && left.unknown > 0)
      violate('a lost order is given back after ten minutes', `${left.unknown} are not`)
    if (isOver(left)) break
    if (isEnough === isSettled) await ask(`${outside.url}/api/gateway/release`, 'POST')
    if (leapMs > 0) journal.note(everybody, `the app's clock is advanced by ${leapMs / minute} min`)
    clock.leap(leapMs)
  }
  if (!isOver(left)) violate('everything comes to an end', JSON.stringify(left))
  return { seconds: (clock.now().getTime() - began) / 1000, violations, retried: retry.marks }
}

/**
 * Does what an operator would do: retries updates that were set aside because two processes ended while they handled them. Each is
 * retried once, since no process is killed any more.
 */
function createRetry({ database: { db }, clock, journal }: ChaosWorld) {
  const retried = new Set<number>()
  const marks = new Set<string>()
  return {
    marks,
    async all() {
      for (const { id, body } of await listSetAside(db)) {
        if (retried.has(id)) continue
        retried.add(id)
        for (const mark of marksIn(body)) marks.add(mark)
        journal.count('updates set aside')
        await retrySetAside({ db, clock }, id)
      }
    },
  }
}

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
      (select count(*) from updates where done_at is null or set_aside_at is not null) as updates`
  const told = z.array(z.object({ pending: z.boolean() })).parse(await ask(`${outside.url}/api/updates`))
  return { ...unfinished.parse(found), untold: told.filter(({ pending }) => pending).length }
}

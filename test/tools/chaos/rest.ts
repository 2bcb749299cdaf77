// The end of a run: no more faults are injected, and all work must finish. The run waits while the amount of unfinished work changes; then
// it advances the app's clock past the long deadlines (ten minutes for a lost order, half an hour for a stuck task). After that the gateway
// completes the stuck tasks, whose results are delivered late at their next poll, and the app compares its payments with the providers.

import { z } from 'zod'
import { listSetAside, retrySetAside } from '../../../src/updates/inbox.ts'
import { ask, readBooks, type Violation } from './checks/evidence.ts'
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
  /** Orders without a distant deadline. */
  orders: count,
  turns: count,
  deliveries: count,
  notices: count,
  updates: count,
  /** Orders whose submit got no answer; they are refunded after ten minutes. */
  unknown: count,
  /** The money of these, and of orders with a stuck task. */
  held: count,
  /** Refunded orders whose task is still polled. */
  awaited: count,
  /** Payments, refusals and refunds of the providers that the app does not know; it compares them every hour. */
  uncompared: count,
})

interface Unfinished extends z.output<typeof unfinished> {
  /** Updates that Telegram still has to deliver; after failures it pauses for up to a minute of real time. */
  readonly untold: number
}

/** What may be left before the app's clock is advanced, each time by how much. */
const stages: readonly { mayBeLeft: readonly (keyof Unfinished)[]; leapMs: number; releases?: boolean }[] = [
  { mayBeLeft: ['unknown', 'held', 'awaited', 'uncompared'], leapMs: 11 * minute },
  { mayBeLeft: ['held', 'awaited', 'uncompared'], leapMs: 31 * minute },
  { mayBeLeft: ['awaited', 'uncompared'], leapMs: 13 * minute, releases: true },
  { mayBeLeft: ['uncompared'], leapMs: 61 * minute },
  { mayBeLeft: [], leapMs: 0 },
]

const isFinished = (left: Unfinished, mayBeLeft: readonly string[] = []): boolean =>
  Object.entries(left).every(([what, n]) => n === 0 || mayBeLeft.includes(what))

/** Waits until all work is finished. */
export async function comeToRest(world: ChaosWorld) {
  const { clock, journal, fleet, outside } = world
  const began = clock.now().getTime()
  const retried = new Map<number, string>()
  await Promise.all(fleet.members.map((member) => member.up()))
  let left = await look(world)
  for (const { mayBeLeft, leapMs, releases } of stages) {
    left = await waitFor(world, mayBeLeft, began + mostMs, retried)
    if (isFinished(left)) break
    if (releases) await ask(`${outside.url}/api/gateway/release`, 'POST')
    if (leapMs > 0) journal.note(everybody, `the app's clock is advanced by ${leapMs / minute} min`)
    clock.leap(leapMs)
  }
  const unfinishedWork: Violation = {
    check: 'everything comes to an end',
    about: everybody,
    fact: JSON.stringify(left),
  }
  return {
    /** The time from the last fault until all work was finished, by the harness's clock. */
    seconds: (clock.now().getTime() - began) / 1000,
    violations: isFinished(left) ? [] : [unfinishedWork],
    /** Marks of the commands that were set aside and retried. */
    retried: new Set([...retried.values()].flatMap(marksIn)),
  }
}

/**
 * Waits until nothing else is left, nothing has changed for `stillMs`, or the time `end` is reached.
 * @param retried the updates that were set aside and retried, with their bodies
 */
async function waitFor(
  world: ChaosWorld,
  mayBeLeft: readonly string[],
  end: number,
  retried: Map<number, string>,
): Promise<Unfinished> {
  const { clock } = world
  let [left, movedAt] = [await look(world), clock.now().getTime()]
  for (;;) {
    await retryAll(world, retried)
    const now = clock.now().getTime()
    const next = await look(world)
    if (next.untold > 0 || JSON.stringify(next) !== JSON.stringify(left)) movedAt = now
    left = next
    if (isFinished(left, mayBeLeft) || now - movedAt > stillMs || now > end) return left
    await clock.wait(lookMs)
  }
}

/**
 * Does what an operator would do: retries updates that were set aside because two processes ended while they handled them. Each is
 * retried once, since no process is killed any more.
 */
async function retryAll({ database: { db }, clock, journal }: ChaosWorld, retried: Map<number, string>) {
  for (const { id, body } of (await listSetAside(db)).filter((one) => !retried.has(one.id))) {
    retried.set(id, body)
    journal.count('updates set aside')
    await retrySetAside({ db, clock }, id)
  }
}

async function look({ database: { sql }, outside }: ChaosWorld): Promise<Unfinished> {
  const { paid, refunded, shop } = await readBooks(outside)
  const declined = shop.filter(({ status }) => status === 'canceled').map(({ id }) => id)
  const [found] = await sql`
    select (select count(*) from generations where settled_at is null
        and not (state = 'unknown' or state = 'running' and request::text like '%[stuck]%')) as orders,
      (select count(*) from generations where state = 'unknown') as unknown,
      (select count(*) from generations where settled_at is not null and next_check_at is not null and delivery <> 'pending')
        as awaited,
      (select coalesce(sum(held), 0) from accounts where kind = 'user') as held,
      (select count(*) from turns where state = 'streaming' or delivery = 'pending') as turns,
      (select count(*) from generations where delivery = 'pending') as deliveries,
      (select count(*) from notices where done_at is null) as notices,
      (select count(*) from updates where done_at is null or set_aside_at is not null) as updates,
      (select greatest(${paid.size} - count(*), 0) + greatest(${refunded.size} - count(refunded_at), 0) from payments)
        + (select count(*) from top_ups where state = 'open' and external_id = any (${declined})) as uncompared`
  const told = z.array(z.object({ pending: z.boolean() })).parse(await ask(`${outside.url}/api/updates`))
  return { ...unfinished.parse(found), untold: told.filter(({ pending }) => pending).length }
}

// The end of a run: no more faults are injected, and all work must finish. The run waits while the amount of unfinished work changes; then
// it advances the app's clock past the long deadlines (ten minutes for a lost order, half an hour for a stuck task). After that the gateway
// completes the stuck tasks, and the clock is advanced to their next poll: their results are delivered late.

import { z } from 'zod'
import { listSetAside, retrySetAside } from '../../../src/updates/inbox.ts'
import { ask, readBooks, type Violation } from './checks/evidence.ts'
import { everybody } from './journal.ts'
import { amountIn, wordsOf } from './users/chats.ts'
import { marksIn } from './users/ordering.ts'
import { createPhones } from './users/person.ts'
import type { Town } from './users/town.ts'
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
})

interface Unfinished extends z.output<typeof unfinished> {
  /** Updates that Telegram still has to deliver; after failures it pauses for up to a minute of real time. */
  readonly untold: number
}

const isNothing = (counts: object): boolean => Object.values(counts).every((one) => one === 0)

/** What must be finished before the app's clock is advanced, each time by how much. */
const waits = [
  {
    isEnough: ({ unknown: _u, held: _h, awaited: _a, ...left }: Unfinished) => isNothing(left),
    leapMs: 11 * minute,
  },
  { isEnough: ({ held: _h, awaited: _a, ...left }: Unfinished) => isNothing(left), leapMs: 31 * minute },
  {
    isEnough: ({ awaited: _a, ...left }: Unfinished) => isNothing(left),
    leapMs: 13 * minute,
    releases: true,
  },
  { isEnough: isNothing, leapMs: 0 },
]

export type Rest = Awaited<ReturnType<typeof comeToRest>>

/** In place of a rest, for a run whose violation is already known. */
export const atOnce: Rest = { seconds: 0, violations: [], retried: new Set(), balances: new Map() }

/** Waits until all work is finished, has everybody ask for the balance, and waits again. */
export async function comeToRest(world: ChaosWorld, town: Town) {
  const { clock } = world
  const began = clock.now().getTime()
  const retried = new Map<number, string>()
  const left = [await finishAll(world, retried)]
  const seconds = (clock.now().getTime() - began) / 1000
  const balances = await askForBalances(world, town)
  left.push(await finishAll(world, retried))
  return {
    /** The time from the last fault until all work was finished, by the harness's clock. */
    seconds,
    violations: left
      .filter((one) => !isNothing(one))
      .map(
        (one): Violation => ({
          check: 'everything comes to an end',
          about: everybody,
          fact: JSON.stringify(one),
        }),
      ),
    /** Marks of the commands that were set aside and retried. */
    retried: new Set([...retried.values()].flatMap(marksIn)),
    /** The amounts of the bot's answers in kopecks: to `/balance` by person, and to a wallet owner's `/wallet` by group id. */
    balances,
  }
}

/** @param retried the updates that were set aside and retried, with their bodies @returns what is still unfinished */
async function finishAll(world: ChaosWorld, retried: Map<number, string>): Promise<Unfinished> {
  const { clock, journal, fleet, outside } = world
  const end = clock.now().getTime() + mostMs
  await Promise.all(fleet.members.map((member) => member.up()))
  let left = await look(world)
  for (const { isEnough, leapMs, releases } of waits) {
    left = await waitFor(world, isEnough, end, retried)
    if (isNothing(left)) break
    if (releases) await ask(`${outside.url}/api/gateway/release`, 'POST')
    if (leapMs > 0) journal.note(everybody, `the app's clock is advanced by ${leapMs / minute} min`)
    clock.leap(leapMs)
  }
  return left
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

/** Waits until the condition holds, nothing has changed for `stillMs`, or the time `end` is reached. */
async function waitFor(
  world: ChaosWorld,
  isEnough: (left: Unfinished) => boolean,
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
    if (isEnough(left) || now - movedAt > stillMs || now > end) return left
    await clock.wait(lookMs)
  }
}

async function look({ database: { sql }, outside }: ChaosWorld): Promise<Unfinished> {
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
      (select count(*) from updates where done_at is null or set_aside_at is not null) as updates`
  const told = z.array(z.object({ pending: z.boolean() })).parse(await ask(`${outside.url}/api/updates`))
  return { ...unfinished.parse(found), untold: told.filter(({ pending }) => pending).length }
}

const hourMs = 61 * minute
const comparingMs = 10_000
const askingAtOnce = 8

/** Advances the app's clock by an hour, so that the app compares payments with the providers; then every person asks for the balance. */
async function askForBalances(world: ChaosWorld, town: Town): Promise<ReadonlyMap<number, number>> {
  const { settings, outside, chats, journal, database, chance, clock } = world
  const phones = createPhones(outside.url, chats, journal, settings.patienceMs)
  clock.leap(hourMs)
  const end = clock.now().getTime() + comparingMs
  while (clock.now().getTime() < end && !(await isCompared(world))) await clock.wait(lookMs)
  const said = new Map<number, number>()
  const answer = async (of: number, id: number, question: string, words: RegExp) => {
    const person = await phones.person(id, chance.stream(`last words ${id}`), new AbortController().signal)
    const told = await person.asks(question, (message) => words.test(wordsOf(message)))
    const text = told ? wordsOf(told) : ''
    const amount = amountIn(text.slice(text.search(words)))
    if (amount !== undefined) said.set(of, text.startsWith('You owe') ? -amount : amount)
  }
  const left = [...town.people]
  const askAll = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop())
      await answer(one, one, '/balance', /^(Balance:|You owe) ₽/)
  }
  await Promise.all(Array.from({ length: askingAtOnce }, askAll))
  const opened = await database.sql`select chat_id::float as id from accounts where kind = 'group'`
  for (const { id, owner } of town.groups.filter((group) => opened.some((one) => one.id === group.id)))
    await answer(id, owner, '/wallet', /^Left: ₽/m)
  await phones.close()
  return said
}

/** Whether the app knows all payments, refusals and refunds of the providers. */
async function isCompared({ outside, database: { sql } }: ChaosWorld): Promise<boolean> {
  const { paid, refunded, shop } = await readBooks(outside)
  const declined = shop.filter(({ status }) => status === 'canceled').map(({ id }) => id)
  const [known] = await sql`
    select count(*)::integer as paid, count(refunded_at)::integer as refunded,
      (select count(*)::integer from top_ups where state = 'open' and external_id = any (${declined})) as open
    from payments`
  return known?.paid >= paid.size && known?.refunded >= refunded.size && known?.open === 0
}

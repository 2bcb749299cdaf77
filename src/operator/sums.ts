// Sums over whole tables for the gauges. Only the rows of the last hours are read again: each process sums rows that are older than an hour
// only once, since transfers never change and ended generations stay ended. Once a day everything is read anew.

import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow, rows } from '../db/client.ts'
import { accounts, generations, transfers, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Figures } from '../metrics.ts'
import { type Clock, dayMs, hourMs } from '../runtime/clock.ts'

export type Sums = Pick<Figures, 'money' | 'balances' | 'users' | 'generations'>

type Counts = Readonly<Record<string, number>>

/** The sums of the rows that are no longer read. */
interface Closed {
  readonly until: Date
  readonly readAt: Date
  readonly money: Counts
  readonly ended: Counts
}

/** How long rows stay open: longer than a statement that adds a transfer can take, and longer than clocks differ. */
const openMs = hourMs
const closeEveryMs = 2 * hourMs
const anewMs = dayMs

export function createSums({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: Clock
}): () => Promise<Sums> {
  let closed: Closed | undefined
  return async () => {
    const now = clock.now()
    const isKnown = closed && now.getTime() - closed.readAt.getTime() < anewMs
    const before = isKnown ? closed : undefined
    const isDue = !before || now.getTime() - before.until.getTime() > openMs + closeEveryMs
    const current = isDue ? await close(db, before, now) : before
    closed = current
    return readSums(db, current)
  }
}

async function close(db: Database, before: Closed | undefined, now: Date): Promise<Closed> {
  const until = new Date(now.getTime() - openMs)
  const span = (time: SQL) =>
    before
      ? sql`${time} >= ${timestamp(before.until)} and ${time} < ${timestamp(until)}`
      : sql`${time} < ${timestamp(until)}`
  const money = await rows(db, moved(span(sql`created_at`)), movedRow)
  const ended = await rows(db, counted(span(sql`settled_at`)), named)
  return {
    until,
    readAt: before?.readAt ?? now,
    money: plus(before?.money, accountsOf(money)),
    ended: plus(before?.ended, countsOf(ended)),
  }
}

const count = z.coerce.number()
const named = z.object({ name: z.string(), value: count })
const movedRow = z.object({ credit: z.string(), debit: z.string(), amount: count })
const openRow = z.object({
  moved: z.array(movedRow),
  available: count,
  held: count,
  users: count,
})

const moved = (which: SQL) => sql`
  select credit, debit, sum(amount) as amount from ${transfers} where ${which} group by credit, debit`
const counted = (which: SQL) => sql`
  select state as name, count(*) as value from ${generations} where ${which} group by state`

/** Reads transfers and balances by one statement, so that they agree. */
async function readSums(db: Database, { until, money, ended }: Closed): Promise<Sums> {
  const since = timestamp(until)
  const open = sql`
    select coalesce(json_agg(json_build_object('credit', m.credit, 'debit', m.debit, 'amount', m.amount))
        filter (where m.credit is not null), '[]') as moved,
      max(b.available) as available, max(b.held) as held, max(u.users) as users
    from (select coalesce(sum(available), 0) as available, coalesce(sum(held), 0) as held from ${accounts} where kind = 'user') b
      cross join (select count(*) as users from ${users}) u
      left join (${moved(sql`created_at >= ${since}`)}) m on true`
  const states = sql`${counted(sql`settled_at >= ${since}`)} union all ${counted(sql`settled_at is null`)}`
  const [found, generationsSince] = await Promise.all([oneRow(db, open, openRow), rows(db, states, named)])
  return {
    money: plus(money, accountsOf(found.moved)),
    balances: { available: found.available, held: found.held },
    users: found.users,
    generations: plus(ended, countsOf(generationsSince)),
  }
}

/** Adds the values by name: two rows may have the same name. */
const countsOf = (found: readonly z.output<typeof named>[]): Counts =>
  found.reduce<Counts>((sums, { name, value }) => plus(sums, { [name]: value }), {})

const accountsOf = (found: readonly z.output<typeof movedRow>[]): Counts =>
  found.reduce<Counts>(
    (sums, { credit, debit, amount }) => plus(plus(sums, { [credit]: amount }), { [debit]: -amount }),
    {},
  )

function plus(one: Counts = {}, other: Counts): Counts {
  const names = Object.keys(other).map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const)
  return { ...one, ...Object.fromEntries(names) }
}

// Fills a migrated, empty database with the rows of an installation that has grown for two years. SQL inserts everything, and numbers are
// hashes of the row numbers, so that two runs make the same rows. The audit of the result is clean.

import type { Sql } from 'postgres'
import { money } from './seed-money.ts'
import { orders } from './seed-orders.ts'
import { answers, inbox, people } from './seed-people.ts'

/** Row counts at scale 1. */
export interface Size {
  readonly users: number
  readonly generations: number
  readonly turns: number
  readonly updates: number
  readonly deposits: number
}

const full: Size = {
  users: 200_000,
  generations: 3_000_000,
  turns: 1_200_000,
  updates: 30_000_000,
  deposits: 400_000,
}

export function sizeOf(scale: number): Size {
  const of = (count: number) => Math.max(20, Math.round(count * scale))
  return {
    users: of(full.users),
    generations: of(full.generations),
    turns: of(full.turns),
    updates: of(full.updates),
    deposits: of(full.deposits),
  }
}

interface Definition {
  readonly table: string
  readonly name: string
  readonly text: string
}

/**
 * Seeds all rows. Indexes and constraints are removed first and created again at the end, which takes a fraction of the time; foreign keys
 * and unique keys are checked then.
 * @param say called after each step
 */
export async function seed(sql: Sql, scale: number, say: (step: string) => void): Promise<void> {
  const size = sizeOf(scale)
  await sql.unsafe(functions)
  const restore = await removeIndexes(sql)
  for (const step of [...people(size), ...orders(size), ...answers(size), ...money(size), ...inbox(size)]) {
    await sql.unsafe(step.text)
    say(step.name)
  }
  await restore(say)
  await sql.unsafe('vacuum analyze')
  say('vacuum analyze')
}

/** `part(n, 'x')` is a number 0 ≤ x < 1 that depends only on its arguments; `word` makes an id. */
const functions = `
  create or replace function part(n bigint, about text) returns float8 language sql immutable parallel safe
    return (hashint8extended(n, hashtext(about)::bigint) & 2147483647) / 2147483648.0::float8;
  create or replace function word(about text, n bigint) returns text language sql immutable parallel safe
    return left(md5(about || n), 12);`

async function removeIndexes(sql: Sql) {
  const constraints = await sql<Definition[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
    order by array_position('{p,u,f}'::"char"[], contype)`
  const indexes = await sql<Definition[]>`
    select tablename as table, indexname as name, indexdef as text from pg_indexes
    where schemaname = 'public' and indexname not in (select conname from pg_constraint)`
  for (const { table, name } of constraints.toReversed()) {
    await sql.unsafe(`alter table ${table} drop constraint "${name}"`)
  }
  for (const { name } of indexes) await sql.unsafe(`drop index "${name}"`)
  return async (say: (step: string) => void) => {
    for (const { table, name, text } of constraints) {
      await sql.unsafe(`alter table ${table} add constraint "${name}" ${text}`)
    }
    say('keys')
    for (const { text } of indexes) await sql.unsafe(text)
    say('indexes')
  }
}

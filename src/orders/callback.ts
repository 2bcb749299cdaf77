// Callbacks of the gateway. They carry no proof of origin, so one only makes its order due now. The address is unguessable and belongs to one
// order. If the submit of that order got no answer, the ids in the callback are stored: one may be the task (poll.ts).

import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { generations, taskCandidates } from '../db/schema.ts'
import { jsonb, timestamp } from '../db/sql.ts'
import { type Ids, isSame } from '../runtime/ids.ts'
import { withExactIntegers } from '../runtime/text.ts'
import { type CallbackTokens, deliveryIs, type GenerationDeps, isAwaited, stateIs } from './generation.ts'
import { isLostLately } from './poll.ts'

/** Tokens have 100 random bits and a signature of 60 bits. @param secret known to this installation only: its bot token */
export function createCallbackTokens(secret: string, ids: Pick<Ids, 'secret'>): CallbackTokens {
  const sign = (random: string) =>
    [...createHmac('sha256', secret).update(`callback ${random}`).digest().subarray(0, 12)]
      .map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte % 32])
      .join('')
  return {
    make() {
      const random = ids.secret().slice(0, 20)
      return random + sign(random)
    },
    isSigned: (token) => isSame(token.slice(20), sign(token.slice(0, 20))),
  }
}

/**
 * Makes the next poll due now, or a little later if the task was just polled, and stores the ids if the order waits for its task. For an
 * order whose submit is not answered yet the poll follows the answer. An order that has ended does not change.
 * @param ids without duplicates, the most likely first
 * @returns false when the token belongs to no order
 */
export async function receiveCallback(
  { db, clock, pollIntervalMs }: Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs'>,
  token: string,
  ids: readonly string[],
): Promise<boolean> {
  const now = timestamp(clock.now())
  const apart = sql`${pollIntervalMs / 4}::double precision * interval '1 millisecond'`
  const statement = sql`
    with called as (
      select id from ${generations} where callback_token = ${token}
    ), woken as (
      update ${generations} set callback_at = ${now}, next_check_at = case
        when ${stateIs('submitting')} or ${deliveryIs('pending')} then next_check_at
        else least(next_check_at, greatest(${now}, last_check_at + ${apart})) end
      where id in (select id from called)
        and (${stateIs('submitting', 'unknown', 'running')} or ${isAwaited} or ${isLostLately(clock.now())})
      returning id, task_id
    ), named as (
      insert into ${taskCandidates} (generation_id, task_id, rank, told_at)
      select woken.id, named.id, named.rank, ${now}
      from woken, jsonb_array_elements_text(${jsonb(ids)}) with ordinality as named (id, rank) where woken.task_id is null
      on conflict (generation_id, task_id) do update set told_at = excluded.told_at
    )
    select id from called`
  return (await rows(db, statement, z.object({ id: z.string() }))).length > 0
}

/** The most ids that are taken from one callback, and the deepest level at which they may stand. */
const maxIds = 8
const maxDepth = 9

/** The ids that a callback may name its task by, in its query or its body: JSON, or the fields of a form. The most likely come first. */
export const idsOf = (query: string, body: string): readonly string[] =>
  idsIn([fieldsOf(query), parsed(body)])

function parsed(body: string): unknown {
  try {
    return JSON.parse(withExactIntegers(body))
  } catch {
    return fieldsOf(body)
  }
}

/** A name may occur more than once, and be a path such as `data[task][id]`. */
const fieldsOf = (form: string): unknown =>
  [...new URLSearchParams(form)].map(([name, value]) => {
    const [key = '', parent = ''] = name
      .split(/[[\].]+/)
      .filter(Boolean)
      .toReversed()
    return { [parent]: { [key]: value } }
  })

/** @param content any JSON value */
export function idsIn(content: unknown): readonly string[] {
  const named = [...valuesIn(content)].filter(({ id, rank }) => rank >= 0 && isId(id))
  const best = named.sort((a, b) => a.rank - b.rank).map(({ id }) => id)
  return [...new Set(best)].slice(0, maxIds)
}

interface Named {
  readonly id: string
  /** The less, the more likely; -1 for a value that has not the name of an id. */
  readonly rank: number
}

/** The names of task ids, the most likely first. */
const idNames = [/^tasks?((uu)?ids?)?$/, /^(uu)?ids?$/, /ids?$/]

/** The texts and numbers in the content. Elements of an array have its name. */
function* valuesIn(value: unknown, name = '', parent = '', depth = 0): Generator<Named> {
  if (typeof value === 'object' && value !== null && depth < maxDepth) {
    for (const [key, inner] of Object.entries(value))
      yield* Array.isArray(value)
        ? valuesIn(inner, name, parent, depth + 1)
        : valuesIn(inner, key, name, depth + 1)
  }
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  if (typeof value === 'string' || isWhole) yield { id: `${value}`.trim(), rank: rankOf(name, parent + name) }
}

function rankOf(...names: readonly string[]): number {
  const letters = names.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, ''))
  return idNames.findIndex((pattern) => letters.some((one) => pattern.test(one)))
}

/** Whether a text is usable as an id in the path of a request: `.` and `..` would change the path, and a URL is not an id. */
const isId = (text: string): boolean =>
  /^[^\s\p{C}"'<>{}[\]\\]{1,200}$/u.test(text) && /[\p{L}\p{N}]/u.test(text) && !text.includes('://')

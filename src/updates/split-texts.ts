// Joins the parts of a text that is longer than a message of Telegram: the user's client splits it, and each part is a message of its
// own. A long text is due a moment after it arrived. When it is handled, it is joined with the parts that wait behind it in its lanes.
// One statement joins them, so a process that ends leaves either all parts or the whole text.

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, type DbDeps, rows } from '../db/client.ts'
import { emptiedUpdate, isInLane, updates } from '../db/schema.ts'
import { jsonb, timestamp } from '../db/sql.ts'
import { topicOf } from '../telegram/send.ts'
import { messageLimit } from '../texts.ts'

interface Claimed {
  readonly id: number
  readonly update: Update
  readonly lease: string
}

/** How long a long text waits for its next part. */
export const momentMs = 1500
/** Characters of the longest rich message. */
const richLimit = 32_768
/** The largest difference between the times at which the client sent two parts. */
const apartSeconds = 3
const mostParts = 50

/** Whether a following part may arrive. */
export const mayGoOn = ({ message }: Update): boolean => isPart(message) && mayBeCut(message)

type Sent = NonNullable<Update['message']>
type Part = Sent & { readonly text: string }

/** Whether a message may be a part: only texts that the sender wrote, since a forwarded message is complete. */
const isPart = (message: Sent | undefined): message is Part =>
  message?.text !== undefined && !message.forward_origin && !message.via_bot

/** The longest text of one message, in UTF-16 units. */
const longest = ({ rich_message: rich }: Part): number => (rich ? richLimit : messageLimit)

/** Clients cut at the end of a line or a word if one is in the second half of the longest text. */
const mayBeCut = (part: Part): boolean => part.text.length > longest(part) / 2

function continues(before: Part, after: Sent | undefined): after is Part {
  if (!isPart(after) || !mayBeCut(before) || after.text.startsWith('/')) return false
  const replied = before.reply_to_message?.message_id
  return (
    after.date - before.date <= apartSeconds &&
    topicOf(after) === topicOf(before) &&
    (after.reply_to_message?.message_id ?? replied) === replied
  )
}

/**
 * Adds a part. A part of full length was cut anywhere; a shorter one at the end of a line or a word, and the white space there is lost.
 * @param last the part at the end of `before`
 */
function joined(before: Part, last: Part, after: Part): Part {
  const text = before.text + (last.text.length >= longest(last) ? '' : '\n')
  const moved = (after.entities ?? []).map((one) => ({ ...one, offset: one.offset + text.length }))
  return { ...before, text: text + after.text, entities: [...(before.entities ?? []), ...moved] }
}

/** The whole text, or the time to wait for its next part. */
type Gathered =
  | { readonly ok: true; readonly update: Update }
  | { readonly ok: false; readonly waitMs: number }
  /** The lease was lost. */
  | { readonly ok: false; readonly waitMs?: undefined }

/** Joins a claimed text with the parts that wait behind it. Any other update is returned unchanged. */
export async function gatherParts(deps: DbDeps, claimed: Claimed): Promise<Gathered> {
  const { update } = claimed
  const { message } = update
  if (!isPart(message) || !mayGoOn(update)) return { ok: true, update }
  let [whole, last]: [Part, Part] = [message, message]
  const ids: number[] = []
  for (const { id, body, received_at: receivedAt } of await waitingBehind(deps.db, claimed)) {
    const { message: next }: Update = JSON.parse(body)
    if (!continues(last, next)) break
    whole = joined(whole, last, next)
    last = next
    ids.push(id)
    const waitMs = receivedAt.getTime() + momentMs - deps.clock.now().getTime()
    if (mayBeCut(next) && waitMs > 0) return { ok: false, waitMs }
  }
  const text = { ...update, message: whole }
  if (ids.length === 0 || (await join(deps, claimed, text, ids))) return { ok: true, update: text }
  return { ok: false }
}

const behind = alias(updates, 'behind')
const waiting = z.object({ id: z.coerce.number(), body: z.string(), received_at: z.coerce.date() })

/** The following updates of the same person in the same chat; none is claimed before this one is finished. */
const waitingBehind = (db: Database, { id, update: { message } }: Claimed) =>
  rows(
    db,
    sql`
      select id, body, received_at from ${updates} behind
      where ${isInLane(behind)} and chat_id = ${message?.chat.id ?? null}::bigint
        and person_id = ${message?.from?.id ?? null}::bigint
        and seq > (select seq from ${updates} first where first.id = ${id}::bigint)
      order by seq limit ${mostParts}`,
    waiting,
  )

/** Stores the whole text in the first update and marks the others as handled. @returns false when the lease was lost */
async function join(
  { db, clock }: DbDeps,
  { id, lease }: Claimed,
  whole: Update,
  others: readonly number[],
): Promise<boolean> {
  const statement = sql`
    with held as (
      update ${updates} set body = ${JSON.stringify(whole)} where id = ${id}::bigint and lease = ${lease} returning id
    )
    update ${updates} part set done_at = ${timestamp(clock.now())}, ${emptiedUpdate} from held
    where part.id in (select value::bigint from jsonb_array_elements_text(${jsonb(others)})) and part.done_at is null
    returning part.id`
  const done = await rows(db, statement, z.object({ id: z.coerce.number() }))
  return done.length > 0
}

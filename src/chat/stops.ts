// Stops of answers that are being written. The row of an answer says that its user asked to stop it, so that a stop is not lost with the
// nudge about it: the process that writes the answer reads it when it renews the lease, and another one when it settles the answer of a
// process that died.

import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { conversations, turns } from '../db/schema.ts'
import { bigint, isOneOf } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'

/** The answer below which our Stop button is, or whose question was edited. */
interface OwnTurn {
  readonly turnId: string
  readonly userId: bigint
}

/** The answer whose draft Telegram's own Stop button ends. */
interface Drafted {
  readonly chatId: number
  /** The id of the draft, which is the message id of the question. An edited question keeps it, and so does its next answer. */
  readonly draftId: number
  /** The update that reports the tap. Answers to later updates did not exist at the tap. */
  readonly updateId: number
}

export type Stoppable = OwnTurn | Drafted

/** @returns the ids of the answers that are being written and should be stopped */
export async function askToStop(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  which: Stoppable,
): Promise<string[]> {
  const asked = await db
    .update(turns)
    .set({ stopAt: clock.now() })
    .where(and(isOneOf(turns.state, 'streaming'), 'turnId' in which ? isOwn(which) : isDrafted(which)))
    .returning({ id: turns.id })
  return asked.map(({ id }) => id)
}

const isOwn = ({ turnId, userId }: OwnTurn): SQL | undefined =>
  and(eq(turns.id, turnId), eq(turns.userId, userId))

/** Few answers are written at any moment, so the chat is looked up for each of them, and not the answers of the chat. */
const isDrafted = ({ chatId, draftId, updateId }: Drafted): SQL | undefined =>
  and(
    eq(turns.questionMessageId, draftId),
    lt(turns.updateId, updateId),
    sql`(select chat_id from ${conversations} c where c.id = ${turns.conversationId}) = ${bigint(chatId)}`,
  )

// The messages from which users pay: an invoice, or a link to a payment page. They are removed when nothing can be paid from them any more.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { messageNotes, topUps } from '../db/schema.ts'
import type { NoteKind } from '../telegram/message-notes.ts'

const about = z.strictObject({ topUpId: z.string() })

export const payMessage: NoteKind<z.output<typeof about>> = { name: 'pay-message', about }

const place = z.object({ chatId: z.coerce.number(), messageId: z.int() })

/** Takes the notes of the user's pay messages whose top-up is paid or has expired. Each message is returned once. */
export const takeSettledPayMessages = (
  db: Database,
  userId: bigint,
): Promise<readonly z.output<typeof place>[]> =>
  rows(
    db,
    sql`
      delete from ${messageNotes} n using ${topUps} t
      where n.user_id = ${userId}::bigint and n.kind = ${payMessage.name} and t.id = n.about->>'topUpId'
        and t.state <> 'open'
      returning n.chat_id::text as "chatId", n.message_id as "messageId"`,
    place,
  )

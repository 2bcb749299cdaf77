// Telegram's updates by webhook. The response is 200 only after the update was stored; otherwise Telegram sends it again.

import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { isSame, readJson } from './request.ts'

export const updatesPath = '/telegram'

export interface Intake {
  /** The secret that Telegram sends in a header of every update. */
  readonly secret: string
  /** @returns the status to answer with @throws when the update could not be stored */
  take(req: IncomingMessage): Promise<number>
}

const maxBytes = 1024 * 1024
const someone = z.looseObject({ id: z.int() })
const message = z.looseObject({ chat: someone, from: someone.optional() })
const tap = z.looseObject({ from: someone, message: z.looseObject({ chat: someone }).optional() })
/** The number of the update, and the fields that decide its lanes. grammY reads the rest as Telegram sent it. */
const shape = z.looseObject({
  update_id: z.int(),
  message: message.optional(),
  edited_message: message.optional(),
  callback_query: tap.optional(),
  my_chat_member: z.looseObject({ chat: someone, from: someone }).optional(),
})
const update = z.custom<Update>((value) => shape.safeParse(value).success)

/** The secret is derived from the bot token, so all processes of a bot use the same one. */
export function createIntake(botToken: string, store: (updates: readonly Update[]) => Promise<void>): Intake {
  const secret = createHmac('sha256', botToken).update('telegram webhook').digest('base64url')
  return {
    secret,
    async take(req) {
      const shown = String(req.headers['x-telegram-bot-api-secret-token'] ?? '')
      if (!isSame(shown, secret)) return 401
      const received = update.safeParse(await readJson(req, maxBytes))
      if (received.success) await store([received.data])
      // An invalid body stays invalid when it is sent again.
      return 200
    },
  }
}

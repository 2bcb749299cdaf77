// Telegram's updates by webhook. The response is 200 only after the update was stored; otherwise Telegram sends it again.

import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { isSame } from '../runtime/is-same.ts'
import type { WebhookSecrets } from '../updates/webhook-secrets.ts'
import { readJson } from './request.ts'

export const updatesPath = '/telegram'

export interface Intake {
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

/** Settings that all processes of a bot share. */
interface Keys {
  readonly botToken: string
  readonly gatewayKey: string
}

/** The webhook's secret. Made of two keys, so that neither the holder of a leaked token nor the gateway can send us updates. */
export const secretOf = ({ botToken, gatewayKey }: Keys): string =>
  createHmac('sha256', gatewayKey).update(`telegram webhook ${botToken}`).digest('base64url')

/** @param others the secrets of the other processes, which Telegram may still send, or send already */
export function createIntake(
  secret: string,
  others: Pick<WebhookSecrets, 'isOfAnother'>,
  store: (updates: readonly Update[]) => Promise<void>,
): Intake {
  return {
    async take(req) {
      const shown = String(req.headers['x-telegram-bot-api-secret-token'] ?? '')
      // Telegram sends a refused update again, so one with a secret that no process has comes back after the webhook was set anew.
      if (!isSame(shown, secret) && !(await others.isOfAnother(shown))) return 401
      const received = update.safeParse(await readJson(req, maxBytes))
      if (received.success) await store([received.data])
      // An invalid body stays invalid when it is sent again.
      return 200
    },
  }
}

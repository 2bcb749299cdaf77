// Telegram's updates by webhook: answered with 200 only when they are stored, so that Telegram tells again what was not.

import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { isSame, readJson } from './request.ts'

export const updatesPath = '/telegram'

export interface Intake {
  /** What Telegram shows with every update. */
  readonly secret: string
  /** @returns the status to answer with @throws when it could not be stored */
  take(req: IncomingMessage): Promise<number>
}

const maxBytes = 1024 * 1024
/** The rest is Telegram's word, and grammY's to read. */
const update = z.custom<Update>((value) => z.looseObject({ update_id: z.int() }).safeParse(value).success)

/** All processes of one bot agree on its secret, and nobody else knows it. */
export function createIntake(botToken: string, store: (updates: readonly Update[]) => Promise<void>): Intake {
  const secret = createHmac('sha256', botToken).update('telegram webhook').digest('base64url')
  return {
    secret,
    async take(req) {
      const shown = String(req.headers['x-telegram-bot-api-secret-token'] ?? '')
      if (!isSame(shown, secret)) return 401
      const told = update.safeParse(await readJson(req, maxBytes))
      if (told.success) await store([told.data])
      // What can not be read now can not be read later either.
      return 200
    },
  }
}

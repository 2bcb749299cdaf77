// What every message about a generation has in common: what it replies to and its buttons.

import { type Api, InlineKeyboard } from 'grammy'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/client.ts'
import type { Generation } from '../generations/generation.ts'
import type { Log } from '../log.ts'
import type { Say, Texts } from '../texts.ts'

export interface MessengerDeps {
  readonly api: Api
  readonly db: Database
  readonly catalog: Catalog
  readonly texts: Texts
  readonly clock: Clock
  readonly log: Log
}

export function againKeyboard(say: Say, { id }: Generation): InlineKeyboard {
  return new InlineKeyboard()
    .text(say.plain('button-again'), `r:${id}`)
    .text(say.plain('button-change'), `e:${id}`)
}

/** The status message, unless it was deleted. */
export function replyTo({ statusMessageId }: Generation) {
  if (statusMessageId === null) return {}
  return { reply_parameters: { message_id: statusMessageId, allow_sending_without_reply: true } }
}

// A group that has become a supergroup goes on as the chat that it was.

import { Composer, type Context } from 'grammy'
import { moveChat } from '../../telegram/moved-chat.ts'
import type { BotDeps } from '../context.ts'

/** Installed before anybody is recognised: the message is nobody's. */
export function moving({ db }: Pick<BotDeps, 'db'>): Composer<Context> {
  const composer = new Composer<Context>()
  composer.on('message:migrate_to_chat_id', (ctx) =>
    moveChat(db, ctx.chat.id, ctx.message.migrate_to_chat_id),
  )
  return composer
}

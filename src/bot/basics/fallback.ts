// What nobody else answered: stale buttons, unknown commands, plain talk.

import { Composer } from 'grammy'
import type { Ctx } from '../context.ts'

export const fallback = new Composer<Ctx>()

fallback.on('callback_query', (ctx) =>
  ctx.answerCallbackQuery({ text: ctx.say.plain('stale-button'), show_alert: true }),
)

/** In groups the bot speaks only when spoken to. */
fallback.chatType('private').on(['message:text', 'message:file'], (ctx) => {
  const isCommand = ctx.message.text?.startsWith('/')
  return ctx.reply(ctx.say.html(isCommand ? 'unknown-command' : 'plain-talk'), { parse_mode: 'HTML' })
})

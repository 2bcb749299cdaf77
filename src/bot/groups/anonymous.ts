// Members who write in the name of their group or of a channel. Telegram does not say who they are, so they can neither order nor pay. When
// they address the bot, it tells them so, once an hour in each group, in the language of the bot.

import type { Composer, Context } from 'grammy'
import { hourMs } from '../../runtime/durations.ts'
import { homeLocale } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import { isAddressed } from '../mention.ts'
import { reply } from '../responses.ts'
import { Routes } from '../routes.ts'

/** The text for them, by the user in whose name Telegram shows their messages: GroupAnonymousBot or Channel_Bot. */
const texts = new Map<number, 'anonymous-admin' | 'anonymous-channel'>([
  [1_087_968_824, 'anonymous-admin'],
  [136_817_688, 'anonymous-channel'],
])
const silentMs = hourMs

export function anonymous(deps: BotDeps): Composer<Context> {
  const composer = new Routes<Context>()
  /** When each group was last told each text. Other processes do not know of it and may tell it again. */
  const toldAt = new Map<string, number>()
  composer.chatType(['group', 'supergroup']).on('message', async (ctx, next) => {
    const text = textFor(ctx)
    if (!text) return next()
    const now = deps.clock.now().getTime()
    const told = `${ctx.chat.id} ${text}`
    if (!isAddressed(deps, ctx) || now - (toldAt.get(told) ?? 0) < silentMs) return
    for (const [before, at] of toldAt) if (now - at >= silentMs) toldAt.delete(before)
    toldAt.set(told, now)
    await reply(ctx, deps.texts(homeLocale).html(text))
  })
  return composer
}

/** A message can lack its sender, although its type says otherwise. */
const textFor = ({ from }: Pick<Context, 'from'>) => from && texts.get(from.id)

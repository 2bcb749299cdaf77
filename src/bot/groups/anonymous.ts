// Administrators who write in the name of their group: Telegram does not say who they are, so there is nobody to order or to pay. They are
// told so when they address the bot, once an hour in each group, in the language of the bot.

import type { Composer, Context } from 'grammy'
import { homeLocale } from '../../texts.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps } from '../context.ts'
import { isMentioned } from '../mention.ts'
import { repliedTo } from '../notes.ts'
import { reply } from '../responses.ts'
import { Routes } from '../routes.ts'

/** The user in whose name Telegram shows them. */
const anonymousAdmin = 1_087_968_824
const silentMs = 60 * 60_000

export function anonymous(deps: BotDeps): Composer<Context> {
  const composer = new Routes<Context>()
  /** When each group was told last. Another process may tell it again. */
  const toldAt = new Map<number, number>()
  composer.chatType(['group', 'supergroup']).on('message', async (ctx, next) => {
    if (!isAnonymous(ctx)) return next()
    const now = deps.clock.now().getTime()
    if (!isAddressed(deps, ctx) || now - (toldAt.get(ctx.chat.id) ?? 0) < silentMs) return
    for (const [chatId, at] of toldAt) if (now - at >= silentMs) toldAt.delete(chatId)
    toldAt.set(ctx.chat.id, now)
    await reply(ctx, deps.texts(homeLocale).html('anonymous-admin'))
  })
  return composer
}

/** A message can lack its sender, whatever its type says. */
const isAnonymous = ({ from }: Pick<Context, 'from'>): boolean => from?.id === anonymousAdmin

const alsoMeant = ['chat', 'start', 'help', 'wallet', 'new', 'cancel', 'settings', 'history']

/** By a command, a mention or a reply. A command without the name of a bot may be meant for another one. */
function isAddressed({ catalog }: BotDeps, ctx: Context): boolean {
  const { message } = ctx
  const words = message?.text ?? message?.caption ?? ''
  if (!message || isMentioned(ctx, words)) return message !== undefined
  const [, command, bot] = /^\/(\w+)(@\w+)?/.exec(words) ?? []
  if (command === undefined) return repliedTo(message)?.from?.id === ctx.me.id
  return bot === undefined && [...offeredCommands(catalog), ...alsoMeant].some((one) => one === command)
}

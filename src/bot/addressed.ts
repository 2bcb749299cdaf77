// Whether an update is meant for the bot. In a group where it sees all messages, most are meant for other members.

import type { Context } from 'grammy'
import { wordsIn } from '../telegram/words.ts'
import { isCommand } from './commands.ts'
import type { BotDeps } from './context.ts'
import { isMentioned } from './mention.ts'
import { repliedTo } from './notes.ts'

/**
 * In groups a message addresses the bot by a command, a mention or a reply. A command without the name of a bot may be meant for another bot,
 * so only commands that this bot has count. The edit of a message addresses nobody.
 */
export function isAddressed({ catalog }: Pick<BotDeps, 'catalog'>, ctx: Context): boolean {
  const { message } = ctx
  if (ctx.chat?.type === 'private' || ctx.callbackQuery) return true
  if (!message) return false
  if (isMentioned(ctx, message)) return true
  const [, command, bot] = /^\/(\w+)(?:@(\w+))?/.exec(wordsIn(message)) ?? []
  if (command === undefined) return repliedTo(message)?.from?.id === ctx.me.id
  if (bot !== undefined) return bot.toLowerCase() === ctx.me.username.toLowerCase()
  return isCommand(catalog, command)
}

// Commands that concern only their user. In a group they are answered in the private chat, as if they had been sent there. While the bot may
// not write there, the group gets a link that opens the private chat and sends the command.

import type { Composer, Context } from 'grammy'
import type { Message, Update, User } from 'grammy/types'
import { isChatClosed } from '../../telegram/errors.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { Ctx } from '../context.ts'
import { privateChatButton, reply } from '../responses.ts'
import { Routes } from '../routes.ts'

const privateOnly = ['balance', 'topup', 'statement', 'presets', 'promo', 'export', 'delete_me']

/** Installed before the conversations, which are kept per chat. */
export function privateCommands(): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.chatType(['group', 'supergroup']).command(privateOnly, async (ctx, next) => {
    const { say, from, match } = ctx
    const [, command = ''] = /^\/(\w+)/.exec(wordsIn(ctx.msg)) ?? []
    if (!(await mayWriteTo(ctx, from))) {
      const link = privateChatButton(ctx, payloadOf(command, match))
      return reply(ctx, say.html('private-first'), link)
    }
    await as(ctx.update, privately(ctx.msg, from, command, match), next)
    await reply(ctx, say.html('private-answered'), privateChatButton(ctx))
  })
  composer.chatType('private').command('start', (ctx, next) => {
    const command = privateOnly.find((one) => ctx.match === one || ctx.match.startsWith(`${one}_`))
    if (!command) return next()
    const words = ctx.match.slice(command.length + 1)
    return as(ctx.update, privately(ctx.msg, ctx.from, command, words), next)
  })
  return composer
}

type Sent = NonNullable<Update['message']>

/** Handles another message in place of that of the update, which may be handled again later. */
async function as(update: Update, other: Sent, handle: () => Promise<void>): Promise<void> {
  const { message } = update
  update.message = other
  try {
    await handle()
  } finally {
    if (message) update.message = message
  }
}

/** Shows the person that an answer is coming. @returns false when the bot may not write to the person */
async function mayWriteTo({ api }: Context, { id }: User): Promise<boolean> {
  try {
    return await api.sendChatAction(id, 'typing')
  } catch (error) {
    if (isChatClosed(error)) return false
    throw error
  }
}

/** The command as a message in the private chat. */
function privately({ message_id, date }: Message, from: User, command: string, words: string): Sent {
  const { id, first_name } = from
  return {
    message_id,
    date,
    from,
    chat: { id, type: 'private', first_name },
    text: `/${command} ${words}`.trim(),
    entities: [{ type: 'bot_command', offset: 0, length: command.length + 1 }],
  }
}

/** What a link to the bot carries: at most 64 letters, digits, hyphens and underscores. Other words are left out. */
const payloadOf = (command: string, words: string): string =>
  /^[A-Za-z0-9_-]{1,50}$/.test(words) ? `${command}_${words}` : command

// Groups: commands that belong into the private chat, members without a name, and the end of a wallet.

import { Composer, type Context } from 'grammy'
import type { Message, Update, User } from 'grammy/types'
import { closeWalletsAndTell } from '../../payments/notices.ts'
import { hourMs } from '../../runtime/clock.ts'
import { isChatClosed } from '../../telegram/send.ts'
import { wordsIn } from '../../telegram/words.ts'
import { homeLocale } from '../../texts.ts'
import { type BotDeps, type Ctx, privateChatButton, reply } from '../context.ts'
import { isAddressed } from '../notes.ts'

// Commands that concern only their user. In a group they are answered in the private chat, as if they had been sent there. While the bot may
// not write there, the group gets a link that opens the private chat and sends the command.

const privateOnly = ['balance', 'topup', 'statement', 'presets', 'promo', 'export', 'delete_me']

/** Installed before the conversations, which are kept per chat. */
export function privateCommands(): Composer<Ctx> {
  const composer = new Composer<Ctx>()
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

// Members who write in the name of their group or of a channel. Telegram does not say who they are, so they can neither order nor pay. When
// they address the bot, it tells them so, once an hour in each group, in the language of the bot.

/** The text for them, by the user in whose name Telegram shows their messages: GroupAnonymousBot or Channel_Bot. */
const texts = new Map<number, 'anonymous-admin' | 'anonymous-channel'>([
  [1_087_968_824, 'anonymous-admin'],
  [136_817_688, 'anonymous-channel'],
])
const silentMs = hourMs

export function anonymous(deps: BotDeps): Composer<Context> {
  const composer = new Composer<Context>()
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

// When the bot or the owner of its wallet leaves a group, the wallet is switched off and its owner is told. The money stays in the wallet
// until the owner takes it back.

type Deps = Pick<BotDeps, 'db' | 'clock' | 'topUps'>

/**
 * Installed before users are recognised: the person who removes the bot need not be a user. Changes of the bot's own membership end here, so
 * that nothing is stored about a person who blocks the bot after the deletion of their data.
 */
export function leaving(deps: Deps): Composer<Context> {
  const composer = new Composer<Context>()
  composer.on('my_chat_member', async (ctx) => {
    const { status } = ctx.myChatMember.new_chat_member
    if (ctx.chat.id < 0 && (status === 'left' || status === 'kicked')) await close(deps, ctx, ctx.chat.id)
  })
  composer.on('message:left_chat_member', async (ctx, next) => {
    await close(deps, ctx, ctx.chat.id, ctx.message.left_chat_member.id)
    await next()
  })
  return composer
}

async function close(
  deps: Deps,
  { update }: Context,
  chatId: number,
  ownerTelegramId?: number,
): Promise<void> {
  const closed = await closeWalletsAndTell(deps, update.update_id, chatId, ownerTelegramId)
  if (closed.length > 0) deps.topUps.wakeNotices()
}

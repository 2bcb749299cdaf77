// Groups: commands that belong into the private chat, members without a name, and the end of a wallet.

import type { Context, MiddlewareFn, NextFunction } from 'grammy'
import type { Update, User } from 'grammy/types'
import { closeWalletsAndTell } from '../../payments/notices.ts'
import { hourMs } from '../../runtime/clock.ts'
import { isChatClosed } from '../../telegram/send.ts'
import { homeLocale } from '../../texts.ts'
import { type BotDeps, type Ctx, privateChatButton, reply } from '../context.ts'
import { isAddressed } from '../notes.ts'
import { type CommandCtx, commandIn, commandsNamed } from '../routes.ts'

// Commands that concern only their user. In a group they are answered in the private chat, as if they had been sent there. While the bot may
// not write there, the group gets a link that opens the private chat and sends the command.

const privateOnly = ['balance', 'topup', 'statement', 'presets', 'promo', 'export', 'delete_me']

/** Installed before the conversations, which are kept per chat. */
export function privateCommands(): MiddlewareFn<Ctx> {
  const isInGroup = commandsNamed(privateOnly)
  const isStart = commandsNamed(['start'])
  return (ctx, next) => {
    if (ctx.chat?.type !== 'private') return isInGroup(ctx) ? answerPrivately(ctx, next) : next()
    return isStart(ctx) ? startWith(ctx, next) : next()
  }
}

async function answerPrivately(ctx: CommandCtx, next: NextFunction): Promise<void> {
  const { say, match } = ctx
  if (!(await mayWriteTo(ctx))) {
    const link = privateChatButton(ctx, payloadOf(commandIn(ctx), match))
    return reply(ctx, say.html('private-first'), link)
  }
  await asCommand(ctx, ctx.msg, `/${commandIn(ctx)} ${match}`.trim(), next)
  await reply(ctx, say.html('private-answered'), privateChatButton(ctx))
}

/** The link in a group has opened the private chat with the command. */
async function startWith(ctx: CommandCtx, next: NextFunction): Promise<void> {
  const { match } = ctx
  const command = privateOnly.find((one) => match === one || match.startsWith(`${one}_`))
  if (!command) return next()
  await asCommand(ctx, ctx.msg, `/${command} ${match.substring(command.length + 1)}`.trim(), next)
}

/** Handles the command as a message in the private chat, in place of the message or tap of the update, which may be handled again later. */
export async function asCommand(
  { update, from }: { readonly update: Update; readonly from: User },
  at: Pick<CommandCtx['msg'], 'message_id' | 'date'>,
  text: string,
  handle: NextFunction,
): Promise<void> {
  const own = { ...update }
  update.message = privately(from, at, text)
  delete update.callback_query
  try {
    await handle()
  } finally {
    delete update.message
    Object.assign(update, own)
  }
}

/** Shows the person that an answer is coming. @returns false when the bot may not write to the person */
async function mayWriteTo({ api, from }: CommandCtx): Promise<boolean> {
  try {
    return await api.sendChatAction(from.id, 'typing')
  } catch (error) {
    if (isChatClosed(error)) return false
    throw error
  }
}

function privately(
  from: User,
  { message_id, date }: Pick<CommandCtx['msg'], 'message_id' | 'date'>,
  text: string,
): NonNullable<Update['message']> {
  const { id, first_name } = from
  const [{ length } = ''] = /^\/\w+/.exec(text) ?? []
  return {
    message_id,
    date,
    from,
    chat: { id, type: 'private', first_name },
    text,
    entities: [{ type: 'bot_command', offset: 0, length }],
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

export function anonymous(deps: BotDeps): MiddlewareFn<Context> {
  /** When each group was last told each text. Other processes do not know of it and may tell it again. */
  const toldAt = new Map<string, number>()
  return async (ctx, next) => {
    const text = texts.get(ctx.from?.id ?? 0)
    if (!ctx.message || ctx.message.chat.type === 'private' || !text) return next()
    const now = deps.clock.now().getTime()
    const told = `${ctx.chatId} ${text}`
    if (!isAddressed(deps, ctx) || now - (toldAt.get(told) ?? 0) < silentMs) return
    for (const [before, at] of toldAt) if (now - at >= silentMs) toldAt.delete(before)
    toldAt.set(told, now)
    await reply(ctx, deps.texts(homeLocale).html(text))
  }
}

// When the bot or the owner of its wallet leaves a group, the wallet is switched off and its owner is told. The money stays in the wallet
// until the owner takes it back.

type Deps = Pick<BotDeps, 'db' | 'clock' | 'topUps'>

/**
 * Installed before users are recognised: the person who removes the bot need not be a user. Changes of the bot's own membership end here, so
 * that nothing is stored about a person who blocks the bot after the deletion of their data.
 */
export const leaving =
  (deps: Deps): MiddlewareFn<Context> =>
  async (ctx, next) => {
    const { myChatMember, message } = ctx
    if (myChatMember) {
      const {
        chat,
        new_chat_member: { status },
      } = myChatMember
      if (chat.id < 0 && (status === 'left' || status === 'kicked')) await close(deps, ctx, chat.id)
      return
    }
    if (message?.left_chat_member) await close(deps, ctx, message.chat.id, message.left_chat_member.id)
    await next()
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

// When the bot or the owner of its wallet leaves a group, the wallet is switched off and its owner is told. The money stays in the wallet
// until the owner takes it back.

import type { Composer, Context } from 'grammy'
import { closeWalletsAndTell } from '../../payments/notices.ts'
import type { BotDeps } from '../context.ts'
import { Routes } from '../routes.ts'

type Deps = Pick<BotDeps, 'db' | 'clock' | 'topUps'>

/**
 * Installed before users are recognised: the person who removes the bot need not be a user. Changes of the bot's own membership end here, so
 * that nothing is stored about a person who blocks the bot after the deletion of their data.
 */
export function leaving(deps: Deps): Composer<Context> {
  const composer = new Routes<Context>()
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

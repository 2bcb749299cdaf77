// /broadcast in reply to a message, or followed by the message that it asks for: shows a preview, the number of recipients, and buttons to
// start, pause and stop. The buttons only write the wanted state; the broadcaster sends.

import { Composer, InlineKeyboard } from 'grammy'
import {
  type Broadcast,
  countRecipients,
  createBroadcast,
  findBroadcast,
  stepBroadcast,
} from '../../operator/broadcasts.ts'
import { taps } from '../../telegram/taps.ts'
import { messageLimit, type Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { answerTap, redraw, reply } from '../responses.ts'
import { ask } from './questions.ts'

export function broadcast(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('broadcast', async (ctx) => {
    const source = ctx.msg.reply_to_message
    if (!source) return ask(deps, ctx, 'broadcast', '', ctx.say.html('admin-ask-broadcast'))
    const wrong = await propose(deps, ctx, source.message_id)
    if (wrong !== undefined) await reply(ctx, wrong)
  })
  onTap(composer, taps.stepBroadcast, async (ctx, { broadcastId, step }) => {
    await stepBroadcast(deps, ctx.from.id, broadcastId, step)
    await refresh(deps, ctx, broadcastId)
  })
  onTap(composer, taps.broadcast, (ctx, { broadcastId }) => refresh(deps, ctx, broadcastId))
  return composer
}

/** Shows the answer to the question as it would be sent. @returns why it cannot be sent, in HTML */
export async function proposeAnswer(deps: BotDeps, ctx: Ctx): Promise<string | undefined> {
  if (ctx.msgId === undefined) return undefined
  const { text: { length } = '', rich_message: rich } = ctx.msg ?? {}
  // A longer text was joined from several messages, and a broadcast copies one.
  if (length > messageLimit && !rich)
    return ctx.say.html('admin-broadcast-too-long', { length, most: messageLimit })
  return propose(deps, ctx, ctx.msgId)
}

/**
 * Shows what would be sent, and to how many people.
 * @param messageId a message of this chat
 * @returns why it cannot be sent, in HTML
 */
async function propose(deps: BotDeps, ctx: Ctx, messageId: number): Promise<string | undefined> {
  const { chatId } = ctx
  if (chatId === undefined) return undefined
  const preview = await ctx.api.copyMessage(chatId, chatId, messageId).catch(() => undefined)
  if (!preview) return ctx.say.html('admin-broadcast-no-copy')
  const created = await createBroadcast(deps, { chatId, messageId })
  const { html, keyboard } = await view(deps, ctx.say, created)
  await reply(ctx, html, keyboard)
  return undefined
}

async function refresh(deps: BotDeps, ctx: Ctx, id: string): Promise<void> {
  deps.broadcaster.nudge()
  await answerTap(ctx)
  const found = await findBroadcast(deps.db, id)
  if (!found) return
  const { html, keyboard } = await view(deps, ctx.say, found)
  await redraw(ctx, html, keyboard)
}

async function view({ db }: BotDeps, say: Say, one: Broadcast) {
  const left = one.state === 'done' || one.state === 'stopped' ? 0 : await countRecipients(db, one)
  return { html: broadcastText(say, one, left), keyboard: keyboardOf(say, one) }
}

export const broadcastText = (say: Say, { id, state, sent, failed }: Broadcast, left: number): string =>
  say.html('admin-broadcast', { id, state, sent, failed, left })

function keyboardOf(say: Say, { id: broadcastId, state }: Broadcast): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  const add = (text: string, step: 'start' | 'pause' | 'stop') =>
    keyboard.text(text, taps.stepBroadcast.data({ broadcastId, step }))
  if (state === 'draft') add(say.plain('admin-button-start'), 'start')
  if (state === 'paused') add(say.plain('admin-button-resume'), 'start')
  if (state === 'running') add(say.plain('admin-button-pause'), 'pause')
  if (state === 'done' || state === 'stopped') return keyboard
  add(say.plain('admin-button-stop'), 'stop')
  if (state === 'draft') return keyboard
  return keyboard.row().text(say.plain('admin-button-refresh'), taps.broadcast.data({ broadcastId }))
}

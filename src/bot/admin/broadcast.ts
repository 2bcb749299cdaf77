// /broadcast in reply to a message: a preview, how many will get it, and buttons to start, pause and stop. The sending is
// done elsewhere; the buttons only write what is wanted.

import { Composer, InlineKeyboard } from 'grammy'
import {
  type Broadcast,
  countRecipients,
  createBroadcast,
  findBroadcast,
  type Step,
  stepBroadcast,
} from '../../operator/broadcasts.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answer } from './operator.ts'

const stepNames: readonly Step[] = ['start', 'pause', 'stop']

export function broadcast(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('broadcast', async (ctx) => {
    const source = ctx.msg.reply_to_message
    if (!source) return void (await answer(ctx, ctx.say.html('admin-broadcast-usage')))
    const { message_id: messageId } = source
    const preview = await ctx.api.copyMessage(ctx.chatId, ctx.chatId, messageId).catch(() => undefined)
    if (!preview) return void (await answer(ctx, ctx.say.html('admin-broadcast-no-copy')))
    const created = await createBroadcast(deps, { chatId: ctx.chatId, messageId })
    const { html, keyboard } = await view(deps, ctx.say, created)
    await answer(ctx, html, keyboard)
  })
  composer.callbackQuery(/^ad:b:([a-z0-9]{10})(?::(start|pause|stop))?$/, async (ctx) => {
    const [, id = '', wanted] = ctx.match
    const step = stepNames.find((one) => one === wanted)
    if (step) await stepBroadcast(deps, ctx.from.id, id, step)
    deps.broadcaster.nudge()
    await ctx.answerCallbackQuery()
    const found = await findBroadcast(deps.db, id)
    if (!found) return
    const { html, keyboard } = await view(deps, ctx.say, found)
    await ctx.editMessageText(html, { parse_mode: 'HTML', reply_markup: keyboard }).catch(() => undefined)
  })
  return composer
}

async function view({ db }: BotDeps, say: Say, one: Broadcast) {
  const left = one.state === 'done' || one.state === 'stopped' ? 0 : await countRecipients(db, one)
  return { html: broadcastText(say, one, left), keyboard: keyboardOf(say, one) }
}

export const broadcastText = (say: Say, { id, state, sent, failed }: Broadcast, left: number): string =>
  say.html('admin-broadcast', { id, state, sent, failed, left })

function keyboardOf(say: Say, { id, state }: Broadcast): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  if (state === 'draft') keyboard.text(say.plain('admin-button-start'), `ad:b:${id}:start`)
  if (state === 'paused') keyboard.text(say.plain('admin-button-resume'), `ad:b:${id}:start`)
  if (state === 'running') keyboard.text(say.plain('admin-button-pause'), `ad:b:${id}:pause`)
  if (state === 'done' || state === 'stopped') return keyboard
  keyboard.text(say.plain('admin-button-stop'), `ad:b:${id}:stop`)
  return state === 'draft' ? keyboard : keyboard.row().text(say.plain('admin-button-refresh'), `ad:b:${id}`)
}

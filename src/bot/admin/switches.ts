// Switches that operators set while the app runs: all sales, or one model. A button's data contains the state to set, so that a second tap
// does not undo the first. Stopping sales needs a confirmation.

import { type Composer, InlineKeyboard } from 'grammy'
import { labelOf, offeredModels } from '../../catalog/text-models.ts'
import { setSwitch } from '../../operator/actions.ts'
import { maintenance, modelSwitch, switchedOff } from '../../sales/switches.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { alertStale, answerTap, reply } from '../responses.ts'
import { onTap, Routes, type TapCtx } from '../routes.ts'
import { confirmFirst } from './confirming.ts'
import type { Given } from './operator.ts'

export function switches(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.switches, async (ctx) => {
    await answerTap(ctx)
    await reply(ctx, ctx.say.html('admin-switches'), await keyboardOf(deps, ctx))
  })
  onTap(composer, taps.setSwitch, (ctx, { to, name }) => setTo(deps, ctx, to, name))
  onTap(composer, taps.sellText, (ctx, { modelId }) => setTo(deps, ctx, 'on', modelSwitch(modelId)))
  onTap(composer, taps.stopText, (ctx, { modelId }) => setTo(deps, ctx, 'off', modelSwitch(modelId)))
  return composer
}

async function setTo(deps: BotDeps, ctx: TapCtx, to: 'on' | 'off', name: string): Promise<void> {
  if (name !== maintenance && !soldIn(deps, ctx.say).some(({ id }) => modelSwitch(id) === name))
    return alertStale(ctx)
  await answerTap(ctx)
  if (to === 'off') return askToStop(deps, ctx, name)
  await setSwitch(deps, ctx.from.id, name, false)
  await redrawAt(deps, ctx, ctx.msgId ?? 0)
}

/** All models that can be switched off. */
const soldIn = ({ catalog, textModels }: BotDeps, say: Say) => [
  ...catalog.offered().map(({ id, label }) => ({ id, label: say.label(label), isText: false })),
  ...offeredModels(textModels).map((model) => ({ id: model.id, label: labelOf(model), isText: true })),
]

async function askToStop(deps: BotDeps, ctx: Ctx, name: string): Promise<void> {
  const model = soldIn(deps, ctx.say).find(({ id }) => modelSwitch(id) === name)
  const html = model
    ? ctx.say.html('admin-confirm-model-off', { name: model.label })
    : ctx.say.html('admin-confirm-maintenance')
  await confirmFirst(deps, ctx, { verb: 'switch_off', words: name }, html)
}

/** Stops sales after the operator's Yes. */
export async function stopSales(deps: BotDeps, ctx: Ctx, { words: name, from }: Given): Promise<undefined> {
  const isNew = await setSwitch(deps, ctx.from?.id ?? null, name, true)
  await redrawAt(deps, ctx, from)
  await reply(ctx, isNew ? ctx.say.html('admin-stopped') : ctx.say.html('admin-done-before'))
}

/** Updates the buttons of the message that shows the switches. */
async function redrawAt(deps: BotDeps, ctx: Ctx, messageId: number): Promise<void> {
  const reply_markup = await keyboardOf(deps, ctx)
  await ctx.api.editMessageReplyMarkup(ctx.chatId ?? 0, messageId, { reply_markup }).catch(() => undefined)
}

async function keyboardOf(deps: BotDeps, { say }: Ctx): Promise<InlineKeyboard> {
  const off = await switchedOff(deps.db)
  const isDown = off.has(maintenance)
  const keyboard = new InlineKeyboard()
    .text(
      say.plain(isDown ? 'admin-button-maintenance-end' : 'admin-button-maintenance-begin'),
      taps.setSwitch.data({ to: isDown ? 'on' : 'off', name: maintenance }),
    )
    .row()
  for (const { id, label, isText } of soldIn(deps, say)) {
    const name = modelSwitch(id)
    const isOff = off.has(name)
    const text = `${isOff ? '🔴' : '🟢'} ${label}`
    if (!isText) keyboard.text(text, taps.setSwitch.data({ to: isOff ? 'on' : 'off', name }))
    else if (isOff) keyboard.text(text, taps.sellText.data({ modelId: id }))
    else keyboard.text(text, taps.stopText.data({ modelId: id }))
    keyboard.row()
  }
  return keyboard
}

// Switches that operators set while the app runs: all sales, or one model. A button's data contains the state to set, so that a second tap
// does not undo the first. Stopping sales needs a confirmation.

import { type Composer, InlineKeyboard } from 'grammy'
import { setSwitch } from '../../operator/switches.ts'
import { maintenance, modelSwitch, switchedOff } from '../../sales/switches.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { alertStale, answerTap, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { confirmFirst } from './confirming.ts'
import type { Given } from './operator.ts'

export function switches(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.switches, async (ctx) => {
    await answerTap(ctx)
    await reply(ctx, ctx.say.html('admin-switches'), await keyboardOf(deps, ctx))
  })
  onTap(composer, taps.setSwitch, async (ctx, { to, name }) => {
    if (!namesOf(deps).includes(name)) return alertStale(ctx)
    await answerTap(ctx)
    if (to === 'off') return askToStop(deps, ctx, name)
    await setSwitch(deps, ctx.from.id, name, false)
    await redrawAt(deps, ctx, ctx.msgId ?? 0)
  })
  return composer
}

async function askToStop(deps: BotDeps, ctx: Ctx, name: string): Promise<void> {
  const model = deps.catalog.offered().find(({ id }) => modelSwitch(id) === name)
  const html = model
    ? ctx.say.html('admin-confirm-model-off', { name: ctx.say.label(model.label) })
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

const namesOf = ({ catalog }: BotDeps): string[] => [
  maintenance,
  ...catalog.offered().map(({ id }) => modelSwitch(id)),
]

async function keyboardOf({ db, catalog }: BotDeps, { say }: Ctx): Promise<InlineKeyboard> {
  const off = await switchedOff(db)
  const keyboard = new InlineKeyboard()
  const add = (text: string, name: string) =>
    keyboard.text(text, taps.setSwitch.data({ to: off.has(name) ? 'on' : 'off', name })).row()
  const isDown = off.has(maintenance)
  add(say.plain(isDown ? 'admin-button-maintenance-end' : 'admin-button-maintenance-begin'), maintenance)
  for (const model of catalog.offered()) {
    const name = modelSwitch(model.id)
    add(`${off.has(name) ? '🔴' : '🟢'} ${say.label(model.label)}`, name)
  }
  return keyboard
}

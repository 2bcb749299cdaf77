// Switches that operators set while the app runs: all sales, or one model. A button's data says the state to set, so that a second
// tap does not undo the first.

import { type Composer, InlineKeyboard } from 'grammy'
import { setSwitch } from '../../operator/switches.ts'
import { maintenance, modelSwitch, switchedOff } from '../../sales/switches.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { alertStale, notice, reply } from '../responses.ts'
import { Routes } from '../routes.ts'

export function switches(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.switches, async (ctx) => {
    await notice(ctx)
    await reply(ctx, ctx.say.html('admin-switches'), await keyboardOf(deps, ctx))
  })
  onTap(composer, taps.setSwitch, async (ctx, { to, name }) => {
    if (!namesOf(deps).includes(name)) return alertStale(ctx)
    await setSwitch(deps, ctx.from.id, name, to === 'off')
    await notice(ctx)
    const keyboard = await keyboardOf(deps, ctx)
    await ctx.editMessageReplyMarkup({ reply_markup: keyboard }).catch(() => undefined)
  })
  return composer
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

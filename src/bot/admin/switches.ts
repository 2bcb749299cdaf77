// What an operator can switch off while the app runs: everything, or one model. A button says what it will do, so that a
// second tap does not undo the first.

import { Composer, InlineKeyboard } from 'grammy'
import { setSwitch } from '../../operator/switches.ts'
import { maintenance, modelSwitch, switchedOff } from '../../sales/switches.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answer } from './operator.ts'

export function switches(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery('ad:switches', async (ctx) => {
    await ctx.answerCallbackQuery()
    await answer(ctx, ctx.say.html('admin-switches'), await keyboardOf(deps, ctx))
  })
  composer.callbackQuery(/^ad:s:(on|off):(.{1,50})$/, async (ctx) => {
    const [, to, name = ''] = ctx.match
    if (!namesOf(deps).includes(name)) {
      return void (await ctx.answerCallbackQuery({ text: ctx.say.plain('stale-button'), show_alert: true }))
    }
    await setSwitch(deps, ctx.from.id, name, to === 'off')
    await ctx.answerCallbackQuery()
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
  const isDown = off.has(maintenance)
  const keyboard = new InlineKeyboard()
    .text(
      say.plain(isDown ? 'admin-button-maintenance-end' : 'admin-button-maintenance-begin'),
      `ad:s:${isDown ? 'on' : 'off'}:${maintenance}`,
    )
    .row()
  for (const model of catalog.offered()) {
    const name = modelSwitch(model.id)
    const sign = off.has(name) ? '🔴' : '🟢'
    keyboard.text(`${sign} ${say.label(model.label)}`, `ad:s:${off.has(name) ? 'on' : 'off'}:${name}`).row()
  }
  return keyboard
}

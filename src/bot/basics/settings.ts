// /settings: the language.

import { type Composer, InlineKeyboard } from 'grammy'
import { taps } from '../../telegram/taps.ts'
import { localeName, locales } from '../../texts.ts'
import { setLanguage } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { closeMenu, sendMenu } from '../menus.ts'
import { noteOwn, plainNote, tappedNote } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { alertForeign, answerTap, redraw } from '../responses.ts'
import { Routes } from '../routes.ts'

const settingsMessage = plainNote('settings')

export function settings(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.command('settings', async (ctx) => {
    const sent = await sendMenu(deps, ctx, { at: 'settings' }, ctx.say.html('settings'), keyboard(ctx))
    await noteOwn(deps, ctx, sent, settingsMessage)
  })
  onTap(composer, taps.setLanguage, async (ctx, { locale }) => {
    if (!(await tappedNote(deps, ctx, settingsMessage))) return alertForeign(ctx)
    await setLanguage(deps.db, ctx.user.id, locale)
    ctx.user = { ...ctx.user, locale }
    ctx.say = deps.texts(locale)
    await closeMenu(deps, ctx)
    await answerTap(ctx, ctx.say.plain('settings-saved'))
    await redraw(ctx, ctx.say.html('settings'), keyboard(ctx))
  })
  return composer
}

function keyboard(ctx: Ctx): InlineKeyboard {
  const buttons = new InlineKeyboard()
  for (const locale of locales) {
    const name = locale === ctx.say.locale ? `● ${localeName(locale)}` : localeName(locale)
    buttons.text(name, taps.setLanguage.data({ locale }))
  }
  return buttons
}

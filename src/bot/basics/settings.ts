// /settings: the language.

import { Composer, InlineKeyboard } from 'grammy'
import { localeName, locales } from '../../texts.ts'
import { setLanguage } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { plainNote, refuseTap, tappedNote, writeNote } from '../notes.ts'

const settingsMessage = plainNote('settings')

export function settings(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('settings', async (ctx) => {
    const sent = await ctx.reply(ctx.say.html('settings'), {
      parse_mode: 'HTML',
      reply_markup: keyboard(ctx),
    })
    await writeNote(deps, sent, { kind: settingsMessage, userId: ctx.user.id, about: {} })
  })
  composer.callbackQuery(/^l:([\w-]+)$/, async (ctx) => {
    const locale = locales.find((one) => one === ctx.match[1])
    if (!locale || !(await tappedNote(deps, ctx, settingsMessage))) return void (await refuseTap(ctx))
    await setLanguage(deps.db, ctx.user.id, locale)
    ctx.user = { ...ctx.user, locale }
    ctx.say = deps.texts(locale)
    await ctx.answerCallbackQuery(ctx.say.plain('settings-saved'))
    await ctx
      .editMessageText(ctx.say.html('settings'), { parse_mode: 'HTML', reply_markup: keyboard(ctx) })
      .catch(() => undefined)
  })
  return composer
}

function keyboard(ctx: Ctx): InlineKeyboard {
  const buttons = new InlineKeyboard()
  for (const locale of locales) {
    buttons.text(locale === ctx.say.locale ? `● ${localeName(locale)}` : localeName(locale), `l:${locale}`)
  }
  return buttons
}

// /admin: figures of a period with their chart, in one message that its buttons change.

import { Composer, InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import { drawChart } from '../../operator/chart.ts'
import { readFigures } from '../../operator/figures.ts'
import { periodOf } from '../../operator/periods.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { figuresText } from './figures-text.ts'
import { publishOperatorMenu } from './menu.ts'
import { ask } from './questions.ts'

const periods = [1, 7, 30] as const

export function figures(deps: BotDeps, showLog: (ctx: Ctx) => Promise<void>): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('admin', async (ctx) => {
    if (ctx.match.trim() === 'log') return showLog(ctx)
    const { photo, caption, keyboard } = await view(deps, ctx, 1)
    await ctx.replyWithPhoto(photo, { caption, parse_mode: 'HTML', reply_markup: keyboard })
    // When the app started, this chat may not have been there.
    await publishOperatorMenu({ ...deps, api: ctx.api }, [ctx.chatId])
  })
  composer.callbackQuery(/^ad:f:(1|7|30)$/, async (ctx) => {
    await ctx.answerCallbackQuery()
    const { photo, caption, keyboard } = await view(deps, ctx, Number(ctx.match[1]))
    const media = InputMediaBuilder.photo(photo, { caption, parse_mode: 'HTML' })
    // A second tap on the same period changes nothing.
    await ctx.editMessageMedia(media, { reply_markup: keyboard }).catch(() => undefined)
  })
  composer.callbackQuery('ad:log', async (ctx) => {
    await ctx.answerCallbackQuery()
    await showLog(ctx)
  })
  composer.callbackQuery('ad:find', async (ctx) => {
    await ctx.answerCallbackQuery()
    await ask(deps, ctx, 'user', '', ctx.say.html('admin-ask-user'))
  })
  return composer
}

async function view({ db, catalog, clock }: BotDeps, ctx: Ctx, days: number) {
  const period = periodOf(days, clock.now())
  const found = await readFigures(db, period)
  const { revenueSteps: revenue, costSteps: cost } = found
  const photo = new InputFile(await drawChart({ revenue, cost, labels: period.labels }), 'figures.png')
  return {
    photo,
    caption: figuresText(ctx.say, days, found, catalog),
    keyboard: keyboardOf(ctx, days, found.openReports),
  }
}

function keyboardOf({ say }: Ctx, shown: number, openReports: number): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const days of periods) {
    const label = say.plain('admin-button-period', { days })
    keyboard.text(days === shown ? `● ${label}` : label, `ad:f:${days}`)
  }
  return keyboard
    .row()
    .text(say.plain('admin-button-find'), 'ad:find')
    .text(say.plain('admin-button-reports', { open: openReports }), 'ad:reports')
    .row()
    .text(say.plain('admin-button-switches'), 'ad:switches')
    .text(say.plain('admin-button-log'), 'ad:log')
}

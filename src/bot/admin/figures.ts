// /admin: figures of a period with their chart, in one message whose buttons change the period.

import { type Composer, InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import { drawChart } from '../../operator/chart.ts'
import { readFigures } from '../../operator/figures.ts'
import { periodOf } from '../../operator/periods.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answerTap } from '../responses.ts'
import { onTap, Routes } from '../routes.ts'
import { figuresText } from './figures-text.ts'
import { publishOperatorMenu } from './menu.ts'
import { ask } from './questions.ts'

const periods = [1, 7, 30] as const

export function figures(deps: BotDeps, showLog: (ctx: Ctx) => Promise<void>): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.command('admin', async (ctx) => {
    if (ctx.match.trim() === 'log') return showLog(ctx)
    const { photo, caption, keyboard } = await view(deps, ctx, 1)
    await ctx.replyWithPhoto(photo, { caption, parse_mode: 'HTML', reply_markup: keyboard })
    // The menu of this chat was not published at the start if the chat did not exist then.
    await publishOperatorMenu({ ...deps, api: ctx.api }, [ctx.chatId])
  })
  onTap(composer, taps.figures, async (ctx, { days }) => {
    await answerTap(ctx)
    const { photo, caption, keyboard } = await view(deps, ctx, days)
    const media = InputMediaBuilder.photo(photo, { caption, parse_mode: 'HTML' })
    // Telegram refuses an edit that changes nothing, as for a second tap on the same period.
    await ctx.editMessageMedia(media, { reply_markup: keyboard }).catch(() => undefined)
  })
  onTap(composer, taps.actionLog, async (ctx) => {
    await answerTap(ctx)
    await showLog(ctx)
  })
  onTap(composer, taps.findUser, async (ctx) => {
    await answerTap(ctx)
    await ask(deps, ctx, 'user', '', ctx.say.html('admin-ask-user'))
  })
  return composer
}

async function view({ db, catalog, textModels, clock, operator, topUps }: BotDeps, ctx: Ctx, days: number) {
  const period = periodOf(days, clock.now(), operator.timeZone)
  const found = await readFigures(db, period, topUps.providers)
  const { revenueSteps: revenue, costSteps: cost } = found
  const photo = new InputFile(await drawChart({ revenue, cost, labels: period.labels }), 'figures.png')
  return {
    photo,
    caption: figuresText(ctx.say, period, found, { catalog, textModels }),
    keyboard: keyboardOf(ctx, days, found.openReports),
  }
}

function keyboardOf({ say }: Ctx, shown: number, openReports: number): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const days of periods) {
    const label = say.plain('admin-button-period', { days })
    keyboard.text(days === shown ? `● ${label}` : label, taps.figures.data({ days }))
  }
  return keyboard
    .row()
    .text(say.plain('admin-button-find'), taps.findUser.data())
    .text(say.plain('admin-button-reports', { open: openReports }), taps.reports.data())
    .row()
    .text(say.plain('admin-button-switches'), taps.switches.data())
    .text(say.plain('admin-button-log'), taps.actionLog.data())
}

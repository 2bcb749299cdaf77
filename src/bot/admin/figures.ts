// /admin: figures of a period with their chart, in one message whose buttons change the period; `/admin 2026-10 csv` sends a table. And
// /sources and /accounting.

import { InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import { entriesCsv, entriesOf, figuresCsv, type Sum, sumsOf } from '../../operator/accounting.ts'
import { drawChart } from '../../operator/chart.ts'
import { readFigures } from '../../operator/figures.ts'
import { type Period, readPeriod, wordsBeside } from '../../operator/periods.ts'
import { leftOf } from '../../operator/refunds.ts'
import { countOpenReports } from '../../operator/reports.ts'
import { sourceName } from '../../operator/sources.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { decimalOf } from '../account/statement.ts'
import { type MenuDeps, menuOf, setCommands } from '../commands.ts'
import { alertStale, answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { type CommandCtx, onTap, type Routes } from '../routes.ts'
import { ask, isOperator } from './operator.ts'
import { allowanceOf } from './orders.ts'
import { allowedButtons, mayCommand } from './rights.ts'
import { figuresText, namesOf, sourceLine } from './texts.ts'

export const figures = (deps: BotDeps, showLog: (ctx: Ctx) => Promise<void>): Routes => ({
  commands: {
    async admin(ctx) {
      if (!isOperator(deps, ctx)) await showToSupport(deps, ctx)
      else if (ctx.match.trim() === 'log') return showLog(ctx)
      else await showFigures(deps, ctx)
      // The menu of this chat was not published at the start if the chat did not exist then.
      if (ctx.chat.type === 'private') await publishOperatorMenu({ ...deps, api: ctx.api }, [ctx.chatId])
    },
    sources: (ctx) => showSources(deps, ctx),
    accounting: (ctx) => sendAccounting(deps, ctx),
  },
  taps: [
    onTap(taps.figures, async (ctx, { period: words }) => {
      const period = readPeriod(words, deps.clock.now(), deps.operator.timeZone)
      if (!period) return alertStale(ctx)
      await answerTap(ctx)
      const { photo, caption, keyboard } = await view(deps, ctx, period)
      const media = InputMediaBuilder.photo(photo, { caption, parse_mode: 'HTML' })
      // Telegram refuses an edit that changes nothing, as for a second tap on the same period.
      await ctx.editMessageMedia(media, { reply_markup: keyboard }).catch(() => undefined)
    }),
    onTap(taps.actionLog, async (ctx) => {
      await answerTap(ctx)
      await showLog(ctx)
    }),
    onTap(taps.findUser, async (ctx) => {
      await answerTap(ctx)
      await ask(deps, ctx, 'user', '', ctx.say.html('admin-ask-user'))
    }),
  ],
})

async function showFigures(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { period, isTable } = await askedPeriod(deps, ctx, 'today')
  if (!period) return
  if (isTable) return sendFigures(deps, ctx, period, ['day', 'model', 'source'])
  const { photo, caption, keyboard } = await view(deps, ctx, period)
  await ctx.replyWithPhoto(photo, { caption, parse_mode: 'HTML', reply_markup: keyboard })
}

/** The desk without the figures, which are for operators without limits. */
async function showToSupport(deps: BotDeps, ctx: Ctx): Promise<void> {
  const allowance = allowanceOf(deps, ctx)
  const left = ctx.say.roubles(allowance ? await leftOf(deps.db, allowance) : 0n)
  const keyboard = withDesk(new InlineKeyboard(), ctx.say, await countOpenReports(deps.db))
  await reply(ctx, ctx.say.html('admin-support', { left }), allowedButtons(deps, ctx, keyboard))
}

/** The period that a command names, and whether a table of it is wanted; an answer that says how to write one when it is none. */
async function askedPeriod(
  { clock, operator }: BotDeps,
  ctx: CommandCtx,
  usual: string,
  usage: 'admin-period-usage' | 'admin-sources-usage' = 'admin-period-usage',
) {
  const [, words = '', table] = /^(.*?)\s*(csv)?$/is.exec(ctx.match.trim()) ?? []
  const period = readPeriod(words || usual, clock.now(), operator.timeZone)
  if (!period) await reply(ctx, ctx.say.html(usage))
  return { period, isTable: table !== undefined }
}

async function sendFigures(
  deps: BotDeps,
  ctx: CommandCtx,
  period: Period,
  by: Parameters<typeof figuresCsv>[1],
): Promise<void> {
  const found = await readFigures(deps.db, period)
  const table = Buffer.from(figuresCsv(found, by, decimalOf(ctx.user.locale)))
  const name = `${by.length > 1 ? 'figures' : 'sources'}-${period.firstDay}-${period.lastDay}.csv`
  await ctx.replyWithDocument(new InputFile(table, name))
}

const longestCaption = 1024

async function view(deps: BotDeps, ctx: Ctx, period: Period) {
  const found = await readFigures(deps.db, period, deps.topUps.providers)
  return {
    photo: new InputFile(await drawChart(found.bars), 'figures.png'),
    caption: figuresText(deps, ctx.say, period, found, longestCaption),
    keyboard: keyboardOf(ctx, period, deps.clock.now(), found.openReports),
  }
}

function keyboardOf({ say }: Ctx, shown: Period, now: Date, openReports: number): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  for (const period of ['today', 'week', 'month'] as const) {
    const label = say.plain(`admin-button-${period}`)
    const { firstDay, lastDay } = readPeriod(period, now, shown.zone) ?? {}
    const isShown = firstDay === shown.firstDay && lastDay === shown.lastDay
    keyboard.text(isShown ? `● ${label}` : label, taps.figures.data({ period }))
  }
  keyboard.row()
  for (const side of shown.until > now ? (['before'] as const) : (['before', 'after'] as const)) {
    const period = wordsBeside(shown, side)
    if (readPeriod(period, now, shown.zone))
      keyboard.text(say.plain(`admin-button-${side}`), taps.figures.data({ period }))
  }
  return withDesk(keyboard.row(), say, openReports)
}

const withDesk = (keyboard: InlineKeyboard, say: Say, openReports: number): InlineKeyboard =>
  keyboard
    .text(say.plain('admin-button-find'), taps.findUser.data())
    .text(say.plain('admin-button-reports', { open: openReports }), taps.reports.data())
    .row()
    .text(say.plain('admin-button-switches'), taps.switches.data())
    .text(say.plain('admin-button-log'), taps.actionLog.data())

// The command menu of operators, in their own chats only: their commands, then those of everybody.

export async function publishOperatorMenu(
  deps: MenuDeps & Pick<BotDeps, 'log' | 'operator'>,
  ids: readonly number[],
): Promise<void> {
  for (const chat_id of ids) {
    const isAllowed = ({ command }: { command: string }) => mayCommand(deps.operator, chat_id, command)
    const list = (say: Say) => [...operatorCommands(say).filter(isAllowed), ...menuOf(deps, say)]
    // Fails for an operator who has never written to the bot: there is no chat yet.
    await setCommands(deps, { type: 'chat', chat_id }, list).catch((error: unknown) =>
      deps.log.info({ operator: chat_id, error }, 'menu of an operator not published'),
    )
  }
}

const operatorCommands = (say: Say) => [
  { command: 'admin', description: say.plain('admin-command-admin') },
  { command: 'user', description: say.plain('admin-command-user') },
  { command: 'sources', description: say.plain('admin-command-sources') },
  { command: 'accounting', description: say.plain('admin-command-accounting') },
  { command: 'broadcast', description: say.plain('admin-command-broadcast') },
  { command: 'promo_add', description: say.plain('admin-command-promo-add') },
  { command: 'promo_end', description: say.plain('admin-command-promo-end') },
]

// /sources and /accounting: where the people of a period come from, and the payments, refunds, gifts and corrections of a period, with their
// sums. Both send tables as files. `/sources blog` makes the link of a new source.

/** As many as fit into one message. */
const maxShown = 25

async function showSources(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, me } = ctx
  const words = ctx.match.trim()
  const isPeriod = readPeriod(words, deps.clock.now(), deps.operator.timeZone) !== undefined
  if (sourceName.test(words) && !isPeriod && words !== 'csv') {
    const link = `https://t.me/${me.username}?start=src_${words}`
    return reply(ctx, say.html('admin-source-link', { link }))
  }
  const { period, isTable } = await askedPeriod(deps, ctx, '30', 'admin-sources-usage')
  if (!period) return
  if (isTable) return sendFigures(deps, ctx, period, ['source'])
  const { sources } = await readFigures(deps.db, period)
  const lines = sources.slice(0, maxShown).map((one) => sourceLine(say, one))
  await reply(ctx, say.html('admin-sources', { ...namesOf(period), lines: { html: lines.join('\n') } }))
}

async function sendAccounting(deps: BotDeps, ctx: CommandCtx): Promise<void> {
  const { say, user } = ctx
  const { db, operator, topUps } = deps
  const { period } = await askedPeriod(deps, ctx, 'month')
  if (!period) return
  const entries = await entriesOf(db, period, topUps.providers)
  const { firstDay, lastDay } = period
  const lines = sumsOf(entries).map((sum) => sumLine(say, sum))
  const table = entriesCsv(entries, operator.timeZone, decimalOf(user.locale))
  const html = lines.length > 0 ? lines.join('\n') : say.html('admin-accounting-nothing')
  await reply(ctx, say.html('admin-accounting', { ...namesOf(period), lines: { html } }))
  await ctx.replyWithDocument(new InputFile(Buffer.from(table), `accounting-${firstDay}-${lastDay}.csv`))
}

function sumLine(say: Say, { what, by, currency, count, change, charge, income }: Sum): string {
  const stars = currency === 'XTR' ? ` (${say.number(Number(charge))} ⭐)` : ''
  const values = { name: by, count, stars, change: say.roubles(change), kind: what }
  if (what !== 'payment' || income === undefined) return say.html('admin-accounting-line', values)
  const commission = say.roubles(change - income)
  return say.html('admin-accounting-payments', { ...values, income: say.roubles(income), commission })
}

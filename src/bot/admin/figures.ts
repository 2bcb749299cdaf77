// /admin: figures of a period with their chart, in one message whose buttons change the period; `/admin 2026-10 csv` sends a table.

import { InlineKeyboard, InputFile, InputMediaBuilder } from 'grammy'
import type { Catalog } from '../../catalog/catalog.ts'
import { labelOf, type TextModel } from '../../catalog/text-models.ts'
import type { Kopecks } from '../../money.ts'
import { figuresCsv } from '../../operator/accounting.ts'
import { drawChart } from '../../operator/chart.ts'
import { type Figures, type ModelFigures, readFigures } from '../../operator/figures.ts'
import { type Period, readPeriod, wordsBeside } from '../../operator/periods.ts'
import { leftOf } from '../../operator/refunds.ts'
import { countOpenReports } from '../../operator/reports.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { decimalOf } from '../account/statement.ts'
import { type MenuDeps, menuOf, setCommands } from '../commands.ts'
import { alertStale, answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { type CommandCtx, onTap, type Routes } from '../routes.ts'
import { ask, isOperator } from './operator.ts'
import { allowanceOf } from './orders.ts'
import { allowedButtons, mayCommand } from './rights.ts'

export const figures = (deps: BotDeps, showLog: (ctx: Ctx) => Promise<void>): Routes => ({
  commands: {
    async admin(ctx) {
      if (!isOperator(deps, ctx)) await showToSupport(deps, ctx)
      else if (ctx.match.trim() === 'log') return showLog(ctx)
      else await showFigures(deps, ctx)
      // The menu of this chat was not published at the start if the chat did not exist then.
      if (ctx.chat.type === 'private') await publishOperatorMenu({ ...deps, api: ctx.api }, [ctx.chatId])
    },
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
export async function askedPeriod(
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

export async function sendFigures(
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

async function view({ db, catalog, textModels, clock, topUps }: BotDeps, ctx: Ctx, period: Period) {
  const found = await readFigures(db, period, topUps.providers)
  return {
    photo: new InputFile(await drawChart(found.bars), 'figures.png'),
    caption: figuresText(ctx.say, period, found, { catalog, textModels }),
    keyboard: keyboardOf(ctx, period, clock.now(), found.openReports),
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

// The figures of a period as text: the caption of the chart, at most 1024 characters.

const longestCaption = 1024

interface Sold {
  readonly catalog: Catalog
  readonly textModels: readonly TextModel[]
}

/** Models that do not fit are added up in one line, so that the lines still give the total. */
export function figuresText(say: Say, period: Period, found: Figures, sold: Sold): string {
  const head = [...result(say, period, found), ...owed(say, found), people(say, found)]
  const models = found.models.map((model) => modelLine(say, model, nameOf(say, model, sold)))
  for (let shown = models.length; ; shown -= 1) {
    const rest = found.models.slice(shown)
    const lines = [...head, ...models.slice(0, shown), ...(rest.length > 0 ? [restLine(say, rest)] : [])]
    if (shown === 0 || visibleLength(lines) <= longestCaption) return lines.join('\n')
  }
}

function result(say: Say, period: Period, found: Figures): readonly string[] {
  const { revenue, margin, late, lost, estimated, uncosted, commissions } = found
  return [
    say.html('admin-figures', {
      ...namesOf(period),
      sales: say.roubles(found.sales),
      refunds: say.roubles(found.refunds),
      revenue: say.roubles(revenue),
      media: say.roubles(found.mediaCost),
      text: say.roubles(found.textCost),
      cost: say.roubles(found.cost),
      margin: say.roubles(margin),
      share: revenue > 0n ? `${(margin * 100n) / revenue} %`.replace('-', '−') : '—',
    }),
    ...when(commissions.known !== 0n, () =>
      say.html('admin-figures-commissions', { sum: say.roubles(commissions.known) }),
    ),
    ...when(commissions.unknown.length > 0, () =>
      say.html('admin-figures-before-commissions', { providers: commissions.unknown.join(', ') }),
    ),
    ...when(late.count > 0, () =>
      say.html('admin-figures-late', { count: late.count, cost: say.roubles(late.cost) }),
    ),
    ...when(lost.count > 0, () =>
      say.html('admin-figures-lost', { count: lost.count, cost: say.roubles(lost.cost) }),
    ),
    ...when(estimated > 0, () => say.html('admin-figures-estimated', { count: estimated })),
    ...when(uncosted.count > 0, () =>
      say.html('admin-figures-uncosted', { count: uncosted.count, sales: say.roubles(uncosted.sales) }),
    ),
  ]
}

const when = (isShown: boolean, line: () => string): readonly string[] => (isShown ? [line()] : [])

/** The values by which texts name a period: `$days` is 1 for a single day. */
export const namesOf = ({ days, firstDay, lastDay, zone }: Period) => ({
  days: days.length,
  first: dayOf(firstDay),
  last: dayOf(lastDay),
  zone,
})

/** `2026-11-21` as `21.11.2026`. */
const dayOf = (day: string): string => day.split('-').toReversed().join('.')

const owed = (say: Say, { owed, topUps }: Figures): readonly string[] => [
  say.html('admin-figures-owed', {
    now: say.roubles(owed.now),
    available: say.roubles(owed.available),
    held: say.roubles(owed.held),
    groups: say.roubles(owed.groups),
    before: say.roubles(owed.before),
    topUps: signed(say, owed.topUps),
    paymentRefunds: signed(say, owed.paymentRefunds),
    promotions: signed(say, owed.promotions),
    grants: signed(say, owed.grants),
    debits: signed(say, owed.debits),
    sales: signed(say, owed.sales),
    refunds: signed(say, owed.refunds),
  }),
  ...topUps.map(({ provider, count, credit }) =>
    say.html('admin-figures-top-up', { provider, count, credit: say.roubles(credit) }),
  ),
]

const signed = (say: Say, amount: Kopecks): string => (amount > 0n ? '+' : '') + say.roubles(amount)

const people = (say: Say, { total: { came, ordered, paid }, activeUsers, openReports }: Figures): string =>
  say.html('admin-figures-people', { came, ordered, paid, activeUsers, openReports })

function nameOf(say: Say, { modelId }: ModelFigures, { catalog, textModels }: Sold): string {
  if (modelId === undefined) return say.plain('admin-figures-no-model')
  const model = catalog.find(modelId)
  const textModel = textModels.find(({ id }) => id === modelId)
  return model ? say.label(model.label) : textModel ? labelOf(textModel) : modelId
}

const modelLine = (say: Say, model: Counted, name: string): string =>
  say.html('admin-figures-model', {
    name,
    done: model.done,
    failed: model.failed,
    rate: Math.round((model.failed * 100) / Math.max(1, model.done + model.failed)),
    sales: say.roubles(model.sales),
    refunds: say.roubles(model.refunds),
    cost: say.roubles(model.cost),
    margin: say.roubles(model.margin),
  })

type Counted = Omit<ModelFigures, 'modelId' | 'revenue'>

function restLine(say: Say, models: readonly ModelFigures[]): string {
  const [first, ...others] = models.map(({ modelId: _, revenue: __, ...counted }): Counted => counted)
  if (!first) return ''
  const all = others.reduce(
    (sum, one) => ({
      done: sum.done + one.done,
      failed: sum.failed + one.failed,
      sales: sum.sales + one.sales,
      refunds: sum.refunds + one.refunds,
      cost: sum.cost + one.cost,
      margin: sum.margin + one.margin,
    }),
    first,
  )
  return modelLine(say, all, say.plain('admin-figures-other-models', { count: models.length }))
}

const visibleLength = (lines: readonly string[]): number =>
  lines
    .join('\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, '&').length

// The operators' desk: commands and buttons for operators only, in their private chats and their group. For everybody else they fall
// through to the answers to unknown commands and outdated buttons.

import { Composer, InlineKeyboard } from 'grammy'
import { labelOf, offeredModels } from '../../catalog/text-models.ts'
import { parseRoubles } from '../../money.ts'
import { readLog, setSwitch } from '../../operator/actions.ts'
import { addPromo, endPromo, readCode, readDay, runningPromo } from '../../operator/promo.ts'
import { readPercent } from '../../payments/bonus-steps.ts'
import { maintenance, modelSwitch, switchedOff } from '../../sales/sales.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { answersToPeople } from '../account/support.ts'
import { alertStale, answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { onTap, type Routes, route, type TapCtx } from '../routes.ts'
import { broadcast, proposeAnswer, setByWords } from './broadcast.ts'
import { figures } from './figures.ts'
import { answerReport, message, writing } from './letters.ts'
import {
  answers,
  commands,
  confirmations,
  confirmFirst,
  type Given,
  type Handlers,
  isOwnMessage,
  textsInPlaceOfTaps,
} from './operator.ts'
import { closeReport, orders, refund, reports } from './orders.ts'
import { payments, refundTopUp } from './payments.ts'
import { ban, changeBalance, find, people } from './people.ts'
import { guarded } from './rights.ts'
import { logLine, promoText } from './texts.ts'

/** For what operators send in their private chats and their group. */
export function desk(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  const handlers = handlersOf(deps)
  const features = [
    figures(deps, (ctx) => showLog(deps, ctx)),
    people(deps),
    writing(deps),
    orders(deps),
    payments(deps),
    reports(deps),
    switches(deps),
    broadcast(deps),
    confirmations(deps, handlers),
    commands(deps, handlers),
  ]
  const routes = route(features.map((one) => guarded(deps, one)))
  composer.filter(isOwnMessage).use(routes, textsInPlaceOfTaps(deps))
  composer.use(answers(deps, handlers), answersToPeople(deps))
  return composer
}

/** What commands do with the words that were typed, asked for or confirmed. */
const handlersOf = (deps: BotDeps): Handlers => ({
  user: (ctx, { words }) => find(deps, ctx, words),
  grant: (ctx, given) => changeBalance(deps, ctx, given, 'grant'),
  debit: (ctx, given) => changeBalance(deps, ctx, given, 'debit'),
  ban: (ctx, given) => ban(deps, ctx, given, 'ban'),
  unban: (ctx, given) => ban(deps, ctx, given, 'unban'),
  message: (ctx, given) => message(deps, ctx, given),
  refund: (ctx, given) => refund(deps, ctx, given),
  refund_payment: (ctx, given) => refundTopUp(deps, ctx, given),
  promo_add: (ctx, given) => promoAdd(deps, ctx, given),
  promo_end: (ctx, given) => promoEnd(deps, ctx, given),
  broadcast: (ctx) => proposeAnswer(deps, ctx),
  broadcast_set: (ctx, given) => setByWords(deps, ctx, given),
  answer_report: (ctx, given) => answerReport(deps, ctx, given),
  refund_report: (ctx, given) => closeReport(deps, ctx, 'refund_report', given),
  decline_report: (ctx, given) => closeReport(deps, ctx, 'decline_report', given),
  switch_off: (ctx, given) => stopSales(deps, ctx, given),
})

// /admin log: the last actions of operators.

const mostShown = 20
const longestMessage = 4000

async function showLog(deps: BotDeps, ctx: Ctx): Promise<void> {
  const actions = await readLog(deps, mostShown)
  if (actions.length === 0) return reply(ctx, ctx.say.html('admin-log-empty'))
  const lines = actions.map((one) => logLine(deps, ctx.say, one))
  while (lines.join('\n').length > longestMessage) lines.pop()
  await reply(ctx, lines.join('\n'))
}

// /promo_add CODE 100 50 2030-12-31: a promo code of 100 roubles for 50 users, valid until the end of that day. With `20% 500` in place of
// the amount it gives 20 percents of the next top-up, at most 500 roubles. /promo_end CODE ends it.

async function promoAdd(deps: BotDeps, ctx: Ctx, { words, as }: Given): Promise<string | undefined> {
  const [typedCode = '', first = '', ...rest] = words.split(/\s+/)
  const percent = first.endsWith('%') ? readPercent(first) : null
  const [typedAmount = '', typedUses = '', typedDay] = percent === null ? [first, ...rest] : rest
  const code = readCode(typedCode)
  const amount = parseRoubles(typedAmount)
  const maxUses = /^[1-9]\d{0,6}$/.test(typedUses) ? Number(typedUses) : undefined
  const expiresAt = typedDay === undefined ? null : readDay(typedDay, deps.operator.timeZone)
  if (!code || !amount || percent === undefined || !maxUses || expiresAt === undefined) {
    return ctx.say.html('admin-promo-usage')
  }
  const facts = { code, amount: promoText(ctx.say, { percent, amount }), uses: maxUses }
  if (as !== 'confirmed') {
    const most = ctx.say.roubles(amount * BigInt(maxUses))
    const html = ctx.say.html('admin-confirm-promo', { ...facts, most, until: typedDay ?? 'never' })
    return void (await confirmFirst(deps, ctx, { verb: 'promo_add', words }, html))
  }
  const made = { by: ctx.from?.id ?? null, amount, percent, maxUses, expiresAt }
  const added = await addPromo(deps, code, made)
  await reply(
    ctx,
    added ? ctx.say.html('admin-promo-added', facts) : ctx.say.html('admin-promo-exists', { code }),
  )
  return undefined
}

async function promoEnd(deps: BotDeps, ctx: Ctx, { words, as }: Given): Promise<string | undefined> {
  if (words === '') return ctx.say.html('admin-promo-end-usage')
  const running = await runningPromo(deps, words)
  const code = running?.name ?? words.toUpperCase()
  if (running && as !== 'confirmed') {
    const { uses, maxUses } = running
    const html = ctx.say.html('admin-confirm-promo-end', {
      code,
      amount: promoText(ctx.say, running),
      uses,
      most: maxUses,
    })
    return void (await confirmFirst(deps, ctx, { verb: 'promo_end', words: code }, html))
  }
  const isEnded = running !== undefined && (await endPromo(deps, ctx.from?.id ?? null, code))
  await reply(ctx, ctx.say.html(isEnded ? 'admin-promo-ended' : 'admin-promo-not-running', { code }))
  return undefined
}

// Switches that operators set while the app runs: all sales, or one model. A button's data contains the state to set, so that a second tap
// does not undo the first. Stopping sales needs a confirmation.

const switches = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.switches, async (ctx) => {
      await answerTap(ctx)
      await reply(ctx, ctx.say.html('admin-switches'), await keyboardOf(deps, ctx))
    }),
    onTap(taps.setSwitch, (ctx, { to, name }) => setTo(deps, ctx, to, name)),
    onTap(taps.sellText, (ctx, { modelId }) => setTo(deps, ctx, 'on', modelSwitch(modelId))),
    onTap(taps.stopText, (ctx, { modelId }) => setTo(deps, ctx, 'off', modelSwitch(modelId))),
  ],
})

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
async function stopSales(deps: BotDeps, ctx: Ctx, { words: name, from }: Given): Promise<undefined> {
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

// /export and /delete_me: the user's data as a file, and its deletion in two steps. The last button contains its expiry time, so that
// an old button in the chat deletes nothing.

import { InlineKeyboard, InputFile } from 'grammy'
import { staffOf } from '../../config.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { moneyOf } from '../../ledger/wallets.ts'
import { closedBy, pollLinksOf } from '../../payments/links.ts'
import { pendingLinks, type TopUp } from '../../payments/top-ups.ts'
import { exportData } from '../../privacy/export.ts'
import { type ForgetRefusal, forget as forgetUser, mayForget } from '../../privacy/forget.ts'
import { formatDay, localMinute } from '../../telegram/local-time.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { hashOfPerson } from '../../users/user.ts'
import { alert, answerTap, type BotDeps, type Ctx, deleteTapped, inPrivate, reply } from '../context.ts'
import { closeMenu, noteOwn, openMenu, plainNote, sendMenu, tappedNote } from '../notes.ts'
import { closeQuestion } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { contactOf } from './support.ts'

const decideWithinMs = 10 * 60_000

export const forget = (deps: BotDeps): Routes => ({
  commands: {
    export: (ctx) => sendData(deps, ctx),
    delete_me: (ctx) => begin(deps, ctx),
  },
  taps: [
    onTap(
      taps.exportData,
      inPrivate(async (ctx) => {
        await answerTap(ctx)
        await sendData(deps, ctx)
      }),
    ),
    onTap(
      taps.deleteData,
      inPrivate((ctx) => askAgain(deps, ctx)),
    ),
    onTap(
      taps.deleteDataNow,
      inPrivate((ctx, { until }) => finish(deps, ctx, until)),
    ),
    onTap(
      taps.keepData,
      inPrivate((ctx) => keep(deps, ctx)),
    ),
  ],
})

const forgetMessage = plainNote('forget')

const stale = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('forget-stale'))

async function sendData({ db, clock }: BotDeps, ctx: Ctx): Promise<void> {
  const now = clock.now()
  const file = Buffer.from(await exportData(db, ctx.user.id, now))
  await ctx.replyWithDocument(new InputFile(file, `my-data-${formatDay(now)}.json`), {
    caption: ctx.say.html('export'),
    parse_mode: 'HTML',
  })
}

async function begin(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say, user } = ctx
  const may = await mayForget(deps.db, user.id)
  if (!may.ok) return reply(ctx, await refusal(deps, ctx, may.reason))
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-export'), taps.exportData.data())
    .row()
    .text(say.plain('button-forget'), taps.deleteData.data())
    .row()
    .text(say.plain('button-keep'), taps.keepData.data())
  const text = [say.html('forget'), ...(await warning(deps, ctx))]
  const sent = await sendMenu(deps, ctx, { at: 'forget' }, text.join('\n\n'), keyboard)
  await noteOwn(deps, ctx, sent, forgetMessage)
}

/** Warns that the remaining balance, and what remains in wallets of groups, is lost with the account. */
async function warning(deps: BotDeps, ctx: Ctx): Promise<string[]> {
  const balance = await readBalance(deps.db, ctx.user.id)
  const available = await moneyOf(deps.db, ctx.user.id)
  if (available <= 0n) return []
  const where = available > balance.available ? 'wallets' : 'balance'
  const facts = { available: ctx.say.roubles(available), where, contact: contactOf(deps, ctx.say) }
  return [ctx.say.html('forget-balance', facts)]
}

async function refusal(deps: BotDeps, ctx: Ctx, reason: ForgetRefusal): Promise<string> {
  if (reason === 'paying') return payingText(deps, ctx)
  const contact = contactOf(deps, ctx.say)
  if (reason !== 'owing') return ctx.say.html(`forget-${reason}`, { contact })
  const { available } = await readBalance(deps.db, ctx.user.id)
  return ctx.say.html('forget-owing', { owed: ctx.say.roubles(-available), contact })
}

async function keep(deps: BotDeps, ctx: Ctx): Promise<void> {
  if (!(await tappedNote(deps, ctx, forgetMessage))) return stale(ctx)
  await closeMenu(deps, ctx)
  await answerTap(ctx, ctx.say.plain('forget-kept'))
  await deleteTapped(ctx)
}

async function askAgain(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  if (!(await tappedNote(deps, ctx, forgetMessage))) return stale(ctx)
  const until = deps.clock.now().getTime() + decideWithinMs
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-keep'), taps.keepData.data())
    .row()
    .text(say.plain('button-forget-really'), taps.deleteDataNow.data({ until }))
  const text = [say.html('forget-really'), ...(await warning(deps, ctx))]
  await answerTap(ctx)
  await ctx.editMessageText(text.join('\n\n'), { parse_mode: 'HTML', reply_markup: keyboard })
  await openMenu(deps, ctx, { at: 'forget' })
}

/** @param until the expiry time in the button's data, in milliseconds; a later time than the bot can have written is refused */
async function finish(deps: BotDeps, ctx: Ctx, until: number): Promise<void> {
  const { say, user } = ctx
  const now = deps.clock.now()
  const left = until - now.getTime()
  const isInTime = left > 0 && left <= decideWithinMs
  const isOwn = isInTime && (await tappedNote(deps, ctx, forgetMessage))
  if (!isOwn || user.telegramId === null) return stale(ctx)
  const personHash = hashOfPerson(ctx.api.token, user.telegramId)
  // An open conversation would store its state again after the deletion.
  await closeQuestion(deps, ctx)
  const forgotten = await forgetUser(deps.db, user.id, personHash, now, staffOf(deps.operator))
  await answerTap(ctx)
  const text = forgotten.ok ? say.html('forgotten') : await refusal(deps, ctx, forgotten.reason)
  await ctx.editMessageText(text, { parse_mode: 'HTML' })
  if (forgotten.ok) deps.log.info({ user: user.id.toString() }, 'user forgotten')
}

// A payment under way on a provider's page delays the deletion, since its money would belong to nobody. An invoice of Telegram does not: the
// bot is asked before it is paid, and refuses then.

/** Says why the data cannot be deleted yet, and when the obstacle ends by itself. No provider can cancel an unpaid payment. */
async function payingText(deps: BotDeps, { say, user }: Ctx): Promise<string> {
  const paying = await pendingLinks(deps.db, user.id)
  await pollLinksOf(deps.topUps, user.id)
  const now = deps.clock.now()
  const lines = paying.map((one) => payingLine(say, one, now))
  return [say.html('forget-paying'), ...lines, '', say.html('forget-paying-then')].join('\n')
}

const payingLine = (say: Say, topUp: TopUp, now: Date): string =>
  say.html('forget-paying-line', {
    amount: say.roubles(topUp.credit),
    until: localMinute(say, closedBy(topUp, now)),
  })

// /export and /delete_me: one's data as a file, and its deletion in two steps. The last button names its hour: an old one
// in the chat deletes nothing.

import { Composer, InlineKeyboard, InputFile } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import { exportData } from '../../privacy/export.ts'
import { type ForgetRefusal, forget as forgetUser, mayForget } from '../../privacy/forget.ts'
import { personOf } from '../../users/person.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { plainNote, tappedNote, writeNote } from '../notes.ts'
import { inPrivate } from '../private.ts'
import { formatDay } from '../when.ts'

const decideWithinMs = 10 * 60_000

export function forget(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command(
    'export',
    inPrivate((ctx) => sendData(deps, ctx)),
  )
  composer.command(
    'delete_me',
    inPrivate((ctx) => begin(deps, ctx)),
  )
  composer.callbackQuery(
    'dx',
    inPrivate(async (ctx) => {
      await ctx.answerCallbackQuery()
      await sendData(deps, ctx)
    }),
  )
  composer.callbackQuery(
    'd1',
    inPrivate((ctx) => askAgain(deps, ctx)),
  )
  composer.callbackQuery(
    /^d2:\d{1,15}$/,
    inPrivate((ctx) => finish(deps, ctx)),
  )
  composer.callbackQuery(
    'd0',
    inPrivate((ctx) => keep(deps, ctx)),
  )
  return composer
}

const forgetMessage = plainNote('forget')

const stale = async (ctx: Ctx): Promise<void> =>
  void (await ctx.answerCallbackQuery({ text: ctx.say.plain('forget-stale'), show_alert: true }))

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
  if (!may.ok) return void (await ctx.reply(refusal(deps, ctx, may.reason), { parse_mode: 'HTML' }))
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-export'), 'dx')
    .row()
    .text(say.plain('button-forget'), 'd1')
    .row()
    .text(say.plain('button-keep'), 'd0')
  const text = [say.html('forget'), ...(await warning(deps, ctx))]
  const sent = await ctx.reply(text.join('\n\n'), { parse_mode: 'HTML', reply_markup: keyboard })
  await writeNote(deps, sent, { kind: forgetMessage, userId: user.id, about: {} })
}

/** Money that is left would belong to nobody. */
async function warning(deps: BotDeps, ctx: Ctx): Promise<string[]> {
  const { available } = await readBalance(deps.db, ctx.user.id)
  if (available === 0n) return []
  return [
    ctx.say.html('forget-balance', { available: ctx.say.roubles(available), contact: contactOf(deps, ctx) }),
  ]
}

const contactOf = ({ operator }: BotDeps, ctx: Ctx): string => operator.contact ?? ctx.say.plain('no-contact')

const refusal = (deps: BotDeps, ctx: Ctx, reason: ForgetRefusal): string =>
  ctx.say.html(`forget-${reason}`, { contact: contactOf(deps, ctx) })

async function keep(deps: BotDeps, ctx: Ctx): Promise<void> {
  if (!(await tappedNote(deps, ctx, forgetMessage))) return stale(ctx)
  await ctx.answerCallbackQuery(ctx.say.plain('forget-kept'))
  await ctx.deleteMessage().catch(() => undefined)
}

async function askAgain(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  if (!(await tappedNote(deps, ctx, forgetMessage))) return stale(ctx)
  const until = deps.clock.now().getTime() + decideWithinMs
  const keyboard = new InlineKeyboard()
    .text(say.plain('button-keep'), 'd0')
    .row()
    .text(say.plain('button-forget-really'), `d2:${until}`)
  const text = [say.html('forget-really'), ...(await warning(deps, ctx))]
  await ctx.answerCallbackQuery()
  await ctx.editMessageText(text.join('\n\n'), { parse_mode: 'HTML', reply_markup: keyboard })
}

async function finish(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say, user } = ctx
  const now = deps.clock.now()
  const left = Number(ctx.callbackQuery?.data?.slice('d2:'.length)) - now.getTime()
  const isInTime = left > 0 && left <= decideWithinMs
  const isTheirs = isInTime && (await tappedNote(deps, ctx, forgetMessage))
  if (!isTheirs || user.telegramId === null) return stale(ctx)
  const person = personOf(ctx.api.token, user.telegramId)
  const forgotten = await forgetUser(deps.db, user.id, person, now)
  await ctx.answerCallbackQuery()
  const text = forgotten.ok ? say.html('forgotten') : refusal(deps, ctx, forgotten.reason)
  await ctx.editMessageText(text, { parse_mode: 'HTML' })
  if (forgotten.ok) deps.log.info({ user: user.id.toString() }, 'user forgotten')
}

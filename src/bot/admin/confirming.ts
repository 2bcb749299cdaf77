// The question whether a typed command about a user is to be carried out. Two taps carry it out once.

import { type Composer, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { takeNote, writeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind, tappedNote } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { alertForeign, alertStale, notice, redraw, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { aboutUserVerbs } from './operator.ts'

const confirmation = noteKind(
  'command-confirmation',
  z.strictObject({ verb: z.enum(aboutUserVerbs), words: z.string(), html: z.string() }),
)
type Confirmed = Pick<z.output<typeof confirmation.about>, 'verb' | 'words'>

export async function confirmFirst(deps: BotDeps, ctx: Ctx, command: Confirmed, html: string): Promise<void> {
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('admin-button-yes'), taps.decideCommand.data({ decision: 'yes' }))
    .primary()
    .text(ctx.say.plain('admin-button-no'), taps.decideCommand.data({ decision: 'no' }))
  const sent = await ctx.reply(html, { parse_mode: 'HTML', reply_markup: keyboard })
  await writeNote(deps, sent, { kind: confirmation, userId: ctx.user.id, about: { ...command, html } })
}

/** @param carryOut returns what is wrong, in HTML */
export function confirmations(
  deps: BotDeps,
  carryOut: (ctx: Ctx, command: Confirmed) => Promise<string | undefined>,
): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.decideCommand, async (ctx, { decision }) => {
    const asked = await tappedNote(deps, ctx, confirmation)
    const message = ctx.callbackQuery?.message
    if (!asked || !message) return alertForeign(ctx)
    if (!(await takeNote(deps, message, ctx.update.update_id))) return alertStale(ctx)
    await notice(ctx)
    const end = ctx.say.plain(decision === 'yes' ? 'admin-button-yes' : 'admin-button-no')
    await redraw(ctx, `${asked.html}\n\n${end}`, new InlineKeyboard())
    const wrong = decision === 'yes' ? await carryOut(ctx, asked) : undefined
    if (wrong !== undefined) await reply(ctx, wrong)
  })
  return composer
}

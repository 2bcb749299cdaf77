// The confirmation that precedes every command and button of the desk that moves money, bans, deletes or stops sales. Two taps on Yes act
// once. A text in place of a tap is answered with the request to press a button: otherwise it would be a paid question to a text model.

import { Composer, type Filter, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { answerOnce, newestNote, noteAt, takeNote, writeNote } from '../../telegram/message-notes.ts'
import { replyTo } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind, questionSuffix, tappedNote } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { alertForeign, alertStale, answerTap, redraw, reply } from '../responses.ts'
import { type Confirmed, confirmedVerbs, type Given } from './operator.ts'

const confirmation = noteKind(
  'command-confirmation',
  z.strictObject({
    verb: z.enum(confirmedVerbs),
    words: z.string(),
    html: z.string(),
    from: z.int().exactOptional(),
    /** The user whom the question names, as in the log of actions: it is deleted with the data of that user (privacy/forget.ts). */
    subject: z.string().exactOptional(),
  }),
)

interface Wanted {
  readonly verb: Confirmed
  readonly words: string
  readonly subject?: string
}

/**
 * Asks for the Yes. After a tap the question replies to the tapped message, since the desk shows several messages with the same buttons.
 */
export async function confirmFirst(deps: BotDeps, ctx: Ctx, wanted: Wanted, html: string): Promise<void> {
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('admin-button-yes'), taps.decideCommand.data({ decision: 'yes' }))
    .primary()
    .text(ctx.say.plain('admin-button-no'), taps.decideCommand.data({ decision: 'no' }))
  const from = ctx.msgId ?? 0
  const below = ctx.callbackQuery ? replyTo(from) : {}
  const sent = await ctx.reply(html, { parse_mode: 'HTML', reply_markup: keyboard, ...below })
  await writeNote(deps, sent, { kind: confirmation, userId: ctx.user.id, about: { ...wanted, html, from } })
}

/** Does what was confirmed. @returns an error text in HTML */
type CarryOut = (ctx: Ctx, given: Given) => Promise<string | undefined>

export function confirmations(deps: BotDeps, carryOut: Readonly<Record<Confirmed, CarryOut>>): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onTap(composer, taps.decideCommand, async (ctx, { decision }) => {
    const asked = await tappedNote(deps, ctx, confirmation)
    const message = ctx.callbackQuery?.message
    if (!asked || !message) return alertForeign(ctx)
    const { verb, words, from = message.message_id } = asked
    const given = { words, as: 'confirmed', from } as const
    const outcome = await answerOnce(deps, message, ctx.update.update_id, async () => {
      await answerTap(ctx)
      const wrong = decision === 'yes' ? await carryOut[verb](ctx, given) : undefined
      // The buttons stay until the action is done, so that an operator can press Yes again after a failure.
      const end = ctx.say.plain(decision === 'yes' ? 'admin-button-yes' : 'admin-button-no')
      await redraw(ctx, `${asked.html}\n\n${end}`, new InlineKeyboard())
      if (wrong !== undefined) await reply(ctx, wrong)
    })
    if (outcome === 'taken') await alertStale(ctx)
  })
  composer.command('cancel', async (ctx, next) => {
    const open = await openConfirmation(deps, ctx)
    if (!open || !(await takeNote(deps, open, ctx.update.update_id))) return next()
    await ctx.api.editMessageReplyMarkup(open.chat.id, open.message_id).catch(() => undefined)
    await reply(ctx, ctx.say.html('cancel-question-unnamed'))
  })
  composer.on('message:text', async (ctx, next) => {
    if (ctx.msg.text.startsWith('/') || !(await isAnswered(deps, ctx))) return next()
    await reply(ctx, ctx.say.html('admin-press-a-button'))
  })
  return composer
}

/** Whether a text replies to an open confirmation, or is the next message after it. */
async function isAnswered(deps: BotDeps, ctx: Filter<Ctx, 'message:text'>): Promise<boolean> {
  const replied = ctx.msg.reply_to_message
  if (!replied) return !ctx.msg.external_reply && (await openConfirmation(deps, ctx)) !== undefined
  const note = await noteAt(deps, replied)
  return note?.kind === confirmation.name && note.userId === ctx.user.id && note.takenBy === null
}

/** How long a text that is no reply counts as an answer. */
const openMs = 10 * 60_000

/** The newest question in this chat, if it is a confirmation, recent and unanswered. */
async function openConfirmation(deps: BotDeps, { chatId, user, update }: Ctx) {
  const newest = chatId && (await newestNote(deps, chatId, user.id, confirmation.name))
  if (!newest || deps.clock.now().getTime() - newest.createdAt.getTime() > openMs) return undefined
  const question = await newestNote(deps, chatId, user.id, questionSuffix)
  const isLast = question === undefined || question.messageId < newest.messageId
  const isOpen = newest.takenBy === null || newest.takenBy === update.update_id
  return isLast && isOpen ? { chat: { id: chatId }, message_id: newest.messageId } : undefined
}

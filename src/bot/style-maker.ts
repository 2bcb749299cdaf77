// A custom style in two questions: its name, and one to five pictures. It is chosen on the card it was begun from.

import type { Conversation } from '@grammyjs/conversations'
import { type Context, InlineKeyboard } from 'grammy'
import type { Locale } from '../catalog/field.ts'
import { codePoints } from '../catalog/fields.ts'
import { type Draft, findDraft, setCard } from '../generations/drafts.ts'
import { makeStyle, type StyleOrder } from '../generations/styles.ts'
import type { Say } from '../texts.ts'
import { attachmentOf } from './attachment.ts'
import { answerDraft, viewDraft } from './cards.ts'
import type { BotDeps, Ctx } from './context.ts'

/** Strings only: the plugin stores them as JSON. */
interface Args {
  readonly draftId: string
  readonly fieldName: string
  readonly userId: string
  readonly locale: Locale
}

export const styleMakerName = 'style'
/** The tap that says that all pictures have been sent. */
export const styleMadeTap = 'yd'

const maxName = 40
const maxPictures = 5

export function enterStyleMaker(ctx: Ctx, draft: Draft, fieldName: string): Promise<void> {
  const { locale } = ctx.say
  const args: Args = { draftId: draft.id, fieldName, userId: String(draft.userId), locale }
  return ctx.conversation.enter(styleMakerName, args)
}

type Talk = Conversation<Ctx, Context>

export function createStyleMaker(deps: BotDeps) {
  return async function style(conversation: Talk, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    await ctx.reply(say.html('style-name', { max: maxName }), { parse_mode: 'HTML' })
    const name = await askName(conversation, say)
    await ctx.reply(say.html('style-pictures', { max: maxPictures }), { parse_mode: 'HTML' })
    const files = await askPictures(conversation, say)
    await ctx.reply(say.html('style-under-way'), { parse_mode: 'HTML' })
    const order: StyleOrder = { userId: BigInt(args.userId), name, files }
    const outcome = await conversation.external(() => finish(deps, args, order, say))
    const sent = await ctx.reply(outcome.html, {
      parse_mode: 'HTML',
      ...(outcome.keyboard ? { reply_markup: { inline_keyboard: outcome.keyboard } } : {}),
    })
    if (outcome.keyboard) await conversation.external(() => setCard(deps.db, args.draftId, sent.message_id))
  }
}

async function askName(conversation: Talk, say: Say): Promise<string> {
  for (;;) {
    const reply = await conversation.wait()
    const name = reply.message?.text?.trim() ?? ''
    if (name !== '' && codePoints(name) <= maxName) return name
    await reply.reply(say.html('style-name', { max: maxName }), { parse_mode: 'HTML' })
  }
}

async function askPictures(conversation: Talk, say: Say): Promise<StyleOrder['files']> {
  const files: { file: string; mime: string }[] = []
  while (files.length < maxPictures) {
    const reply = await conversation.wait()
    if (reply.callbackQuery) {
      await reply.answerCallbackQuery()
      if (files.length > 0) break
    }
    const sent = reply.message && attachmentOf(reply.message)
    if (sent?.medium !== 'image') {
      await reply.reply(say.html('style-pictures', { max: maxPictures }), { parse_mode: 'HTML' })
      continue
    }
    files.push({ file: sent.file, mime: sent.mime })
    if (files.length === maxPictures) break
    await reply.reply(say.html('ask-more-files', { count: files.length, max: maxPictures }), {
      parse_mode: 'HTML',
      reply_markup: new InlineKeyboard().text(say.plain('button-enough'), styleMadeTap),
    })
  }
  return files
}

/** JSON-safe, since the conversation stores it. */
interface Finished {
  readonly html: string
  readonly keyboard?: InlineKeyboard['inline_keyboard']
}

async function finish(deps: BotDeps, args: Args, order: StyleOrder, say: Say): Promise<Finished> {
  const made = await makeStyle(deps, order)
  if (!made.ok) {
    const said = made.reason === 'refused' ? made.said : ''
    return { html: say.html(`style-${made.reason}`, { said }) }
  }
  const answered = await answerDraft(deps, args.draftId, order.userId, args.fieldName, { typed: made.id })
  const draft = answered.ok ? answered.draft : await findDraft(deps.db, args.draftId, order.userId)
  if (draft?.state !== 'open') return { html: say.html('style-made', { name: order.name }) }
  const { html, keyboard } = await viewDraft(deps, draft, say)
  return {
    html: `${say.html('style-made', { name: order.name })}\n\n${html}`,
    keyboard: keyboard.inline_keyboard,
  }
}

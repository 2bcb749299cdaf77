// "Ask about it" below a picture or a sound: the price, the model that can take it, the question unless its words came with it, and the answer.

import type { Context } from 'grammy'
import { z } from 'zod'
import { type Attachment, attachment } from '../../catalog/field.ts'
import { labelOf } from '../../catalog/text-models.ts'
import { estimatePrice } from '../../chat/begin.ts'
import { soundOf } from '../../chat/question-files.ts'
import { takeNote } from '../../telegram/message-notes.ts'
import type { Locale } from '../../texts.ts'
import { fileOffer } from '../cards/attachment.ts'
import {
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  locationOf,
  send,
} from '../context.ts'
import { closeMenu, noteKind, tappedNote } from '../notes.ts'
import { type BotConversation, putQuestion, waitForWords } from '../question.ts'
import { conversationLocation } from './asking.ts'
import { begin } from './beginning.ts'
import { namesOf } from './settings.ts'
import { markedWords, unreadText, wordsOf } from './words.ts'

const shownPicture = z.strictObject({ file: attachment, messageId: z.int() })
type Picture = z.output<typeof shownPicture>

const pictureQuestion = noteKind('picture-question', shownPicture)

/** How a picture can be asked about: the text of a button with the price, or a line that names the model or mode that prevents it. */
export async function askingAbout(
  deps: BotDeps,
  ctx: Ctx,
  file: Attachment,
  text: string,
): Promise<{ readonly button?: string; readonly line?: string }> {
  const location = locationOf(ctx)
  const { say } = ctx
  const question = location && {
    userId: ctx.user.id,
    where: conversationLocation(location),
    text,
    files: [file],
  }
  const estimate = question && (await estimatePrice(deps, question))
  if (!estimate) return {}
  const { model, amount, noPictures } = estimate
  if (!noPictures) return { button: say.plain('button-ask-picture', { amount: say.roubles(amount) }) }
  if (noPictures.because.length > 0) {
    const modes = namesOf(say, noPictures.because)
    return { line: say.html('picture-blind-mode', { model: labelOf(model), modes }) }
  }
  const models = noPictures.others.map(labelOf).join(', ')
  return models ? { line: say.html('picture-blind', { model: labelOf(model), models }) } : {}
}

export async function askAboutFile(deps: BotDeps, ctx: Ctx): Promise<void> {
  const offer = await tappedNote(deps, ctx, fileOffer)
  const message = ctx.callbackQuery?.message
  if (!offer?.file || !message) return alertForeign(ctx)
  if (!(await takeNote(deps, message, ctx.update.update_id))) return alertStale(ctx)
  await closeMenu(deps, ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  const { file, words, isVoice, messageId = message.message_id } = offer
  const asked = file.medium === 'image' ? file : soundOf(file, isVoice === true)
  if (!isVoice && words === '') return enterFileAsk(ctx, asked, messageId)
  await begin(deps, ctx, { text: words, files: [asked], messageId })
}

/** Asks what the user wants to know about the file. */
export async function enterFileAsk(ctx: Ctx, file: Attachment, messageId: number): Promise<void> {
  await ctx.conversation.enter(pictureAskName, {
    picture: JSON.stringify({ file, messageId }),
    userId: String(ctx.user.id),
    locale: ctx.say.locale,
  } satisfies Args)
}

/** Strings only: the conversations plugin stores them as JSON. */
interface Args {
  readonly picture: string
  readonly userId: string
  readonly locale: Locale
}

export const pictureAskName = 'picture'

export function createPictureAsk(deps: BotDeps) {
  return async function picture(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const about: Picture = shownPicture.parse(JSON.parse(args.picture))
    const asked = { kind: pictureQuestion, userId: BigInt(args.userId), about }
    const html = say.html(about.file.medium === 'image' ? 'picture-ask' : 'sound-ask')
    const first = await putQuestion(deps, conversation, ctx, asked, { html, say })
    const { message } = await waitForWords(deps, conversation, asked, say, first)
    const { file, messageId } = about
    // Called outside of the conversation, which would store an error with the bot's token in it.
    await conversation.external(async (outside) => {
      const read = await wordsOf(deps, message, markedWords(message), outside.me.id)
      if (!read.ok) return send(outside, unreadText(say, read.missing)).then(() => undefined)
      await begin(deps, outside, { text: read.text, files: [file, ...read.files], messageId })
    })
  }
}

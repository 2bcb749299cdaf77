// Questions about a file that was sent without words: the price, the models that take it, the question that is asked for, and the answer.

import type { Context, InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { type Attachment, type QuestionFile, questionFile } from '../../catalog/field.ts'
import { visible } from '../../catalog/fields.ts'
import { labelOf, type TextModel } from '../../catalog/text-models.ts'
import { noModes, sentModes, takes } from '../../catalog/text-modes.ts'
import { changeConversation } from '../../chat/conversations.ts'
import { soundOf } from '../../chat/question-files.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { type NoteKind, takeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import type { Locale } from '../../texts.ts'
import { type FileOffer, fileOffer } from '../cards/attachment.ts'
import {
  alert,
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  send,
} from '../context.ts'
import { closeMenu, noteKind, tappedNote } from '../notes.ts'
import { actOutside, askForWords, type BotConversation } from '../question.ts'
import { begin } from './beginning.ts'
import { conversationHere, namesOf, whyNotChange } from './settings.ts'
import { estimateHere, markedWords, unreadText, wordsOf } from './words.ts'

type OneFile = FileOffer & { readonly file: Attachment }

/** What is asked about: of voice messages, video notes and sounds, what is heard. */
const askedOf = ({ file, isVoice }: OneFile): QuestionFile =>
  isVoice || file.medium === 'audio' ? soundOf(file, isVoice === true) : file

interface Asking {
  /** Whether a model on sale takes the file, perhaps with other settings. */
  readonly isPossible: boolean
  /** Names what prevents the model of the conversation. */
  readonly line?: string
}

/** More models have no button. */
const mostModels = 4

/** How a text model can be asked about the file: adds the buttons, with prices. */
export async function addAsking(
  deps: BotDeps,
  ctx: Ctx,
  keyboard: InlineKeyboard,
  offer: OneFile,
): Promise<Asking> {
  const { say } = ctx
  const files = [askedOf(offer)]
  const question = { text: offer.words, files }
  const estimate = await estimateHere(deps, ctx, question)
  if (!estimate) return { isPossible: false }
  const { notTaken } = estimate
  if (!notTaken) {
    const about = { kind: files[0]?.medium ?? 'image', amount: say.roubles(estimate.amount) }
    const label = offer.isVoice ? say.plain('button-answer', about) : say.plain('button-ask-about', about)
    keyboard.text(label, taps.askFile.data()).row()
    return { isPossible: true }
  }
  const what = { model: labelOf(estimate.model), cannot: say.plain(`cannot-${notTaken.kind}`) }
  if (notTaken.because.length > 0) {
    const modes = namesOf(say, notTaken.because)
    return { isPossible: true, line: say.html('offer-not-taken-mode', { ...what, modes }) }
  }
  const others = notTaken.others.slice(0, mostModels)
  for (const other of others) {
    const price = (await estimateHere(deps, ctx, question, other))?.amount
    if (price === undefined) continue
    const label = say.plain('button-ask-by', { model: labelOf(other), amount: say.roubles(price) })
    keyboard.text(label, taps.askBy.data({ modelId: other.id })).row()
  }
  return others.length > 0
    ? { isPossible: true, line: say.html('offer-not-taken', what) }
    : { isPossible: false }
}

/** Asks about the tapped file, or what the user wants to know unless words came with it. */
export async function askAboutFile(deps: BotDeps, ctx: Ctx): Promise<void> {
  const tapped = await tappedOffer(deps, ctx)
  if (!tapped) return alertForeign(ctx)
  if (!(await isTaken(deps, ctx))) return alertStale(ctx)
  await askOrBegin(deps, ctx, tapped)
}

async function askOrBegin(deps: BotDeps, ctx: Ctx, offer: OneFile & { messageId: number }): Promise<void> {
  const { words: text, isVoice, messageId } = offer
  const file = askedOf(offer)
  if (!isVoice && visible(text) === '') return enterAsk(ctx, fileAskName, { file, messageId })
  await begin(deps, ctx, { text, files: [file], messageId })
}

/** Has another model answer about the tapped file, and the questions after it. */
export async function askBy(deps: BotDeps, ctx: Ctx, modelId: string): Promise<void> {
  const tapped = await tappedOffer(deps, ctx)
  if (!tapped) return alertForeign(ctx)
  const file = askedOf(tapped)
  const conversation = await conversationHere(deps, ctx)
  if (!conversation) return alertStale(ctx)
  const refused = await whyNotChange(ctx, conversation)
  if (refused) return alert(ctx, ctx.say.plain(refused))
  const model = (await textModelsOnSale(deps)).find(({ id }) => id === modelId)
  if (!model || !takes(model, noModes, file.medium)) return alertStale(ctx)
  if (!(await isTaken(deps, ctx))) return alertStale(ctx)
  const modes = modesFor(model, conversation.modes, file)
  await changeConversation(deps.db, conversation.id, { modelId, modes })
  await askOrBegin(deps, ctx, tapped)
}

/** The modes of the conversation, unless the model could not take the file with them. */
const modesFor = (model: TextModel, modes: typeof noModes, { medium }: QuestionFile) =>
  takes(model, sentModes(model, modes), medium) ? modes : noModes

async function tappedOffer(deps: BotDeps, ctx: Ctx) {
  const offer = await tappedNote(deps, ctx, fileOffer)
  const message = ctx.callbackQuery?.message
  if (!offer?.file || !message) return undefined
  return { ...offer, file: offer.file, messageId: offer.messageId ?? message.message_id }
}

/** Takes the tapped message away, once. @returns false when another tap has taken it */
export async function isTaken(deps: BotDeps, ctx: Ctx): Promise<boolean> {
  const message = ctx.callbackQuery?.message
  if (!message || !(await takeNote(deps, message, ctx.update.update_id))) return false
  await closeMenu(deps, ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  return true
}

// The question that is asked for.

const shownFile = z.strictObject({ file: questionFile, messageId: z.int() })

/** Strings only: the conversations plugin stores them as JSON. */
interface Args {
  /** What the question is about, as JSON; earlier versions called it `picture` or `sent`. */
  readonly about?: string
  readonly picture?: string
  readonly sent?: string
  readonly userId: string
  readonly locale: Locale
}

export async function enterAsk(ctx: Ctx, name: string, about: object): Promise<void> {
  const args: Args = { about: JSON.stringify(about), userId: String(ctx.user.id), locale: ctx.say.locale }
  await ctx.conversation.enter(name, args)
}

export const fileAskName = 'picture'

export const createFileAsk = (deps: BotDeps) =>
  asking(
    deps,
    noteKind('picture-question', shownFile),
    ({ file }) => file.medium,
    (ctx, { file, messageId }, { text, files }) =>
      begin(deps, ctx, { text, files: [file, ...files], messageId }),
  )

type Read = Extract<Awaited<ReturnType<typeof wordsOf>>, { ok: true }>

/** A conversation that asks about a file. */
export function asking<T>(
  deps: BotDeps,
  kind: NoteKind<T>,
  mediumOf: (about: T) => QuestionFile['medium'],
  ask: (ctx: Ctx, about: T, read: Read) => Promise<unknown>,
) {
  return async (conversation: BotConversation, ctx: Context, args: Args): Promise<void> => {
    const say = deps.texts(args.locale)
    const about = kind.about.parse(JSON.parse(args.about ?? args.picture ?? args.sent ?? ''))
    const asked = { kind, userId: BigInt(args.userId), about }
    const html = say.html(`file-ask-${mediumOf(about)}`)
    const { message } = await askForWords(deps, conversation, ctx, asked, { html, say })
    await actOutside(conversation, async (outside) => {
      const read = await wordsOf(deps, outside, message, markedWords(message))
      if (read.ok) await ask(outside, about, read)
      else await send(outside, unreadText(say, read.missing))
    })
  }
}

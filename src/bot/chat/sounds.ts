// Voice messages, video notes and other sounds as questions: which messages are asked at once, what is said when the model of the
// conversation cannot hear, and the button that has another model answer.

import type { InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import type { Attachment } from '../../catalog/field.ts'
import { visible } from '../../catalog/fields.ts'
import { labelOf, type TextModel } from '../../catalog/text-models.ts'
import { hears, noModes, sentModes } from '../../catalog/text-modes.ts'
import { estimatePrice, hearingAt } from '../../chat/begin.ts'
import { changeConversation } from '../../chat/conversations.ts'
import { soundOf } from '../../chat/question-files.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { takeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import { type FileOffer, fileOffer } from '../cards/attachment.ts'
import {
  alert,
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  locationOf,
} from '../context.ts'
import { closeMenu, tappedNote } from '../notes.ts'
import { conversationLocation } from './asking.ts'
import { begin } from './beginning.ts'
import { conversationHere, namesOf, whyNotChange } from './settings.ts'
import { isVoice } from './words.ts'

/** Whether somebody asks by voice without a word of text. */
export const asksByVoice = (message: Message): boolean => isVoice(message) && visible(wordsIn(message)) === ''

/** See `hearingAt`. */
export async function hearingHere(deps: BotDeps, ctx: Ctx) {
  const location = locationOf(ctx)
  return location ? hearingAt(deps, ctx.user.id, conversationLocation(location)) : 'by-none'
}

/** More models have no button. */
const mostModels = 4

interface Hearing {
  /** Whether a model on sale hears it, perhaps with other settings. */
  readonly isPossible: boolean
  /** Names what prevents the model of the conversation. */
  readonly line?: string
}

/** How a sound can be asked about: adds the buttons, with prices. */
export async function addHearing(
  deps: BotDeps,
  ctx: Ctx,
  keyboard: InlineKeyboard,
  { file, words, isVoice: isSaid }: FileOffer,
): Promise<Hearing> {
  const location = locationOf(ctx)
  if (!location || !file) return { isPossible: false }
  const { say } = ctx
  const files = [soundOf(file, isSaid === true)]
  const question = { userId: ctx.user.id, where: conversationLocation(location), text: words, files }
  const estimate = await estimatePrice(deps, question)
  if (!estimate) return { isPossible: false }
  const { noSounds, model } = estimate
  if (!noSounds) {
    const amount = say.roubles(estimate.amount)
    const text = say.plain(isSaid ? 'button-answer' : 'button-ask-sound', { amount })
    keyboard.text(text, taps.askPicture.data()).row()
    return { isPossible: true }
  }
  if (noSounds.because.length > 0) {
    const modes = namesOf(say, noSounds.because)
    return { isPossible: true, line: say.html('sound-deaf-mode', { model: labelOf(model), modes }) }
  }
  const others = noSounds.others.slice(0, mostModels)
  for (const other of others) {
    const price = (await estimatePrice(deps, question, other))?.amount
    if (price === undefined) continue
    const label = say.plain('button-hear-by', { model: labelOf(other), amount: say.roubles(price) })
    keyboard.text(label, taps.hearBy.data({ modelId: other.id })).row()
  }
  if (others.length === 0) return { isPossible: false }
  return { isPossible: true, line: say.html('sound-deaf', { model: labelOf(model) }) }
}

/** Has another model answer the sound, and the questions after it. @param ask asks what the user wants to know of a sound file */
export async function hearBy(
  deps: BotDeps,
  ctx: Ctx,
  modelId: string,
  ask: (file: Attachment, messageId: number) => Promise<void>,
): Promise<void> {
  const offer = await tappedNote(deps, ctx, fileOffer)
  const message = ctx.callbackQuery?.message
  if (!offer?.file || !message) return alertForeign(ctx)
  const conversation = await conversationHere(deps, ctx)
  if (!conversation) return alertStale(ctx)
  const refused = await whyNotChange(ctx, conversation)
  if (refused) return alert(ctx, ctx.say.plain(refused))
  const model = (await textModelsOnSale(deps)).find(({ id }) => id === modelId)
  if (!model || !hears(model, noModes)) return alertStale(ctx)
  if (!(await takeNote(deps, message, ctx.update.update_id))) return alertStale(ctx)
  await changeConversation(deps.db, conversation.id, { modelId, modes: hearingModes(model, conversation) })
  await closeMenu(deps, ctx)
  await answerTap(ctx)
  await deleteTapped(ctx)
  const { file, words, isVoice: isSaid, messageId = message.message_id } = offer
  const sound = soundOf(file, isSaid === true)
  if (!isSaid && visible(words) === '') return ask(sound, messageId)
  await begin(deps, ctx, { text: words, files: [sound], messageId })
}

/** The modes of the conversation, unless the model could not hear with them. */
const hearingModes = (model: TextModel, { modes }: { readonly modes: typeof noModes }) =>
  hears(model, sentModes(model, modes)) ? modes : noModes

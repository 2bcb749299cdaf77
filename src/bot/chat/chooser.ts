// "What shall I make?" below words without a command: what they can become, each at its price, the likeliest first; one of it is the answer
// of a text model. Beside a card they can become its prompt, or be asked. Only the newest such words have an offer.

import { type Api, InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import { questionFile } from '../../catalog/field.ts'
import type { Command } from '../../catalog/model.ts'
import { estimatePrice } from '../../chat/begin.ts'
import { wasAsked } from '../../chat/hold.ts'
import { goesOn } from '../../chat/turns.ts'
import type { Kopecks } from '../../money.ts'
import { dayMs } from '../../runtime/clock.ts'
import { changeNote, newestNote, writeNote } from '../../telegram/message-notes.ts'
import { removeMessage, replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import { readOnSale } from '../commands.ts'
import {
  alert,
  alertForeign,
  answerTap,
  type BotDeps,
  type Ctx,
  deleteTapped,
  locationOf,
  reply,
} from '../context.ts'
import { cardPrice, kindButton, usualFirst } from '../from-prices.ts'
import { leaveMenu, menuFor, noteKind, repliedTo, tappedNote } from '../notes.ts'
import { conversationLocation } from './asking.ts'
import { estimateHere } from './words.ts'

export const offered = z.strictObject({
  text: z.string(),
  files: z.array(questionFile),
  messageId: z.int(),
  /** The first update that brought the text. Every tap asks under its id, so that the answer to a text is paid once. */
  updateId: z.int(),
  /** The price on the button, in kopecks; offers of earlier versions have none. */
  shown: z
    .string()
    .regex(/^\d{1,19}$/)
    .optional(),
  /** The card whose prompt the text can become. */
  draftId: z.string().exactOptional(),
  /** The words that become the prompt of an order; missing when they can only be asked. */
  words: z.string().exactOptional(),
})
export type Offered = z.output<typeof offered>

export const answerOffer = noteKind('answer-offer', offered)

/** The note of the message that says what is missing for the answer. */
export const unpaidWords = noteKind('unpaid-words', offered)

/**
 * Whether words without a command in a private chat are asked at once: the user has chosen so in /settings, has just opened the chat with
 * the text model, or goes on with a conversation.
 */
export async function asksAtOnce(deps: BotDeps, ctx: Ctx, message: Message): Promise<boolean> {
  const location = locationOf(ctx)
  if (ctx.user.isAlwaysAnswered || !location) return true
  const menu = (await menuFor(deps, ctx, message))?.menu.at
  if (menu !== undefined) return menu === 'chat'
  return goesOn(deps, ctx.user.id, conversationLocation(location), repliedTo(message)?.message_id)
}

/**
 * Sends the offer. An offer for another text is deleted; an offer for the same text, which was edited, is changed.
 * @param html says what was expected in place of the text
 */
export async function offerChoice(deps: BotDeps, ctx: Ctx, question: Offered, html?: string): Promise<void> {
  const view = await viewOf(deps, ctx, question, html)
  if (!view) return reply(ctx, html ?? ctx.say.html('chat-off'))
  const before = await openOffer(deps, ctx)
  const note = { kind: answerOffer, userId: ctx.user.id, about: { ...question, ...view.shown } }
  const more = { parse_mode: 'HTML', reply_markup: view.keyboard } as const
  if (before?.offer.messageId === question.messageId) {
    const { chatId, messageId, offer } = before
    const about = { ...note.about, updateId: offer.updateId }
    await changeNote(deps, { chat: { id: chatId }, message_id: messageId }, { ...note, about })
    await ctx.api.editMessageText(chatId, messageId, view.html, more).catch(() => undefined)
    return
  }
  const sent = await ctx.reply(view.html, { ...more, ...replyTo(question.messageId) })
  await writeNote(deps, sent, note)
  if (before) await removeMessage(ctx.api, before.chatId, before.messageId)
}

/** The user's newest offer in the chat. */
export async function openOffer(deps: BotDeps, { chatId, user }: Pick<Ctx, 'chatId' | 'user'>) {
  if (chatId === undefined) return undefined
  const note = await newestNote(deps, chatId, user.id, answerOffer.name)
  const offer = note && offered.safeParse(note.about).data
  return offer && { chatId: note.chatId, messageId: note.messageId, offer }
}

/** @returns undefined when there is no button to offer */
async function viewOf(deps: BotDeps, ctx: Ctx, question: Offered, html?: string) {
  const { say } = ctx
  const isForCard = question.draftId !== undefined
  const amount = (await estimateHere(deps, ctx, question))?.amount
  const keyboard = isForCard
    ? promptKeyboard(say, amount)
    : await kindsKeyboard(deps, ctx, question.words, amount)
  const shown = amount === undefined ? {} : { shown: String(amount) }
  return (
    keyboard && { html: html ?? say.html(isForCard ? 'words-beside-card' : 'chat-first'), keyboard, shown }
  )
}

/** What words beside a card can do to its prompt. */
function promptKeyboard(say: Say, answer: Kopecks | undefined): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  keyboard.text(say.plain('button-replace-prompt'), taps.changePrompt.data({ change: 'replace' })).row()
  keyboard.text(say.plain('button-add-to-prompt'), taps.changePrompt.data({ change: 'add' })).row()
  if (answer === undefined) return keyboard
  const label = say.plain('button-ask-words', { amount: say.roubles(answer) })
  return keyboard.text(label, taps.answerOffered.data())
}

/** The likeliest kind stands alone, above the others. @param words undefined when they can only be asked */
async function kindsKeyboard(
  deps: BotDeps,
  ctx: Ctx,
  words: string | undefined,
  answer: Kopecks | undefined,
): Promise<InlineKeyboard | undefined> {
  const likely = words === undefined ? 'chat' : likelyKind(words)
  const label = answer !== undefined && ctx.say.plain('button-answer', { amount: ctx.say.roubles(answer) })
  const buttons = [
    ...(words === undefined ? [] : await orderButtons(deps, ctx, words, likely)),
    ...(label ? [{ kind: 'chat', button: InlineKeyboard.text(label, taps.answerOffered.data()) }] : []),
  ]
  const first = buttons.find(({ kind }) => kind === likely)
  const others = buttons.flatMap((one) => (one === first ? [] : [one.button]))
  const rest = InlineKeyboard.from([others]).toFlowed(2)
  if (!first) return others.length > 0 ? rest : undefined
  return new InlineKeyboard().add(first.button).primary().append(rest)
}

async function orderButtons(deps: BotDeps, { say, user }: Ctx, words: string, likely: Command | 'chat') {
  const onSale = await readOnSale(deps)
  const kinds = wordKinds.filter(
    (kind) => onSale.commands.includes(kind) && (kind !== 'dialogue' || kind === likely),
  )
  const buttons = kinds.map(async (kind) => {
    const [model] = await usualFirst(deps, user, kind, onSale.models(kind))
    const label = kindButton(say, kind, model && cardPrice(deps, model, words), kind === likely)
    return { kind, button: InlineKeyboard.text(label, taps.useWords.data({ command: kind })) }
  })
  return Promise.all(buttons)
}

// The likeliest use of words, by simple signs in Russian and English. A wrong guess costs nothing: every use has its button.

const wordKinds = ['image', 'video', 'speech', 'music', 'model3d', 'dialogue'] as const satisfies Command[]

const word = (stems: string): RegExp => new RegExp(`(?<!\\p{L})(?:${stems.replaceAll('\n', '')})`, 'iu')

/** Words at the beginning that ask, whatever follows, and words that ask unless a sign follows. */
const questions =
  word(`(?:кто|что|чем|чего|как|где|куда|откуда|когда|почему|зачем|сколько|какой|какая|какое|какие|расскажи|объясни|переведи|
who|what|whose|why|when|where|which|how|is|are|does|do|tell me|explain|translate)(?![\\p{L}-])`)
const requests = word(
  `(?:можно|помоги|посоветуй|придумай|напиши|привет|здравствуй|can|could|should|help|write|hi|hello|hey)(?![\\p{L}-])`,
)

/** The first sign counts. */
const signs: readonly (readonly [kind: Command, sign: RegExp])[] = [
  ['dialogue', /^[^\n:]{1,30}:[^\n]+\n+[^\n:]{1,30}:/],
  ['model3d', word('3[dд]|трёхмерн|трехмерн')],
  ['video', word('видео|ролик|клип|оживи|анимир|анимаци|сними|video|clip|animat|footage|film ')],
  ['music', word('песн|песен|спой|музык|мелоди|трек|song|sing |music|melody|tune |track ')],
  ['speech', word('озвуч|прочти|прочитай|вслух|скажи голосом|read (?:this|it|out|aloud)|aloud|voice|narrat')],
  [
    'image',
    word(
      'нарис|рисун|картин|изобраз|фото|логотип|открытк|постер|плакат|draw|paint|picture|image|photo|logo|poster|sketch',
    ),
  ],
]

export function likelyKind(words: string): Command | 'chat' {
  if (words.search(questions) === 0) return 'chat'
  const sign = signs.find(([, one]) => one.test(words))?.[0]
  return sign ?? (words.search(requests) === 0 || /\?\s*$/.test(words) ? 'chat' : 'image')
}

/** Whether the price is above the one on the button: another model was chosen since, or its price has changed. */
async function isDearer(deps: BotDeps, ctx: Ctx, offer: Offered): Promise<boolean> {
  const estimate = await estimateHere(deps, ctx, offer)
  return estimate !== undefined && offer.shown !== undefined && estimate.amount > BigInt(offer.shown)
}

/**
 * Takes the tapped offer, which stays when the answer could not be begun.
 * @param begin asks the question; @returns whether the answer was begun
 */
export async function takeOffer(
  deps: BotDeps,
  ctx: Ctx,
  begin: (offer: Offered) => Promise<boolean>,
): Promise<void> {
  const offer = await tappedNote(deps, ctx, answerOffer)
  if (!offer) return alertForeign(ctx)
  if (await isDearer(deps, ctx, offer)) {
    await alert(ctx, ctx.say.plain('chat-first-dearer'))
    return offerChoice(deps, ctx, offer)
  }
  await answerTap(ctx)
  if (!(await begin(offer))) return
  await leaveMenu(deps, ctx)
  await deleteTapped(ctx)
}

/** How long a question waits for a top-up. */
const waitsMs = dayMs

/**
 * Offers the question again for which the balance was too short: asked by itself, it could come as a surprise, long after. The offer asks
 * under the same update, so that the answer is paid once.
 * @returns whether a question waited
 */
export async function offerUnpaid(deps: BotDeps, api: Api, userId: bigint, say: Say): Promise<boolean> {
  const user = await findUser(deps.db, userId)
  const chatId = user?.telegramId
  const note = chatId == null ? undefined : await newestNote(deps, chatId, userId, unpaidWords.name)
  const question = note && offered.safeParse(note.about).data
  if (!user || chatId == null || !question) return false
  if (deps.clock.now().getTime() - note.createdAt.getTime() > waitsMs) return false
  const { text, files, messageId, updateId } = question
  const estimate = await estimatePrice(deps, { userId, where: { chatId, topicId: 0 }, text, files })
  // It was asked by another button meanwhile.
  if (!estimate || (await wasAsked(deps, { updateId }))) return false
  const before = await openOffer(deps, { chatId, user })
  const label = say.plain('button-answer', { amount: say.roubles(estimate.amount) })
  const sent = await api.sendMessage(chatId, say.html('chat-unpaid'), {
    parse_mode: 'HTML',
    reply_markup: new InlineKeyboard().text(label, taps.answerOffered.data()).primary(),
    ...replyTo(messageId),
  })
  const offer = { kind: answerOffer, userId, about: { ...question, shown: String(estimate.amount) } }
  await writeNote(deps, sent, offer)
  // The note of what was missing is taken: a further top-up offers nothing again.
  await changeNote(deps, { chat: sent.chat, message_id: note.messageId }, offer)
  await removeMessage(api, chatId, note.messageId)
  if (before?.offer.messageId === messageId) await removeMessage(api, chatId, before.messageId)
  return true
}

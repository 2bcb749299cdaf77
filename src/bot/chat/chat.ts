// Questions to text models: words in private chats, /chat anywhere, a mention or a reply in groups; and the other commands and
// taps of a conversation.

import { Composer, type Context, type MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { visible } from '../../catalog/fields.ts'
import { findConversation, spentIn, startOver, type Turn } from '../../chat/conversations.ts'
import { isEarlier } from '../../chat/question-files.ts'
import { findTurn, lastTurnOf } from '../../chat/turns.ts'
import { repeatedWithinMs } from '../../orders/confirm.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import { messageLimit } from '../../texts.ts'
import { isOperator } from '../admin/operator.ts'
import { claimAlbum, offerFiles, rewordOffer, tellAlbum } from '../cards/file-uses.ts'
import { offerUses } from '../cards/models.ts'
import { alert, answerTap, type BotDeps, type Ctx, locationOf, reply, send } from '../context.ts'
import { isMentioned, openMenu, referredTo, repliedTo, withoutMention } from '../notes.ts'
import { closeQuestion } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { changePrompt } from '../typed-words.ts'
import { conversationLocation, mayNotAsk } from './asking.ts'
import { begin, explain } from './beginning.ts'
import { asksAtOnce, offerChoice, openOffer, takeOffer } from './chooser.ts'
import { offerDocument, useDocument } from './documents.ts'
import { askAboutFile, askBy } from './files.ts'
import { readAloud } from './read-aloud.ts'
import { conversationHere, showSettings, whyNotChange } from './settings.ts'
import { asksByVoice, markedWords, takingHere, unreadText, wordsOf } from './words.ts'

/** Telegram's own Stop button. Its update has no user, so it is handled before users are recognised. */
export const chatStops =
  ({ running }: BotDeps): MiddlewareFn<Context> =>
  async (ctx, next) => {
    const stopped = ctx.update.stopped_message_generation
    if (!stopped) return next()
    const { chat, draft_id: draftId } = stopped
    await running.stop({ chatId: chat.id, draftId, updateId: ctx.update.update_id })
  }

export const chat = (deps: BotDeps): Routes => ({
  commands: {
    async chat(ctx) {
      if (visible(ctx.match) !== '') return askHere(deps, ctx, ctx.msg, questionIn(ctx.msg))
      await offerUses(deps, ctx, ctx.msg, () => showSettings(deps, ctx))
    },
    new: (ctx) => startAnew(deps, ctx),
    retry: (ctx) => retryLast(deps, ctx),
    model: (ctx) => showSettings(deps, ctx),
    thinking: (ctx) => showSettings(deps, ctx),
    search: (ctx) => showSettings(deps, ctx),
  },
  taps: [
    onTap(taps.stopAnswer, (ctx, { turnId }) => stopByTap(deps, ctx, turnId)),
    onTap(taps.answerOffered, (ctx) => takeOffer(deps, ctx, (offer) => begin(deps, ctx, offer))),
    onTap(taps.changePrompt, (ctx, { change }) => changePrompt(deps, ctx, change)),
    onTap(taps.explainCost, (ctx, { turnId }) => explainCost(deps, ctx, turnId)),
    onTap(taps.readAnswer, (ctx, { turnId, amount }) => readAloud(deps, ctx, turnId, amount)),
    onTap(taps.retryAnswer, (ctx, { turnId }) => askAgain(deps, ctx, turnId)),
    onTap(taps.useDocument, (ctx, { use }) => useDocument(deps, ctx, use)),
    onTap(taps.askFile, (ctx) => askAboutFile(deps, ctx)),
    onTap(taps.askBy, (ctx, { modelId }) => askBy(deps, ctx, modelId)),
  ],
})

/** Messages that ask a text model without a command. */
export function plainQuestions(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.chatType('private').on([...withWords, 'message:document', ...voices], async (ctx, next) => {
    const words = wordsIn(ctx.msg)
    if (words.startsWith('/')) return next()
    if (visible(words) === '' && ctx.msg.document) return offerDocument(deps, ctx, ctx.msg.document)
    if (asksByVoice(ctx.msg) && (await takingHere(deps, ctx, { medium: 'audio' })) === 'by-none')
      return next()
    const asksNow = await asksAtOnce(deps, ctx, ctx.msg)
    await (asksNow ? askHere(deps, ctx, ctx.msg, markedWords(ctx.msg)) : choose(deps, ctx, ctx.msg))
  })
  composer
    .chatType('private')
    .on(['edited_message:text', 'edited_message:caption'], (ctx) => askEdited(deps, ctx))
  composer.chatType(['group', 'supergroup']).on([...withWords, ...voices], async (ctx, next) => {
    const words = addressed(ctx, ctx.msg)
    if (words === undefined) return next()
    await askHere(deps, ctx, ctx.msg, words)
  })
  return composer
}

const withWords = ['message:text', 'message:caption'] as const
const voices = ['message:voice', 'message:video_note'] as const

/** The words of a group message that mentions the bot or replies to it; undefined for other messages. */
function addressed(ctx: Ctx, message: Message): string | undefined {
  const words = wordsIn(message)
  const isReply = repliedTo(message)?.from?.id === ctx.me.id
  if (words.startsWith('/') || (!isMentioned(ctx, message) && !isReply)) return undefined
  if (asksByVoice(message)) return ''
  return visible(markedWords(withoutMention(ctx, message))) || undefined
}

/** The words of a question, without the command that asks it. */
const questionIn = (message: Message): string =>
  markedWords(message).replace(/^\/chat(?:@\w+)?(?:\s+|$)/i, '')

/** Answers a message without a command with buttons: the kinds of orders it can become, and a question to the text model. */
async function choose(deps: BotDeps, ctx: Ctx, message: Message): Promise<void> {
  if (!(await claimAlbum(deps, ctx.user.id, message))) return
  await offerUses(deps, ctx, message, async () => {
    const read = await wordsOf(deps, ctx, message, markedWords(message))
    if (!read.ok) return reply(ctx, unreadText(ctx.say, read.missing))
    const { message_id: messageId, document } = message
    const [text, words, files] = [read.text, visible(wordsIn(message)), [...read.files]]
    const [file] = files
    if (file?.medium === 'image') {
      const picture = { ...file, medium: file.medium }
      if (await offerFiles(deps, ctx, { file: picture, words, messageId })) return
    }
    const question = { text, files, messageId, updateId: ctx.update.update_id }
    await offerChoice(deps, ctx, { ...question, ...(document || words === '' ? {} : { words }) })
  })
}

async function askHere(deps: BotDeps, ctx: Ctx, message: Message, words: string): Promise<void> {
  const location = locationOf(ctx)
  if (!location) return
  const asker = { user: ctx.user, isOperator: isOperator(deps, ctx), location }
  const refused = isHeavy(message) && (await mayNotAsk(deps, asker))
  if (refused) return explain(deps, ctx, refused)
  const read = await wordsOf(deps, ctx, message, words)
  if (!read.ok) return reply(ctx, unreadText(ctx.say, read.missing))
  await tellAlbum(deps, ctx, message, 'album-in-question')
  await begin(deps, ctx, { ...read, messageId: message.message_id })
}

/** Whether the file of the question has to be downloaded before it is asked. */
const isHeavy = (message: Message): boolean =>
  [message, referredTo(message) ?? {}].some(
    ({ document, voice, video_note, audio }) => (document ?? voice ?? video_note ?? audio) !== undefined,
  )

async function stopByTap({ db, running }: BotDeps, ctx: Ctx, turnId: string): Promise<void> {
  const { user, say } = ctx
  if (await running.stop({ turnId, userId: user.id })) return answerTap(ctx, say.plain('chat-stopping'))
  const own = await findTurn(db, turnId, user.id)
  await answerTap(ctx, say.plain(own ? 'chat-not-written' : 'chat-not-yours'))
}

async function startAnew(deps: BotDeps, ctx: Ctx): Promise<void> {
  const location = locationOf(ctx)
  if (!location) return
  const conversation = await findConversation(deps.db, conversationLocation(location))
  const refused = conversation && (await whyNotChange(ctx, conversation))
  if (refused) return reply(ctx, ctx.say.html(refused))
  await closeQuestion(deps, ctx)
  if (conversation) await startOver(deps.db, conversation, deps.ids.next(), deps.clock.now())
  await openMenu(deps, ctx, { at: 'chat' }, await send(ctx, ctx.say.html('chat-new')))
}

async function retryLast(deps: BotDeps, ctx: Ctx): Promise<void> {
  const conversation = await conversationHere(deps, ctx)
  const last = conversation && (await lastTurnOf(deps.db, conversation.id, ctx.user.id))
  if (!last) return reply(ctx, ctx.say.html('chat-nothing-to-retry'))
  await begin(deps, ctx, asked(last, ctx))
}

async function askAgain(deps: BotDeps, ctx: Ctx, turnId: string): Promise<void> {
  const turn = await findTurn(deps.db, turnId, ctx.user.id)
  if (!turn || turn.state === 'streaming') return alert(ctx, ctx.say.plain('chat-not-yours'))
  await answerTap(ctx)
  if (await isAskedNow(deps, ctx, turn)) return
  await begin(deps, ctx, asked(turn, ctx))
}

/** Whether the same question was asked again a moment ago. */
async function isAskedNow({ db, clock }: BotDeps, { user }: Ctx, turn: Turn): Promise<boolean> {
  const last = await lastTurnOf(db, turn.conversationId, user.id)
  if (!last || last.id === turn.id || last.question !== turn.question) return false
  return clock.now().getTime() - last.createdAt.getTime() < repeatedWithinMs
}

const asked = ({ question, files, questionMessageId }: Turn, ctx: Ctx) => ({
  text: question,
  files: files.filter((file) => !isEarlier(file)),
  messageId: questionMessageId ?? ctx.msgId ?? 1,
})

/** The shortest text that a client splits, in UTF-16 units. */
const shortestSplit = messageLimit / 2

/**
 * Whether an edit of a question changes its words: Telegram also reports a reaction and a link preview as an edit. Of a question that was
 * split into several messages, only the first message is edited, so its text is compared with the beginning of the question.
 */
const isChanged = ({ question }: Turn, text: string): boolean =>
  question !== text && !(text.length > shortestSplit && question.startsWith(text))

/**
 * An edit of the last question asks it again; its answer is stopped first if it is still being written. An edited text that has an offer
 * gets a new offer.
 */
async function askEdited(deps: BotDeps, ctx: Ctx): Promise<void> {
  const message = ctx.editedMessage
  const words = message ? questionIn(message) : ''
  if (!message || words.startsWith('/')) return
  const conversation = await conversationHere(deps, ctx)
  const last = conversation && (await lastTurnOf(deps.db, conversation.id, ctx.user.id))
  if (last?.questionMessageId !== message.message_id) return offerEdited(deps, ctx, message, words)
  const read = await wordsOf(deps, ctx, message, words)
  if (read.ok && !isChanged(last, read.text)) return
  // What the question quotes, and the text of its file, do not count.
  const around = read.ok ? read.text.length - words.length : 0
  if (!message.rich_message && last.question.length - around > messageLimit)
    return reply(ctx, ctx.say.html('chat-edited-part'))
  await stopAndWait(deps, last)
  await askHere(deps, ctx, message, words)
}

const [stopWithinMs, lookMs] = [3000, 50]

/** Stops an answer and waits until it is settled, so that the money held for it is available again. Gives up after a few seconds. */
async function stopAndWait({ db, clock, running }: BotDeps, { id, userId }: Turn): Promise<void> {
  if (!(await running.stop({ turnId: id, userId }))) return
  for (let waitedMs = 0; waitedMs < stopWithinMs; waitedMs += lookMs) {
    if ((await findTurn(db, id, userId))?.state !== 'streaming') return
    await clock.wait(lookMs)
  }
}

async function offerEdited(deps: BotDeps, ctx: Ctx, message: Message, words: string): Promise<void> {
  const { message_id: messageId } = message
  const before = await openOffer(deps, ctx)
  if (before?.offer.messageId !== messageId) return rewordOffer(deps, ctx, message, words)
  const read = await wordsOf(deps, ctx, message, words)
  if (!read.ok) return
  const edited = before.offer.words === undefined ? {} : { words: visible(words) }
  await offerChoice(deps, ctx, { ...before.offer, ...edited, text: read.text, files: [...read.files] })
}

async function explainCost(deps: BotDeps, ctx: Ctx, turnId: string): Promise<void> {
  const turn = await findTurn(deps.db, turnId, ctx.user.id)
  if (!turn) return alert(ctx, ctx.say.plain('chat-not-yours'))
  const spent = await spentIn(deps.db, turn.conversationId)
  const text = ctx.say.plain(turn.isEstimate ? 'chat-cost-estimate' : 'chat-cost', {
    amount: ctx.say.roubles(turn.captured ?? 0n),
    input: turn.inputTokens ?? 0,
    output: turn.outputTokens ?? 0,
    total: ctx.say.roubles(spent.captured),
    answers: spent.turns,
  })
  const withFile = turn.files.some(isEarlier) ? [ctx.say.plain('chat-cost-file')] : []
  await alert(ctx, [text, ...withFile].join('\n'))
}

// Asks a text model: holds the price, then writes, settles and sends the answer in the background, while the chat shows its progress.

import { type Api, InlineKeyboard } from 'grammy'
import type { QuestionFile } from '../../catalog/field.ts'
import { answer, settleAbandoned } from '../../chat/answer.ts'
import { beginAnswer, type Prepared, refusalBefore } from '../../chat/begin.ts'
import type { ChatRequest } from '../../chat/bodies.ts'
import type { ConversationLocation, Turn } from '../../chat/conversations.ts'
import { claimAnswers, type Seen, turnLeases } from '../../chat/deliveries.ts'
import { previewOf } from '../../chat/format/answer.ts'
import { separated } from '../../chat/format/thinking.ts'
import type { AnswerTexts, Failure, Note } from '../../chat/parts.ts'
import type { LiveAnswer, Progress } from '../../chat/reading.ts'
import { toolsFor } from '../../chat/tools.ts'
import { setAnswerMessage } from '../../chat/turns.ts'
import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import { createQueueWorker } from '../../runtime/queue-worker.ts'
import { type ChatLocation, outcomeOf, replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { homeLocale, messageLimit, type Say } from '../../texts.ts'
import { findUser, type User } from '../../users/user.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps } from '../context.ts'
import { deliverAnswer } from './deliver.ts'

export interface Asked {
  readonly api: Api
  readonly user: User
  readonly isOperator: boolean
  readonly say: Say
  readonly location: ChatLocation
  readonly isPrivate: boolean
  readonly text: string
  readonly files: readonly QuestionFile[]
  readonly messageId: number
  /** The id of the update that brought the question: an update is asked once. */
  readonly updateId: number
}

/** The chat and topic in the form that the tables use. */
export const conversationLocation = ({ chatId, topicId }: ChatLocation): ConversationLocation => ({
  chatId,
  topicId: topicId ?? 0,
})

export type Refused = Exclude<Extract<Prepared, { ok: false }>, { reason: 'asked-before' }>

type Begun = Refused | { readonly ok: true; readonly forgets?: boolean | undefined }

/** The refusals that do not depend on the question, checked before its file is downloaded and read. */
export async function mayNotAsk(
  deps: BotDeps,
  { user, isOperator, location }: Pick<Asked, 'user' | 'isOperator' | 'location'>,
): Promise<Refused | undefined> {
  const where = conversationLocation(location)
  const refused = await refusalBefore(deps, { userId: user.id, isOperator, where })
  return refused?.reason === 'asked-before' ? undefined : refused
}

/** Holds the price and starts the answer in the background, unless the same update has asked before. */
export async function ask(deps: BotDeps, asked: Asked): Promise<Begun> {
  const prepared = await beginAnswer(deps, {
    ...asked,
    userId: asked.user.id,
    where: conversationLocation(asked.location),
    tools: toolsFor(offeredCommands(deps.catalog)),
  })
  if (!prepared.ok) return prepared.reason === 'asked-before' ? { ok: true } : prepared
  const { turn, request, forgets } = prepared
  deps.running.start(turn, (stop) => write(deps, asked, turn, request, stop))
  return { ok: true, forgets }
}

async function write(
  deps: BotDeps,
  asked: Asked,
  turn: Turn,
  request: ChatRequest,
  stop: AbortSignal,
): Promise<void> {
  const live = liveAnswerFor(deps, asked, turn)
  const texts = answerTexts(asked.say)
  const answered = await answer(deps, turn, request, live, texts, stop).finally(() => live.close())
  const { turn: settled } = answered
  if (!settled) return
  deps.metrics.answers.ended(settled)
  const answerMessageId = live.messageId() ?? settled.answerMessageId
  const sender = { deps, api: asked.api, isLate: false }
  await deliverAnswer(sender, { ...settled, answerMessageId }, asked, live.seen())
}

function liveAnswerFor(
  deps: BotDeps,
  { api, location, isPrivate, say, messageId }: Asked,
  turn: Turn,
): PostedAnswer {
  const tools = { api, clock: deps.clock, log: deps.log }
  if (isPrivate) return { ...draftAnswer(tools, location, messageId), messageId: () => undefined }
  const onPosted = (id: number) =>
    setAnswerMessage(deps.db, turn, id).catch((error: unknown) =>
      deps.log.warn({ turn: turn.id, error }, 'message of an answer not stored'),
    )
  return postedAnswer(tools, { location, messageId, turnId: turn.id, say, onPosted })
}

/** The texts that the bot itself adds to an answer. */
export const answerTexts = (say: Say): AnswerTexts => ({
  thinking: say.plain('chat-thinking'),
  sources: say.plain('chat-sources'),
  note: (note) => noteText(say, note),
})

function noteText(say: Say, note: Note): string {
  switch (note.about) {
    case 'not-rewritten':
      return say.plain('rewrite-failed')
    case 'ended':
      return say.plain(`chat-ended-${note.by}`)
    case 'failed':
      return failureText(say, note.failure)
    default:
      return say.plain(`chat-${note.about}`)
  }
}

function failureText(say: Say, failure: Failure): string {
  const text = say.plain(`chat-failed-${failure.reason}`)
  if (failure.reason !== 'refused' || failure.said === undefined) return text
  return `${text}\n${say.plain('chat-failed-said', { said: failure.said })}`
}

// Shows an answer while it is being written: as a draft in private chats, as a message that is edited in groups. An answer does not fail
// because its progress cannot be shown.

interface Deps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
}

/** Telegram removes a draft after 30 seconds without an update. A draft without words shows "Thinking…". */
const draftPace = { silenceMs: 300, pauseMs: 1000, keepAliveMs: 20_000 }
/** How long the answer waits for the last draft, which could otherwise appear after it. */
const lastDraftMs = 1000

/** @param draftId not zero; Telegram's Stop button reports it */
export function draftAnswer(deps: Deps, location: ChatLocation, draftId: number): PacedAnswer {
  const { api, clock } = deps
  const { show, close, seen } = paced(deps, draftPace, ({ text, entities }) =>
    api.sendMessageDraft(location.chatId, draftId, text, {
      ...topicOf(location),
      entities: [...entities],
      can_stop: true,
    }),
  )
  let closed: Promise<void> | undefined
  const closeInTime = () => allSettledWithin([close()], clock, lastDraftMs).then(() => undefined)
  return {
    show,
    seen,
    close: () => (closed ??= closeInTime()),
  }
}

/** Groups accept about twenty messages and edits a minute. */
const editPace = { silenceMs: 1000, pauseMs: 3000 }

interface PostedAnswer extends PacedAnswer {
  /** The id of the message that shows the answer, once it is sent. */
  messageId(): number | undefined
}

interface Post {
  readonly location: ChatLocation
  /** The id of the question's message, to which the message replies. */
  readonly messageId: number
  readonly turnId: string
  readonly say: Say
  /** Called once, with the id of the message. */
  onPosted(messageId: number): Promise<void>
}

/**
 * Tries only once to send the message, since a second attempt could send a second message. Without it the answer is shown when it is
 * complete.
 */
export function postedAnswer(deps: Deps, { location, messageId, turnId, say, onPosted }: Post): PostedAnswer {
  const { api } = deps
  const keyboard = new InlineKeyboard().text(say.plain('button-chat-stop'), taps.stopAnswer.data({ turnId }))
  let isPosted = false
  let posted: number | undefined

  const post = async ({ text, entities }: Shown) => {
    isPosted = true
    const sent = await api.sendMessage(location.chatId, text || say.plain('chat-writing'), {
      ...topicOf(location),
      entities: [...entities],
      reply_markup: keyboard,
      ...replyTo(messageId),
    })
    posted = sent.message_id
    await onPosted(posted)
  }

  const draw = async (shown: Shown) => {
    if (!isPosted) await post(shown)
    else if (posted !== undefined && shown.text !== '') {
      const more = { entities: [...shown.entities], reply_markup: keyboard }
      await api.editMessageText(location.chatId, posted, shown.text, more)
    }
  }
  const live = paced(deps, editPace, draw)
  return { ...live, seen: () => (posted === undefined ? undefined : live.seen()), messageId: () => posted }
}

const topicOf = ({ topicId }: ChatLocation) => (topicId === null ? {} : { message_thread_id: topicId })

// When the progress of an answer is drawn: the first words at once, then the newest text at most once per pause. Two drawings never
// overlap, so no earlier text can arrive after a later one.

type Shown = ReturnType<typeof previewOf>

interface Pace {
  /** After this time without words the answer is drawn without words. */
  readonly silenceMs: number
  /** The least time between the starts of two drawings; the first words after a drawing without words do not wait for it. */
  readonly pauseMs: number
  /** The last drawing is repeated after this time; undefined if never. */
  readonly keepAliveMs?: number
}

/** The first words after a silence wait for the rest of their packet: if the answer ends in that packet, nothing needs to be drawn. */
const gatherMs = 5
/** The longest time that a timer accepts. */
const foreverMs = 2 ** 31 - 1

interface PacedAnswer extends LiveAnswer {
  /** What the drawings that succeeded have shown of the answer, without its thinking. */
  seen(): Seen | undefined
}

/** @param draw draws the progress; a failure is only logged, and a pause that Telegram demands is kept */
function paced(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { silenceMs, pauseMs, keepAliveMs = foreverMs }: Pace,
  draw: (shown: Shown) => Promise<unknown>,
): PacedAnswer {
  const closing = new AbortController()
  let latest: Progress = { text: '', thinking: '' }
  let hasWords = false
  let shown = 0
  let news = new AbortController()

  /** Waits until there are words that were not drawn. */
  const untilNews = async (drawn: Progress, ms: number) => {
    news = new AbortController()
    if (latest !== drawn && hasWords) return
    await clock.wait(ms, AbortSignal.any([closing.signal, news.signal]))
    if (news.signal.aborted) await clock.wait(gatherMs, closing.signal)
  }

  /** @returns the pause that Telegram demands */
  const drawLatest = async (): Promise<number | undefined> => {
    const drawn = latest
    try {
      await draw(shownOf(drawn))
      // One message shows the end of a long text.
      shown = Math.min(answerIn(drawn).length, shown + messageLimit)
      return undefined
    } catch (error) {
      log.debug({ error }, 'progress of an answer not shown')
      const outcome = outcomeOf(error)
      return outcome.retry ? outcome.afterMs : undefined
    }
  }

  const run = async () => {
    await untilNews(latest, silenceMs)
    while (!closing.signal.aborted) {
      const begunAt = clock.now().getTime()
      const left = (ms: number) => Math.max(0, begunAt + ms - clock.now().getTime())
      const [drawn, hadWords] = [latest, hasWords]
      const demandedMs = await drawLatest()
      const restMs = demandedMs ?? (hadWords ? left(pauseMs) : 0)
      if (restMs > 0) await clock.wait(restMs, closing.signal)
      await untilNews(drawn, left(keepAliveMs))
    }
  }

  const running = run()
  return {
    show(progress) {
      latest = progress
      hasWords ||= isVisible(progress)
      if (hasWords) news.abort('news')
    },
    close() {
      closing.abort('closed')
      return running
    },
    seen() {
      const of = answerIn(latest).length
      // What was drawn as the answer may have turned out to be thinking.
      return { shown: Math.min(shown, of), of }
    },
  }
}

const answerIn = (progress: Progress): string => separated(progress, true).answer

/** The answer without its thinking, or the thinking while there is no answer. */
function shownOf(progress: Progress): Shown {
  const { answer, thinking } = separated(progress, true)
  return previewOf(answer || thinking)
}

/**
 * In characters. A longer text counts as visible without a check, even if it is blank, so that not every piece of a long text is formatted.
 */
const longestBeginning = 200

const isVisible = (progress: Progress): boolean =>
  progress.text.length + progress.thinking.length > longestBeginning || shownOf(progress).text !== ''

// Sends unsent answers: those whose process died while it wrote or sent them, and those that Telegram refused at first.

export const createAnswerQueue = (deps: BotDeps, api: Api): Loop =>
  createQueueWorker<Turn>(
    deps,
    {
      ...turnLeases(deps.db),
      claim: (claim) => claimAnswers(deps.db, claim),
      async work(turn) {
        const settled = turn.state === 'streaming' ? await settledNow(deps, turn) : turn
        if (settled) await deliverAnswer({ deps, api, isLate: true }, settled)
      },
    },
    { slots: 16, failed: 'unsent answers cannot be claimed' },
  )

/** Settles an answer that its process has abandoned. @returns undefined when that process has settled it meanwhile */
async function settledNow(deps: BotDeps, abandoned: Turn): Promise<Turn | undefined> {
  const user = await findUser(deps.db, abandoned.userId)
  const model = deps.textModels.find(({ id }) => id === abandoned.modelId)
  const texts = answerTexts(deps.texts(user?.locale ?? homeLocale))
  const turn = await settleAbandoned(deps, abandoned, model, texts)
  if (turn) deps.metrics.answers.ended(turn)
  return turn
}

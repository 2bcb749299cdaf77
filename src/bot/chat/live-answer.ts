// Shows an answer while it is being written: as a draft in private chats, as a message that is edited in groups. An answer does not fail
// because its progress cannot be shown.

import { type Api, InlineKeyboard } from 'grammy'
import { type Seen, unseen } from '../../chat/deliveries.ts'
import { previewOf } from '../../chat/format/answer.ts'
import { separated } from '../../chat/format/thinking.ts'
import type { LiveAnswer, Progress } from '../../chat/reading.ts'
import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { outcomeOf } from '../../telegram/errors.ts'
import { type ChatLocation, replyTo } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import { messageLimit, type Say } from '../../texts.ts'

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

export interface PostedAnswer extends PacedAnswer {
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
  return { ...live, seen: () => (posted === undefined ? unseen : live.seen()), messageId: () => posted }
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
  seen(): Seen
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

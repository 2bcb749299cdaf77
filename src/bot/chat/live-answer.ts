// Shows an answer while it is being written: as a draft in private chats, by edits of a message in groups. Both are paced, and no
// failure to show it fails the answer.

import { type Api, InlineKeyboard } from 'grammy'
import { previewOf } from '../../chat/format/preview.ts'
import { splitThinking } from '../../chat/format/thinking.ts'
import type { Progress } from '../../chat/reading.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { ChatLocation } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'

export interface LiveAnswer {
  show(progress: Progress): void
  /** Stops showing progress. */
  close(): Promise<void>
}

interface Deps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
}

const draftPauseMs = 1000
/** Telegram removes a draft after 30 seconds without an update. */
const keepAliveMs = 20_000

/** @param draftId not zero; Telegram's Stop button reports it */
export function draftAnswer({ api, clock, log }: Deps, location: ChatLocation, draftId: number): LiveAnswer {
  const place = location.topicId === null ? {} : { message_thread_id: location.topicId }
  let sentAt = 0
  return paced(clock, draftPauseMs, async ({ text, thinking }, isNew) => {
    const now = clock.now().getTime()
    if (!isNew && now - sentAt < keepAliveMs) return
    sentAt = now
    const shown = previewOf(answerOf(text) || thinking)
    await api
      .sendMessageDraft(location.chatId, draftId, shown.text, {
        ...place,
        entities: [...shown.entities],
        can_stop: true,
      })
      .catch((error: unknown) => log.debug({ error }, 'draft not shown'))
  })
}

const editPauseMs = 3000

export function editedAnswer(
  { api, clock, log }: Deps,
  location: ChatLocation,
  messageId: number,
  turnId: string,
  say: Say,
): LiveAnswer {
  const reply_markup = new InlineKeyboard().text(
    say.plain('button-chat-stop'),
    taps.stopAnswer.data({ turnId }),
  )
  return paced(clock, editPauseMs, async ({ text, thinking }, isNew) => {
    if (!isNew) return
    const shown = previewOf(answerOf(text) || thinking)
    if (shown.text === '') return
    await api
      .editMessageText(location.chatId, messageId, shown.text, {
        entities: [...shown.entities],
        reply_markup,
      })
      .catch((error: unknown) => log.debug({ error }, 'answer not edited'))
  })
}

/** The text without think tags, complete or not; the thinking itself until there is an answer. */
const answerOf = (text: string): string => {
  const { answer, thinking } = splitThinking(text, true)
  return answer || thinking
}

/** Draws the latest progress until it is closed, at most once per pause; the first progress after a silence is drawn at once. */
function paced(
  clock: Clock,
  pauseMs: number,
  draw: (progress: Progress, isNew: boolean) => Promise<void>,
): LiveAnswer {
  const closing = new AbortController()
  let progressed = new AbortController()
  let latest: Progress = { text: '', thinking: '' }
  let drawn: Progress | undefined
  const loop = async () => {
    while (!closing.signal.aborted) {
      const progress = latest
      progressed = new AbortController()
      await draw(progress, progress !== drawn)
      drawn = progress
      await clock.wait(pauseMs, closing.signal)
      const more = AbortSignal.any([closing.signal, progressed.signal])
      if (latest === drawn) await clock.wait(pauseMs, more)
    }
  }
  const looping = loop()
  return {
    show(progress) {
      latest = progress
      progressed.abort('progress')
    },
    async close() {
      closing.abort()
      await looping
    },
  }
}

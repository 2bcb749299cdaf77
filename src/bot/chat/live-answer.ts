// How a chat shows an answer that is being written: as a draft in private chats, by edits of a message in groups. Both are
// paced, and neither may fail the answer.

import { type Api, InlineKeyboard } from 'grammy'
import { previewOf } from '../../chat/format/preview.ts'
import { splitThinking } from '../../chat/format/thinking.ts'
import type { Progress } from '../../chat/reading.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Say } from '../../texts.ts'

export interface Face {
  show(progress: Progress): void
  /** Shows nothing more. */
  close(): Promise<void>
}

interface Deps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
}

export interface Spot {
  readonly chatId: number
  readonly topicId: number | null
}

const draftPauseMs = 1000
/** A draft vanishes by itself after 30 seconds. */
const keepAliveMs = 20_000

/** @param draftId any number but zero; the one the Stop button reports */
export function draftFace({ api, clock, log }: Deps, spot: Spot, draftId: number): Face {
  const place = spot.topicId === null ? {} : { message_thread_id: spot.topicId }
  let sentAt = 0
  return paced(clock, draftPauseMs, async ({ text, thinking }, isNew) => {
    const now = clock.now().getTime()
    if (!isNew && now - sentAt < keepAliveMs) return
    sentAt = now
    const shown = previewOf(answerOf(text) || thinking)
    await api
      .sendMessageDraft(spot.chatId, draftId, shown.text, {
        ...place,
        entities: [...shown.entities],
        can_stop: true,
      })
      .catch((error: unknown) => log.debug({ error }, 'draft not shown'))
  })
}

const editPauseMs = 3000

/** @param stopTap the callback data of the Stop button */
export function editFace(
  { api, clock, log }: Deps,
  spot: Spot,
  messageId: number,
  stopTap: string,
  say: Say,
): Face {
  const reply_markup = new InlineKeyboard().text(say.plain('button-chat-stop'), stopTap)
  return paced(clock, editPauseMs, async ({ text, thinking }, isNew) => {
    if (!isNew) return
    const shown = previewOf(answerOf(text) || thinking)
    if (shown.text === '') return
    await api
      .editMessageText(spot.chatId, messageId, shown.text, {
        entities: [...shown.entities],
        reply_markup,
      })
      .catch((error: unknown) => log.debug({ error }, 'answer not edited'))
  })
}

/** Think tags are not for showing, half ones neither. */
const answerOf = (text: string): string => {
  const { answer, thinking } = splitThinking(text, true)
  return answer || thinking
}

/** Draws the latest progress, but seldom: what comes after a silence at once, else once a pause; until it is closed. */
function paced(
  clock: Clock,
  pauseMs: number,
  draw: (progress: Progress, isNew: boolean) => Promise<void>,
): Face {
  const closing = new AbortController()
  let speaking = new AbortController()
  let latest: Progress = { text: '', thinking: '' }
  let drawn: Progress | undefined
  const loop = async () => {
    while (!closing.signal.aborted) {
      const progress = latest
      speaking = new AbortController()
      await draw(progress, progress !== drawn)
      drawn = progress
      await clock.wait(pauseMs, closing.signal)
      const more = AbortSignal.any([closing.signal, speaking.signal])
      if (latest === drawn) await clock.wait(pauseMs, more)
    }
  }
  const looping = loop()
  return {
    show(progress) {
      latest = progress
      speaking.abort('said')
    },
    async close() {
      closing.abort()
      await looping
    },
  }
}

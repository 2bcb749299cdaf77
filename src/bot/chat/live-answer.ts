// Shows an answer while it is being written: as a draft in private chats, as a message that is edited in groups. An answer does not fail
// because its progress cannot be shown.

import { type Api, InlineKeyboard } from 'grammy'
import { unseen } from '../../chat/deliveries.ts'
import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { type ChatLocation, replyTo } from '../../telegram/send-into.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type PacedAnswer, paced, type Shown } from './paced.ts'

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

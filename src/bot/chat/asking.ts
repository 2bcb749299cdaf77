// A question on its way through the chat: begun beside the handlers, its answer shown as it comes, settled and sent.

import type { Api } from 'grammy'
import type { Attachment } from '../../catalog/attachment.ts'
import { answer } from '../../chat/answer.ts'
import { beginAnswer, type Prepared, refusalBefore } from '../../chat/begin.ts'
import type { ChatRequest } from '../../chat/bodies.ts'
import type { Turn, Where } from '../../chat/conversations.ts'
import { toolsFor } from '../../chat/tools.ts'
import { setAnswerMessage } from '../../chat/turns.ts'
import { salesStopped } from '../../sales/sales.ts'
import { maintenance, switchedOff } from '../../sales/switches.ts'
import type { Say } from '../../texts.ts'
import type { User } from '../../users/user.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps } from '../context.ts'
import { deliverAnswer } from './deliver.ts'
import { draftFace, editFace, type Face, type Spot } from './live-answer.ts'
import { answerTexts } from './texts.ts'

/** Who asks what, and where. */
export interface Asked {
  readonly api: Api
  readonly user: User
  readonly say: Say
  readonly spot: Spot
  readonly isPrivate: boolean
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number
  /** The update that asks. */
  readonly updateId: number
}

/** How the tables name a place. */
export const whereOf = ({ chatId, topicId }: Spot): Where => ({ chatId, topicId: topicId ?? 0 })

export type Refused =
  | { readonly reason: 'paused' }
  | Exclude<Extract<Prepared, { ok: false }>, { reason: 'asked-before' }>

/** Why nothing can be asked now, whatever it is: known before a file of the question is fetched and read. */
export async function mayNotAsk(deps: BotDeps, user: User, spot: Spot): Promise<Refused | undefined> {
  if (await isPaused(deps)) return { reason: 'paused' }
  const refused = await refusalBefore(deps, user.id, whereOf(spot))
  return refused?.reason === 'asked-before' ? undefined : refused
}

const isPaused = async ({ db, clock }: BotDeps): Promise<boolean> =>
  (await switchedOff(db)).has(maintenance) || (await salesStopped(db, clock.now()))

/** Holds, and starts the answer beside the handlers. @returns why nothing was asked */
export async function ask(deps: BotDeps, asked: Asked): Promise<Refused | undefined> {
  if (await isPaused(deps)) return { reason: 'paused' }
  const { user, spot, text, files, messageId, updateId } = asked
  const tools = toolsFor(offeredCommands(deps.catalog))
  const question = { userId: user.id, where: whereOf(spot), text, files, messageId, updateId, tools }
  const prepared = await beginAnswer(deps, question)
  if (!prepared.ok) return prepared.reason === 'asked-before' ? undefined : prepared
  const { turn, request } = prepared
  deps.running.start(turn, [turn.id, draftKey(spot.chatId, messageId)], (stop) =>
    write(deps, asked, turn, request, stop),
  )
  return undefined
}

async function write(
  deps: BotDeps,
  asked: Asked,
  turn: Turn,
  request: ChatRequest,
  stop: AbortSignal,
): Promise<void> {
  const face = await faceFor(deps, asked, turn)
  const texts = answerTexts(asked.say)
  const answered = await answer(deps, turn, request, face.show, texts, stop).finally(() => face.close())
  const { turn: settled } = answered
  if (!settled) return
  deps.metrics.answers.ended(settled)
  await deliverAnswer({ deps, api: asked.api, isLate: false }, settled)
}

/** How Telegram's Stop button names a draft: by its chat and the number we gave it, which is that of the question. */
export const draftKey = (chatId: number, draftId: number): string => `${chatId}:${draftId}`

async function faceFor(
  deps: BotDeps,
  { api, spot, isPrivate, say, messageId }: Asked,
  turn: Turn,
): Promise<Face> {
  const tools = { api, clock: deps.clock, log: deps.log }
  if (isPrivate) return draftFace(tools, spot, messageId)
  const place = spot.topicId === null ? {} : { message_thread_id: spot.topicId }
  const sent = await api
    .sendMessage(spot.chatId, say.plain('chat-writing'), {
      ...place,
      reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
    })
    .catch(() => undefined)
  if (!sent) return draftFace(tools, spot, messageId)
  await setAnswerMessage(deps.db, turn.id, sent.message_id).catch((error: unknown) =>
    deps.log.warn({ turn: turn.id, error }, 'message of an answer not written down'),
  )
  return editFace(tools, spot, sent.message_id, `cs:${turn.id}`, say)
}

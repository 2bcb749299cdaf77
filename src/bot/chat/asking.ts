// Asks a text model: holds the price, then writes, settles and sends the answer in the background, while the chat shows its progress.

import type { Api } from 'grammy'
import type { Attachment } from '../../catalog/attachment.ts'
import { answer } from '../../chat/answer.ts'
import { beginAnswer, type Prepared, refusalBefore } from '../../chat/begin.ts'
import type { ChatRequest } from '../../chat/bodies.ts'
import type { ConversationLocation, Turn } from '../../chat/conversations.ts'
import type { AnswerTexts, Failure, Note } from '../../chat/parts.ts'
import { toolsFor } from '../../chat/tools.ts'
import { setAnswerMessage } from '../../chat/turns.ts'
import type { ChatLocation } from '../../telegram/send-into.ts'
import type { Say } from '../../texts.ts'
import type { User } from '../../users/user.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps } from '../context.ts'
import { deliverAnswer } from './deliver.ts'
import { draftAnswer, type PostedAnswer, postedAnswer } from './live-answer.ts'

export interface Asked {
  readonly api: Api
  readonly user: User
  readonly isOperator: boolean
  readonly say: Say
  readonly location: ChatLocation
  readonly isPrivate: boolean
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number
  /** The id of the update that brought the question: an update is asked once. */
  readonly updateId: number
  /** See `beginAnswer`. */
  readonly isPlain?: boolean
}

/** The chat and topic in the form that the tables use. */
export const conversationLocation = ({ chatId, topicId }: ChatLocation): ConversationLocation => ({
  chatId,
  topicId: topicId ?? 0,
})

export type Refused = Exclude<Extract<Prepared, { ok: false }>, { reason: 'asked-before' }>

/** The refusals that do not depend on the question, checked before its file is downloaded and read. */
export async function mayNotAsk(
  deps: BotDeps,
  { user, isOperator, location }: Pick<Asked, 'user' | 'isOperator' | 'location'>,
): Promise<Refused | undefined> {
  const where = conversationLocation(location)
  const refused = await refusalBefore(deps, { userId: user.id, isOperator, where })
  return refused?.reason === 'asked-before' ? undefined : refused
}

/** Holds the price and starts the answer in the background. @returns the reason when nothing was asked */
export async function ask(deps: BotDeps, asked: Asked): Promise<Refused | undefined> {
  const { user, isOperator, location, text, files, messageId, updateId, isPlain = false } = asked
  const tools = toolsFor(offeredCommands(deps.catalog))
  const question = {
    userId: user.id,
    isOperator,
    where: conversationLocation(location),
    text,
    files,
    messageId,
    updateId,
    tools,
    isPlain,
  }
  const prepared = await beginAnswer(deps, question)
  if (!prepared.ok) return prepared.reason === 'asked-before' ? undefined : prepared
  const { turn, request } = prepared
  deps.running.start(turn, (stop) => write(deps, asked, turn, request, stop))
  return undefined
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
    case 'proposals':
      return say.plain('chat-proposes')
    case 'stopped':
      return say.plain('chat-stopped')
    case 'cut':
      return say.plain('chat-cut')
    case 'not-rewritten':
      return say.plain('rewrite-failed')
    case 'broken':
      return say.plain('chat-broken')
    case 'ended':
      return say.plain(`chat-ended-${note.by}`)
    case 'failed':
      return failureText(say, note.failure)
  }
}

function failureText(say: Say, failure: Failure): string {
  const text = say.plain(`chat-failed-${failure.reason}`)
  if (failure.reason !== 'refused' || failure.said === undefined) return text
  return `${text}\n${say.plain('chat-failed-said', { said: failure.said })}`
}

// A question on its way through the chat: begun beside the handlers, its answer shown as it comes, and what the model proposes
// to make put on cards.

import { type Api, InlineKeyboard } from 'grammy'
import type { Attachment } from '../../catalog/attachment.ts'
import { type Answered, answer, type Failure } from '../../chat/answer.ts'
import { beginAnswer, type Prepared } from '../../chat/begin.ts'
import type { Order } from '../../chat/bodies.ts'
import type { Turn, Where } from '../../chat/threads.ts'
import { proposalsIn, toolsFor } from '../../chat/tools.ts'
import { setAnswerMessage } from '../../chat/turns.ts'
import { readAnswer } from '../../form/answer.ts'
import { salesStopped, stopSales } from '../../generations/sales.ts'
import { maintenance, switchedOff } from '../../generations/switches.ts'
import type { User } from '../../ledger/user.ts'
import { formatRoubles } from '../../money.ts'
import type { Say } from '../../texts.ts'
import { sendCard, startDraft } from '../cards.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps } from '../context.ts'
import { draftFace, editFace, type Face, type Spot } from './face.ts'
import { sendFinal } from './final.ts'

/** Who asks what, and where. */
export interface Asked {
  readonly api: Api
  readonly user: User
  /** Their name, as the group knows it. */
  readonly name: string
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
export const whereOf = ({ chatId, threadId }: Spot): Where => ({ chatId, topicId: threadId ?? 0 })

export type Refused =
  | { readonly reason: 'paused' }
  | Exclude<Extract<Prepared, { ok: false }>, { reason: 'asked-before' }>

/** Holds, and starts the answer beside the handlers. @returns why nothing was asked */
export async function ask(deps: BotDeps, asked: Asked): Promise<Refused | undefined> {
  const isOff = (await switchedOff(deps.db)).has(maintenance)
  if (isOff || (await salesStopped(deps.db, deps.clock.now()))) return { reason: 'paused' }
  const { user, spot, text, files, messageId, updateId } = asked
  const tools = toolsFor(offeredCommands(deps.catalog))
  const question = { userId: user.id, where: whereOf(spot), text, files, messageId, updateId, tools }
  const prepared = await beginAnswer(deps, question)
  if (!prepared.ok) return prepared.reason === 'asked-before' ? undefined : prepared
  const { turn, order } = prepared
  deps.running.start([turn.id, draftKey(spot.chatId, messageId)], (stop) =>
    write(deps, asked, turn, order, stop).catch((error: unknown) =>
      deps.log.error({ turn: turn.id, error }, 'answer failed'),
    ),
  )
  return undefined
}

async function write(
  deps: BotDeps,
  asked: Asked,
  turn: Turn,
  order: Order,
  stop: AbortSignal,
): Promise<void> {
  const face = await faceFor(deps, asked, turn)
  const answered = await answer(deps, turn, order, face.show, stop).catch(async (error: unknown) => {
    await face.close()
    throw error
  })
  await finish(deps, asked, answered, await face.close())
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
  const place = spot.threadId === null ? {} : { message_thread_id: spot.threadId }
  const sent = await api
    .sendMessage(spot.chatId, say.plain('chat-writing'), {
      ...place,
      reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
    })
    .catch(() => undefined)
  return sent
    ? editFace(tools, spot, sent.message_id, `cs:${turn.id}`, say)
    : draftFace(tools, spot, messageId)
}

async function finish(
  deps: BotDeps,
  asked: Asked,
  { turn, toolCalls, failure }: Answered,
  into: number | undefined,
): Promise<void> {
  const { api, spot, say, isPrivate, messageId } = asked
  if (failure?.reason === 'paused') await stopSales(deps.db, failure.cause, deps.clock.now())
  if (!turn) return
  const { inputTokens, outputTokens } = turn
  deps.metrics.answers.ended(turn.modelId, turn.state, { input: inputTokens ?? 0, output: outputTokens ?? 0 })
  const proposals = proposalsIn(toolCalls)
  const note = failure ? noteOf(say, failure, turn) : silentNote(say, turn, proposals.length > 0)
  const replyTo = isPrivate ? undefined : messageId
  const first = await sendFinal(
    api,
    spot,
    { turn, note, keyboard: keyboardOf(asked, turn), into, replyTo },
    say,
  )
  if (first !== undefined) await setAnswerMessage(deps.db, turn.id, first)
  for (const proposal of proposals) await propose(deps, asked, proposal)
}

/** In place of words that did not come: the model went straight to a proposal, or was stopped before the first. */
function silentNote(say: Say, { answer: text, thinking }: Turn, isProposal: boolean): string | undefined {
  if (text !== '') return undefined
  if (isProposal) return say.plain('chat-proposes')
  return thinking === '' ? say.plain('chat-stopped') : undefined
}

function noteOf(say: Say, failure: Failure, turn: Turn): string {
  if (turn.state !== 'failed') return say.plain('chat-broken')
  if (failure.reason === 'refused') return say.plain('chat-failed-refused', { said: failure.said })
  return say.plain(`chat-failed-${failure.reason}`)
}

/** The price is the button that explains it; in groups it says who pays. */
function keyboardOf({ say, isPrivate, name }: Asked, turn: Turn): InlineKeyboard {
  const amount = formatRoubles(turn.captured ?? 0n)
  const price = isPrivate ? amount : say.plain('chat-payer', { amount, name })
  return new InlineKeyboard()
    .text(say.plain('button-chat-retry'), `cr:${turn.id}`)
    .text(price, `cc:${turn.id}`)
}

/** A filled card with its price; money moves only on the person's own tap. */
async function propose(
  deps: BotDeps,
  { api, user, say, spot }: Asked,
  { command, prompt }: ReturnType<typeof proposalsIn>[number],
): Promise<void> {
  const [model] = deps.catalog.offered(command)
  const field = model?.fields.find(({ audience }) => audience === 'asked')
  if (!model || !field) return
  const read = readAnswer(model, field, {}, prompt)
  const answers = read.ok ? { [field.name]: read.answer } : {}
  const place = { chatId: spot.chatId, threadId: spot.threadId }
  const draft = await startDraft(deps, user, place, model, answers, null)
  await sendCard(deps, api, draft, say)
}

// A question on its way: the conversation it belongs to, what is sent of it, the money held, the answer shown and settled,
// and what the model proposes to make.

import { type Api, InlineKeyboard } from 'grammy'
import type { Attachment } from '../../catalog/attachment.ts'
import { maxInlineBytes } from '../../catalog/media.ts'
import { leastWithThinking, modesOf, offeredModels, type TextModel } from '../../catalog/text-models.ts'
import { type Answered, answer, type Failure } from '../../chat/answer.ts'
import { assemble, type Said } from '../../chat/dialogue.ts'
import { noModes, openThread, pastOf, type Thread, type Turn } from '../../chat/threads.ts'
import { proposalsIn, toolsFor } from '../../chat/tools.ts'
import { type Begun, beginTurn, setAnswerMessage } from '../../chat/turns.ts'
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
}

/** The open conversation here, or a new one with the first model on offer. */
export async function threadFor(
  deps: BotDeps,
  { user, spot }: Pick<Asked, 'user' | 'spot'>,
): Promise<Thread | undefined> {
  const [model] = offeredModels(deps.textModels)
  if (!model) return undefined
  const where = { chatId: spot.chatId, topicId: spot.threadId ?? 0 }
  const fresh = { id: deps.ids.next(), userId: user.id, modelId: model.id, system: null, modes: noModes }
  return openThread(deps.db, { ...where, ...fresh }, deps.clock.now())
}

/** The model of a conversation, or the first on offer when its own is gone. */
export function modelOf({ textModels }: BotDeps, thread: Thread): TextModel | undefined {
  const offered = offeredModels(textModels)
  return offered.find(({ id }) => id === thread.modelId) ?? offered[0]
}

/** What is switched on and can be. */
export function modesIn(thread: Thread, model: TextModel) {
  const possible = modesOf(model)
  return {
    thinking: thread.modes.thinking && possible.includes('thinking'),
    search: thread.modes.search && possible.includes('search'),
    code: thread.modes.code && possible.includes('code'),
  }
}

export type Refused =
  | { readonly reason: 'off' }
  | { readonly reason: 'paused' }
  | Extract<Begun, { ok: false }>

const leastOutput = 200

/** Holds, and starts the answer beside the handlers. @returns why nothing was asked */
export async function ask(deps: BotDeps, asked: Asked): Promise<Refused | undefined> {
  const thread = await threadFor(deps, asked)
  const model = thread && modelOf(deps, thread)
  if (!thread || !model) return { reason: 'off' }
  const isOff = (await switchedOff(deps.db)).has(maintenance)
  if (isOff || (await salesStopped(deps.db, deps.clock.now()))) return { reason: 'paused' }
  const modes = modesIn(thread, model)
  const question: Said = { role: 'user', text: asked.text, images: await imagesOf(deps, model, asked) }
  const past = await pastOf(deps.db, thread.id, asked.messageId)
  const least = modes.thinking ? leastWithThinking : leastOutput
  const budget = Math.max(1000, model.context - Math.min(model.maxOutput, Math.floor(model.context / 2)))
  const dialogue = assemble(thread.system ?? undefined, past, question, budget)
  const begun = await beginTurn(deps, {
    ...{ id: deps.ids.next(), thread, userId: asked.user.id, model, files: asked.files },
    ...{ text: asked.text, messageId: asked.messageId, inputTokens: dialogue.tokens, leastOutput: least },
  })
  if (!begun.ok) return begun
  const { turn, maxOutput } = begun
  const tools = model.abilities.includes('tools') ? toolsFor(offeredCommands(deps.catalog)) : []
  const keys = [turn.id, draftKey(asked.spot.chatId, asked.messageId)]
  deps.running.start(keys, async (stop) => {
    const face = await faceFor(deps, asked, turn)
    const order = { model, dialogue, maxOutput, modes, tools }
    const answered = await answer(deps, turn, order, face.show, stop).catch((error: unknown) => {
      deps.log.error({ turn: turn.id, error }, 'answer failed')
      return undefined
    })
    const into = await face.close()
    if (answered)
      await finish(deps, asked, answered, into).catch((error) => deps.log.error({ error }, 'answer not sent'))
  })
  return undefined
}

/** How Telegram's Stop button names a draft: by its chat and the number we gave it, which is that of the question. */
export const draftKey = (chatId: number, draftId: number): string => `${chatId}:${draftId}`

async function imagesOf(deps: BotDeps, model: TextModel, { files }: Asked): Promise<string[]> {
  if (!model.abilities.includes('vision')) return []
  const pictures = files.filter(({ medium }) => medium === 'image')
  const read = pictures.map(async ({ file, mime }) => {
    const got = await deps.media.read(file, maxInlineBytes)
    return got.ok ? [`data:${mime};base64,${got.bytes.toString('base64')}`] : []
  })
  return (await Promise.all(read)).flat()
}

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
  const proposals = proposalsIn(toolCalls)
  const isSilent = turn.answer === '' && turn.thinking === '' && proposals.length > 0
  const note = failure ? noteOf(say, failure, turn) : undefined
  if (!isSilent || note) {
    const final = { turn, note: note ?? emptyNote(say, turn), keyboard: keyboardOf(asked, turn), into }
    const first = await sendFinal(api, spot, { ...final, replyTo: isPrivate ? undefined : messageId }, say)
    if (first !== undefined) await setAnswerMessage(deps.db, turn.id, first)
  } else if (into !== undefined) await api.deleteMessage(spot.chatId, into).catch(() => undefined)
  for (const proposal of proposals) await propose(deps, asked, proposal)
}

/** Stopped before the first word. */
const emptyNote = (say: Say, { answer: text, thinking }: Turn) =>
  text === '' && thinking === '' ? say.plain('chat-stopped') : undefined

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
  const draft = await startDraft(deps, user, place, model, answers)
  await sendCard(deps, api, draft, say)
}

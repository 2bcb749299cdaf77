// Prepares a question: finds its conversation, assembles the request, and holds the money for the answer.

import type { Attachment } from '../catalog/attachment.ts'
import { maxInlineBytes } from '../catalog/media.ts'
import { leastWithThinking, modesOf, offeredModels, type TextModel } from '../catalog/text-models.ts'
import type { Modes } from '../db/schema.ts'
import type { ChatRequest } from './bodies.ts'
import {
  type Conversation,
  type ConversationLocation,
  noModes,
  openConversation,
  pastOf,
  type Turn,
} from './conversations.ts'
import { assemble, type Dialogue, type Said } from './dialogue.ts'
import { type Begun, beginTurn, type HoldDeps, refusalOfAny } from './hold.ts'
import type { Tool } from './tools.ts'

interface AskDeps extends HoldDeps {
  readonly textModels: readonly TextModel[]
  /** Downloads the images of a question. */
  readonly media: {
    read(
      file: string,
      maxBytes: number,
    ): Promise<{ readonly ok: true; readonly bytes: Buffer } | { readonly ok: false }>
  }
}

interface Question {
  readonly userId: bigint
  readonly where: ConversationLocation
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number
  readonly updateId: number
  /** Offered to models that support tools. */
  readonly tools: readonly Tool[]
}

export type Prepared =
  | { readonly ok: true; readonly turn: Turn; readonly request: ChatRequest }
  /** No text model is on sale. */
  | { readonly ok: false; readonly reason: 'off' }
  | Extract<Begun, { ok: false }>

/** The open conversation of a chat, or a new one with the first offered model; undefined when no model is offered. */
export async function conversationAt(
  deps: Pick<AskDeps, 'db' | 'clock' | 'ids' | 'textModels'>,
  userId: bigint,
  where: ConversationLocation,
): Promise<Conversation | undefined> {
  const [model] = offeredModels(deps.textModels)
  if (!model) return undefined
  const fresh = { id: deps.ids.next(), userId, modelId: model.id, system: null, modes: noModes }
  return openConversation(deps.db, { ...where, ...fresh }, deps.clock.now())
}

/** The model of a conversation, or the first offered one when that model is no longer offered. */
export function modelOf(
  { textModels }: Pick<AskDeps, 'textModels'>,
  conversation: Conversation,
): TextModel | undefined {
  const offered = offeredModels(textModels)
  return offered.find(({ id }) => id === conversation.modelId) ?? offered[0]
}

/** The modes that are switched on and supported by the model. */
export function modesIn({ modes }: Conversation, model: TextModel): Modes {
  const possible = modesOf(model)
  return {
    thinking: modes.thinking && possible.includes('thinking'),
    search: modes.search && possible.includes('search'),
    code: modes.code && possible.includes('code'),
  }
}

/** In tokens. */
const leastOutput = 200
const leastBudget = 1000

/** Checks whether any question can be asked there, before its files are downloaded. */
export async function refusalBefore(
  deps: AskDeps,
  userId: bigint,
  where: ConversationLocation,
): Promise<Extract<Prepared, { ok: false }> | undefined> {
  const conversation = await conversationAt(deps, userId, where)
  const model = conversation && modelOf(deps, conversation)
  if (!model) return { ok: false, reason: 'off' }
  return refusalOfAny(deps, userId, model, leastOutput)
}

/** Holds the money for the answer. The caller must request the answer at once. */
export async function beginAnswer(deps: AskDeps, question: Question): Promise<Prepared> {
  const { userId, where, text, files, messageId, updateId } = question
  const conversation = await conversationAt(deps, userId, where)
  const model = conversation && modelOf(deps, conversation)
  if (!conversation || !model) return { ok: false, reason: 'off' }
  const modes = modesIn(conversation, model)
  const refused = files.length > 0 ? await refusalOfAny(deps, userId, model, leastOutput) : undefined
  if (refused) return refused
  const dialogue = await dialogueOf(deps, conversation, model, question)
  const begun = await beginTurn(deps, {
    id: deps.ids.next(),
    conversation,
    userId,
    model,
    text,
    files,
    messageId,
    updateId,
    inputTokens: dialogue.tokens,
    leastOutput: modes.thinking ? leastWithThinking : leastOutput,
  })
  if (!begun.ok) return begun
  const tools = model.abilities.includes('tools') ? question.tools : []
  return {
    ok: true,
    turn: begun.turn,
    request: { model, dialogue, maxOutput: begun.maxOutput, modes, tools },
  }
}

/** At most half of the context is reserved for the answer. */
async function dialogueOf(
  deps: AskDeps,
  conversation: Conversation,
  model: TextModel,
  question: Question,
): Promise<Dialogue> {
  const past = await pastOf(deps.db, conversation.id, question.messageId)
  const images = model.abilities.includes('vision') ? await imagesOf(deps, question.files) : []
  const asked: Said = { role: 'user', text: question.text, images }
  const free = Math.min(model.maxOutput, Math.floor(model.context / 2))
  return assemble(conversation.system ?? undefined, past, asked, Math.max(leastBudget, model.context - free))
}

/** As data URIs; images that cannot be downloaded are left out. */
async function imagesOf({ media }: AskDeps, files: readonly Attachment[]): Promise<string[]> {
  const read = files.map(async ({ medium, file, mime }) => {
    const got = medium === 'image' ? await media.read(file, maxInlineBytes) : undefined
    return got?.ok ? [`data:${mime};base64,${got.bytes.toString('base64')}`] : []
  })
  return (await Promise.all(read)).flat()
}

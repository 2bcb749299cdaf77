// Prepares a question: finds its conversation, assembles the request, and holds the money for the answer.

import type { Attachment } from '../catalog/attachment.ts'
import { maxInlineBytes } from '../catalog/media.ts'
import { offeredModels, type TextModel } from '../catalog/text-models.ts'
import {
  leastWithThinking,
  type ModeName,
  type Modes,
  modeNames,
  noModes,
  seesPictures,
  sentModes,
  takesTools,
} from '../catalog/text-modes.ts'
import type { ChatRequest } from './bodies.ts'
import {
  type Conversation,
  type ConversationLocation,
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
  /** Pictures. */
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
  | Blind
  /** A picture of the question is too large or cannot be downloaded. */
  | { readonly ok: false; readonly reason: 'no-picture' }
  | Extract<Begun, { ok: false }>

/** The question has a picture that would not be sent. */
export interface Blind {
  readonly ok: false
  readonly reason: 'blind'
  readonly model: TextModel
  /** The modes with which the model takes no pictures; none if it never does. */
  readonly because: readonly ModeName[]
  /** The offered models that take pictures. */
  readonly others: readonly TextModel[]
}

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
  const modes = sentModes(model, conversation.modes)
  const refused = files.length > 0 ? await refusalOfFiles(deps, userId, model, modes) : undefined
  if (refused) return refused
  const images = await imagesOf(deps, files)
  if (!images) return { ok: false, reason: 'no-picture' }
  const dialogue = await dialogueOf(deps, conversation, model, question, images)
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
  const tools = takesTools(model, modes) ? question.tools : []
  return {
    ok: true,
    turn: begun.turn,
    request: { model, dialogue, maxOutput: begun.maxOutput, modes, tools },
  }
}

/** Before the files are downloaded. */
async function refusalOfFiles(
  deps: AskDeps,
  userId: bigint,
  model: TextModel,
  modes: Modes,
): Promise<Extract<Prepared, { ok: false }> | undefined> {
  if (seesPictures(model, modes)) return refusalOfAny(deps, userId, model, leastOutput)
  const because = seesPictures(model, noModes) ? modeNames.filter((mode) => modes[mode]) : []
  const others = offeredModels(deps.textModels).filter((one) => seesPictures(one, noModes))
  return { ok: false, reason: 'blind', model, because, others }
}

/** At most half of the context is reserved for the answer. */
async function dialogueOf(
  deps: AskDeps,
  conversation: Conversation,
  model: TextModel,
  question: Question,
  images: readonly string[],
): Promise<Dialogue> {
  const past = await pastOf(deps.db, conversation.id, question.messageId)
  const asked: Said = { role: 'user', text: question.text, images }
  const free = Math.min(model.maxOutput, Math.floor(model.context / 2))
  return assemble(conversation.system ?? undefined, past, asked, Math.max(leastBudget, model.context - free))
}

/** As data URIs; undefined when one cannot be downloaded. */
async function imagesOf({ media }: AskDeps, files: readonly Attachment[]): Promise<string[] | undefined> {
  const images: string[] = []
  for (const { file, mime } of files) {
    const read = await media.read(file, maxInlineBytes)
    if (!read.ok) return undefined
    images.push(`data:${mime};base64,${read.bytes.toString('base64')}`)
  }
  return images
}

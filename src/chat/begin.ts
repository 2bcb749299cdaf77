// Prepares a question: finds its conversation, assembles the request, and holds the money for the answer.

import type { Attachment } from '../catalog/field.ts'
import { leastOutput, offeredModels, type TextModel } from '../catalog/text-models.ts'
import {
  hears,
  leastWithThinking,
  type Modes,
  noModes,
  sentModes,
  takesTools,
} from '../catalog/text-modes.ts'
import type { Kopecks } from '../money.ts'
import { textModelsOnSale } from '../sales/sales.ts'
import type { ChatRequest } from './bodies.ts'
import { type Conversation, type ConversationLocation, openConversation, type Turn } from './conversations.ts'
import { assemble, type Dialogue, type Said, usualTokens } from './dialogue.ts'
import { type Begun, beginTurn, costOf, type HoldDeps, refusalOfAny } from './hold.ts'
import { saidIn } from './past.ts'
import {
  contentOf,
  countedContent,
  type FileRefusal,
  isSpoken,
  type PicturesNotAccepted,
  type QuestionMedia,
  refusalOfFiles,
  type SoundsNotAccepted,
  spokenInstruction,
  whyNoPictures,
  whyNoSounds,
} from './question-files.ts'
import { isPausedFor, readSituation, type Situation } from './situation.ts'
import type { Tool } from './tools.ts'

export interface AskDeps extends HoldDeps {
  readonly textModels: readonly TextModel[]
  readonly media: QuestionMedia
}

interface Question {
  readonly userId: bigint
  /** Operators may ask during maintenance. */
  readonly isOperator: boolean
  readonly where: ConversationLocation
  readonly text: string
  /** The pictures and sounds of the question. */
  readonly files: readonly Attachment[]
  readonly messageId: number
  readonly updateId: number
  /** Offered to models that support tools. */
  readonly tools: readonly Tool[]
}

/** For an answer that is not requested yet. */
interface PriceEstimate {
  readonly model: TextModel
  readonly amount: Kopecks
  /** The reason why the pictures of the question would not be sent, if they would not. */
  readonly noPictures: PicturesNotAccepted | undefined
  /** The reason why its sounds would not be sent, if they would not. */
  readonly noSounds: SoundsNotAccepted | undefined
}

export type Prepared =
  | { readonly ok: true; readonly turn: Turn; readonly request: ChatRequest }
  /** Sales are stopped. */
  | { readonly ok: false; readonly reason: 'paused' }
  /** No text model is on sale. */
  | { readonly ok: false; readonly reason: 'off' }
  /** An operator has switched off the model of the conversation, and others are on sale. */
  | { readonly ok: false; readonly reason: 'model-off'; readonly model: TextModel }
  | FileRefusal
  | Extract<Begun, { ok: false }>

/** The open conversation of a chat, or a new one with the first model on sale; undefined when there is none. */
export async function conversationAt(
  deps: Pick<AskDeps, 'db' | 'clock' | 'ids' | 'textModels'>,
  userId: bigint,
  where: ConversationLocation,
): Promise<Conversation | undefined> {
  const [model] = await textModelsOnSale(deps)
  if (!model) return undefined
  const fresh = { id: deps.ids.next(), userId, modelId: model.id, system: null, modes: noModes }
  return openConversation(deps.db, { ...where, ...fresh }, deps.clock.now())
}

/** The model of a conversation, or the first offered one when that model is no longer offered. */
export function modelOf(
  { textModels }: Pick<AskDeps, 'textModels'>,
  conversation: Pick<Conversation, 'modelId'>,
): TextModel | undefined {
  const offered = offeredModels(textModels)
  return offered.find(({ id }) => id === conversation.modelId) ?? offered[0]
}

/** The minimum for the tokens of the conversation that are sent with a question. */
const leastBudget = 1000
/** The tokens of an answer in a few paragraphs. */
const usualOutput = 400

/** Checks whether any question can be asked there, before its files are downloaded. */
export async function refusalBefore(
  deps: AskDeps,
  asker: Pick<Question, 'userId' | 'where' | 'isOperator'>,
): Promise<Extract<Prepared, { ok: false }> | undefined> {
  const situation = await readSituation(deps, asker.userId, asker.where)
  const model = modelIn(deps, situation)
  if (isPausedFor(situation, asker, model)) return { ok: false, reason: 'paused' }
  if (!model) return { ok: false, reason: 'off' }
  return whyOff(deps, situation, model) ?? refusalOfAny(deps, situation, model, leastOutput)
}

const onSale = (
  { textModels }: Pick<AskDeps, 'textModels'>,
  { switchedOff }: Situation,
): readonly TextModel[] => offeredModels(textModels).filter(({ id }) => !switchedOff.includes(id))

const modelIn = (deps: AskDeps, situation: Situation): TextModel | undefined =>
  situation.conversation ? modelOf(deps, situation.conversation) : onSale(deps, situation)[0]

function whyOff(
  deps: AskDeps,
  situation: Situation,
  model: TextModel,
): Extract<Prepared, { reason: 'model-off' | 'off' }> | undefined {
  if (!situation.switchedOff.includes(model.id)) return undefined
  const hasOthers = onSale(deps, situation).length > 0
  return hasOthers ? { ok: false, reason: 'model-off', model } : { ok: false, reason: 'off' }
}

/**
 * Estimates the price of the answer, including the past messages of the conversation; undefined when no question can be asked.
 * @param by another model, in place of that of the conversation
 */
export async function estimatePrice(
  deps: AskDeps,
  { userId, where, text, files }: Pick<Question, 'userId' | 'where' | 'text' | 'files'>,
  by?: TextModel,
): Promise<PriceEstimate | undefined> {
  const situation = await readSituation(deps, userId, where)
  const model = by ?? modelIn(deps, situation)
  if (!model || whyOff(deps, situation, model)) return undefined
  const question = { text, files, messageId: null }
  const dialogue = dialogueOf(situation, model, question, countedContent(model, files))
  const amount = costOf(model, usualTokens(model.family, dialogue), usualOutput)
  if (amount === undefined) return undefined
  const modes = sentModes(model, situation.conversation?.modes ?? noModes)
  const sold = onSale(deps, situation)
  const has = (medium: Attachment['medium']) => files.some((one) => one.medium === medium)
  const noPictures = has('image') ? whyNoPictures(sold, model, modes) : undefined
  const noSounds = has('audio') ? whyNoSounds(sold, model, modes) : undefined
  return { model, amount, noPictures, noSounds }
}

/** Whether the model of the conversation hears a sound now, another model on sale would, or none. */
export async function hearingAt(
  deps: AskDeps,
  userId: bigint,
  where: ConversationLocation,
): Promise<'heard' | 'by-others' | 'by-none'> {
  const situation = await readSituation(deps, userId, where)
  const model = modelIn(deps, situation)
  const modes = model && sentModes(model, situation.conversation?.modes ?? noModes)
  if (model && modes && !whyOff(deps, situation, model) && hears(model, modes)) return 'heard'
  return onSale(deps, situation).some((one) => hears(one, noModes)) ? 'by-others' : 'by-none'
}

/** Holds the money for the answer. The caller must request the answer at once. */
export async function beginAnswer(deps: AskDeps, question: Question): Promise<Prepared> {
  const { userId, where, text, files, messageId, updateId } = question
  const situation = await readSituation(deps, userId, where)
  if (isPausedFor(situation, question, modelIn(deps, situation))) return { ok: false, reason: 'paused' }
  const conversation = situation.conversation ?? (await conversationAt(deps, userId, where))
  const model = conversation && modelOf(deps, conversation)
  if (!conversation || !model) return { ok: false, reason: 'off' }
  const off = whyOff(deps, situation, model)
  if (off) return off
  const modes = sentModes(model, conversation.modes)
  const refused = refusalOf(deps, situation, model, modes, question)
  if (refused) return refused
  const content = await contentOf(deps.media, model, modes, files)
  if (!content.ok) return content
  const dialogue = dialogueOf({ ...situation, conversation }, model, question, content)
  const asked = {
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
  }
  const begun = await beginTurn(deps, asked)
  if (!begun.ok) return begun
  const tools = takesTools(model, modes) ? question.tools : []
  return {
    ok: true,
    turn: begun.turn,
    request: { model, dialogue, maxOutput: begun.maxOutput, modes, tools },
  }
}

/** Refuses a question before its files are downloaded. */
function refusalOf(
  deps: AskDeps,
  situation: Situation,
  model: TextModel,
  modes: Modes,
  { files }: Question,
): Extract<Prepared, { ok: false }> | undefined {
  const refused = refusalOfFiles(onSale(deps, situation), model, modes, files)
  return refused ?? (files.length > 0 ? refusalOfAny(deps, situation, model, leastOutput) : undefined)
}

/** Assembles the dialogue for a question. At most half of the context is reserved for the answer. */
function dialogueOf(
  { conversation, past }: Pick<Situation, 'conversation' | 'past'>,
  model: TextModel,
  { text, files, messageId }: Pick<Question, 'text' | 'files'> & { readonly messageId: number | null },
  { images, sounds = [] }: Pick<Said, 'images' | 'sounds'>,
): Dialogue {
  const said = saidIn(past, messageId)
  const asked: Said = { role: 'user', text, images, ...(sounds.length > 0 ? { sounds } : {}) }
  const free = Math.min(model.maxOutput, Math.floor(model.context / 2))
  const system = [conversation?.system ?? '', isSpoken(files) ? spokenInstruction : ''].filter(Boolean)
  return assemble(system.join('\n\n') || undefined, said, asked, Math.max(leastBudget, model.context - free))
}

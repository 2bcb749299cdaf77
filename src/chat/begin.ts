// Prepares a question: finds its conversation, assembles the request, and holds the money for the answer.

import { type Attachment, isTakenPicture } from '../catalog/field.ts'
import { maxInlineBytes } from '../catalog/media.ts'
import { leastOutput, offeredModels, type TextModel } from '../catalog/text-models.ts'
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
import { inQuestions, pictureForModel } from '../media/convert.ts'
import type { Kopecks } from '../money.ts'
import { textModelsOnSale } from '../sales/sales.ts'
import { acceptAnswers } from '../users/user.ts'
import type { ChatRequest } from './bodies.ts'
import { type Conversation, type ConversationLocation, openConversation, type Turn } from './conversations.ts'
import { assemble, type Dialogue, type Said, usualTokens } from './dialogue.ts'
import { type Begun, beginTurn, costOf, type HoldDeps, refusalOfAny } from './hold.ts'
import { saidIn } from './past.ts'
import { isPausedFor, readSituation, type Situation } from './situation.ts'
import type { Tool } from './tools.ts'

export interface AskDeps extends HoldDeps {
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
  /** Operators may ask during maintenance. */
  readonly isOperator: boolean
  readonly where: ConversationLocation
  readonly text: string
  /** The pictures of the question. */
  readonly files: readonly Attachment[]
  readonly messageId: number
  readonly updateId: number
  /** Offered to models that support tools. */
  readonly tools: readonly Tool[]
  /** Text that does not ask explicitly: a user who does not know yet that answers cost money is told the price first. */
  readonly isPlain: boolean
}

/** For an answer that is not requested yet. */
interface PriceEstimate {
  readonly model: TextModel
  readonly amount: Kopecks
  /** Whether the user knows that answers cost money. */
  readonly isAccepted: boolean
  /** The reason why the pictures of the question would not be sent, if they would not. */
  readonly noPictures: PicturesNotAccepted | undefined
}

export type Prepared =
  | { readonly ok: true; readonly turn: Turn; readonly request: ChatRequest }
  /** Sales are stopped. */
  | { readonly ok: false; readonly reason: 'paused' }
  /** No text model is on sale. */
  | { readonly ok: false; readonly reason: 'off' }
  /** An operator has switched off the model of the conversation, and others are on sale. */
  | { readonly ok: false; readonly reason: 'model-off'; readonly model: TextModel }
  | PicturesNotAccepted
  /** The user has to be told the price before the first question is asked. */
  | { readonly ok: false; readonly reason: 'unknown-price' }
  /** A picture of the question is too large or cannot be downloaded. */
  | { readonly ok: false; readonly reason: 'no-picture' }
  /** A picture of the question is in a format that models do not see, and that cannot be converted. */
  | { readonly ok: false; readonly reason: 'picture-format' }
  | Extract<Begun, { ok: false }>

/** The question has a picture that would not be sent. */
export interface PicturesNotAccepted {
  readonly ok: false
  readonly reason: 'pictures-not-accepted'
  readonly model: TextModel
  /** The modes with which the model accepts no pictures; empty if it never accepts them. */
  readonly because: readonly ModeName[]
  /** The models on sale that take pictures. */
  readonly others: readonly TextModel[]
}

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

/** Estimates the price of the answer, including the past messages of the conversation; undefined when no question can be asked. */
export async function estimatePrice(
  deps: AskDeps,
  { userId, where, text, files }: Pick<Question, 'userId' | 'where' | 'text' | 'files'>,
): Promise<PriceEstimate | undefined> {
  const situation = await readSituation(deps, userId, where)
  const model = modelIn(deps, situation)
  if (!model || whyOff(deps, situation, model)) return undefined
  const images = files.map(({ file }) => file)
  const dialogue = dialogueOf(situation, model, { text, messageId: null }, images)
  const amount = costOf(model, usualTokens(model.family, dialogue), usualOutput)
  if (amount === undefined) return undefined
  const modes = sentModes(model, situation.conversation?.modes ?? noModes)
  const noPictures = files.length > 0 ? whyNoPictures(onSale(deps, situation), model, modes) : undefined
  return { model, amount, isAccepted: situation.isAccepted, noPictures }
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
  if (question.isPlain && !situation.isAccepted) {
    return refusalOfAny(deps, situation, model, leastOutput) ?? { ok: false, reason: 'unknown-price' }
  }
  if (!situation.isAccepted) await acceptAnswers(deps.db, userId, deps.clock.now())
  const modes = sentModes(model, conversation.modes)
  const refused = refusalOfFiles(deps, situation, model, modes, files)
  if (refused) return refused
  const images = await imagesOf(deps, files)
  if (typeof images === 'string') return { ok: false, reason: images }
  const dialogue = dialogueOf({ ...situation, conversation }, model, question, images)
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

/** Checks the files of a question before they are downloaded. */
function refusalOfFiles(
  deps: AskDeps,
  situation: Situation,
  model: TextModel,
  modes: Modes,
  files: readonly Attachment[],
): Extract<Prepared, { ok: false }> | undefined {
  if (files.length === 0) return undefined
  if (files.some(({ mime }) => !isTakenPicture(mime))) return { ok: false, reason: 'picture-format' }
  return (
    whyNoPictures(onSale(deps, situation), model, modes) ?? refusalOfAny(deps, situation, model, leastOutput)
  )
}

function whyNoPictures(
  sold: readonly TextModel[],
  model: TextModel,
  modes: Modes,
): PicturesNotAccepted | undefined {
  if (seesPictures(model, modes)) return undefined
  const because = seesPictures(model, noModes) ? modeNames.filter((mode) => modes[mode]) : []
  const others = sold.filter((one) => seesPictures(one, noModes))
  return { ok: false, reason: 'pictures-not-accepted', model, because, others }
}

/** Assembles the dialogue for a question. At most half of the context is reserved for the answer. */
function dialogueOf(
  { conversation, past }: Pick<Situation, 'conversation' | 'past'>,
  model: TextModel,
  question: { readonly text: string; readonly messageId: number | null },
  images: readonly string[],
): Dialogue {
  const said = saidIn(past, question.messageId)
  const asked: Said = { role: 'user', text: question.text, images }
  const free = Math.min(model.maxOutput, Math.floor(model.context / 2))
  return assemble(conversation?.system ?? undefined, said, asked, Math.max(leastBudget, model.context - free))
}

/** Downloads pictures, and prepares them as data URIs. @returns the reason when one cannot be sent to a model */
async function imagesOf(
  { media }: AskDeps,
  files: readonly Attachment[],
): Promise<string[] | 'no-picture' | 'picture-format'> {
  const images: string[] = []
  for (const { file } of files) {
    const read = await media.read(file, maxInlineBytes)
    if (!read.ok) return 'no-picture'
    const picture = await pictureForModel(read.bytes, inQuestions)
    if (!picture) return 'picture-format'
    images.push(`data:${picture.mime};base64,${picture.bytes.toString('base64')}`)
  }
  return images
}

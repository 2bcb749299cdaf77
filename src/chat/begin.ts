// Prepares a question: finds its conversation, assembles the request, and holds the money for the answer.

import type { QuestionFile } from '../catalog/field.ts'
import { leastOutput, offeredModels, type TextModel, withLength } from '../catalog/text-models.ts'
import {
  leastWithThinking,
  type Modes,
  noModes,
  sentModes,
  takes,
  takesTools,
} from '../catalog/text-modes.ts'
import type { Kopecks } from '../money.ts'
import { textModelsOnSale } from '../sales/sales.ts'
import type { ChatRequest } from './bodies.ts'
import { type Conversation, type ConversationLocation, openConversation, type Turn } from './conversations.ts'
import { assemble, type Dialogue, type Said, usualTokens } from './dialogue.ts'
import { type Begun, beginTurn, costOf, type HoldDeps, refusalOfAny } from './hold.ts'
import { filesInSight, saidIn } from './past.ts'
import {
  asEarlier,
  type Content,
  contentOf,
  countedContent,
  earlierContents,
  type FileRefusal,
  isSpoken,
  joined,
  type NotAccepted,
  type QuestionMedia,
  refusalOfFiles,
  shownOf,
  spokenInstruction,
  whyNotTaken,
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
  readonly files: readonly QuestionFile[]
  readonly messageId: number
  readonly updateId: number
  /** Offered to models that support tools. */
  readonly tools: readonly Tool[]
}

interface PriceEstimate {
  readonly model: TextModel
  readonly amount: Kopecks
  /** The reason why a file of the question would not be sent, if it would not. */
  readonly notTaken: NotAccepted | undefined
}

export type Prepared =
  | {
      readonly ok: true
      readonly turn: Turn
      readonly request: ChatRequest
      /** The model has seen a picture or a document until the last answer, and does not see it any more. */
      readonly forgets?: boolean
    }
  | { readonly ok: false; readonly reason: 'paused' }
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
/** The tokens of an answer in a few paragraphs, and of those that the user has chosen to be short or long. */
const usualOutput = { usual: 400, short: 150, long: 1500 }

/** Checks whether any question can be asked there, before its files are downloaded. */
export async function refusalBefore(deps: AskDeps, asker: Asker): Promise<Refusal | undefined> {
  const ready = await readinessOf(deps, asker)
  return ready.ok ? refusalOfAny(deps, ready.situation, ready.model, leastOutput) : ready
}

type Asker = Pick<Question, 'userId' | 'where' | 'isOperator'>
type Refusal = Extract<Prepared, { ok: false }>

async function readinessOf(deps: AskDeps, asker: Asker) {
  const situation = await readSituation(deps, asker.userId, asker.where)
  const model = modelIn(deps, situation)
  if (isPausedFor(situation, asker, model)) return { ok: false, reason: 'paused' } as const
  if (!model) return { ok: false, reason: 'off' } as const
  return whyOff(deps, situation, model) ?? ({ ok: true, situation, model } as const)
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
  const found = by ?? modelIn(deps, situation)
  if (!found || whyOff(deps, situation, found)) return undefined
  const modes = sentModes(found, situation.conversation?.modes ?? noModes)
  const model = withLength(found, modes)
  const question = { text, files, messageId: null }
  const before = filesBefore(situation, model, modes, question)
  const earlier = new Map(before.map((file) => [file.file, countedContent(model, file)]))
  const content = { ...joined(files.map((file) => countedContent(model, file))), earlier }
  const dialogue = dialogueOf(situation, model, modes, question, content)
  const output = Math.min(usualOutput[modes.length ?? 'usual'], model.maxOutput)
  const amount = costOf(model, usualTokens(model.family, dialogue), output)
  if (amount === undefined) return undefined
  const notTaken = whyNotTaken(onSale(deps, situation), model, modes, files)
  return { model, amount, notTaken }
}

/** Whether the model of the conversation takes such a file now, another model on sale would, or none. */
export async function takingAt(
  deps: AskDeps,
  userId: bigint,
  where: ConversationLocation,
  { medium: kind, pages }: Pick<QuestionFile, 'medium' | 'pages'>,
): Promise<Taking> {
  const situation = await readSituation(deps, userId, where)
  const model = modelIn(deps, situation)
  const modes = model && sentModes(model, situation.conversation?.modes ?? noModes)
  const isTaken = (one: TextModel, sent: Modes) => takes(one, sent, kind) && (pages ?? 0) <= one.pdf.maxPages
  if (model && modes && !whyOff(deps, situation, model) && isTaken(model, modes)) return 'taken'
  return onSale(deps, situation).some((one) => isTaken(one, noModes)) ? 'by-others' : 'by-none'
}

export type Taking = 'taken' | 'by-others' | 'by-none'

/** Holds the money for the answer. The caller must request the answer at once. */
export async function beginAnswer(deps: AskDeps, question: Question): Promise<Prepared> {
  const { userId, where, files } = question
  const ready = await readinessOf(deps, question)
  if (!ready.ok) return ready
  const { situation } = ready
  const conversation = situation.conversation ?? (await conversationAt(deps, userId, where))
  if (!conversation) return { ok: false, reason: 'off' }
  const modes = sentModes(ready.model, conversation.modes)
  const model = withLength(ready.model, modes)
  const refused =
    refusalOfFiles(onSale(deps, situation), model, modes, files) ??
    (files.length > 0 ? refusalOfAny(deps, situation, model, leastOutput) : undefined)
  if (refused) return refused
  const content = await contentOf(deps.media, model, modes, files)
  if (!content.ok) return content
  const before = filesBefore(situation, model, modes, question)
  const earlier = await earlierContents(deps.media, model, before)
  const dialogue = dialogueOf({ ...situation, conversation }, model, modes, question, { ...content, earlier })
  const sentAgain = before.filter(({ file }) => isIn(dialogue, earlier.get(file)))
  const begun = await beginTurn(deps, {
    ...question,
    id: deps.ids.next(),
    conversation,
    model,
    files: [...files, ...sentAgain.map(asEarlier)],
    inputTokens: dialogue.tokens,
    leastOutput: modes.thinking ? leastWithThinking : leastOutput,
  })
  if (!begun.ok) return begun
  const tools = takesTools(model, modes) ? question.tools : []
  return {
    ok: true,
    turn: begun.turn,
    request: { model, dialogue, maxOutput: begun.maxOutput, modes, tools },
    forgets: filesToKeep(situation, question).length > sentAgain.length,
  }
}

type Repeatable = Pick<Question, 'files'> & { readonly messageId: number | null }

/** The files in sight; a question with such files of its own takes their place. */
const filesToKeep = (
  { past }: Pick<Situation, 'past'>,
  { files, messageId }: Repeatable,
): readonly QuestionFile[] => (shownOf(files).length > 0 ? [] : filesInSight(past, messageId))

const filesBefore = (
  situation: Pick<Situation, 'past'>,
  model: TextModel,
  modes: Modes,
  question: Repeatable,
): readonly QuestionFile[] =>
  filesToKeep(situation, question).filter(({ medium }) => takes(model, modes, medium))

const isIn = ({ messages }: Dialogue, content: Content | undefined): boolean =>
  messages.some(
    ({ images, files = [] }) =>
      images.some((one) => content?.images.includes(one)) ||
      files.some((one) => content?.files?.includes(one)),
  )

/** What a request field alone does not achieve: a limit of tokens only cuts, and vendors take a JSON format only beside the word. */
function instructionFor({ length, format }: Modes, isSpoken: boolean): string {
  const ofLength = {
    usual: '',
    short: 'Answer briefly: in at most 100 words.',
    long: 'Answer at length and in detail.',
  }
  const all = [
    ofLength[length ?? 'usual'],
    // What was heard is quoted before an answer, which would be no JSON.
    format ? 'Answer with JSON alone, without any other text.' : isSpoken ? spokenInstruction : '',
  ]
  return all.filter(Boolean).join(' ')
}

/** Assembles the dialogue for a question. At most half of the context is reserved for the answer. */
function dialogueOf(
  { conversation, past }: Pick<Situation, 'conversation' | 'past'>,
  model: TextModel,
  modes: Modes,
  { text, files, messageId }: Pick<Question, 'text'> & Repeatable,
  { earlier, ...content }: ReturnType<typeof joined> & { readonly earlier: ReadonlyMap<string, Content> },
): Dialogue {
  const said = saidIn(past, messageId, earlier)
  const asked: Said = { role: 'user', text, ...content }
  const free = Math.min(model.maxOutput, Math.floor(model.context / 2))
  const system = [conversation?.system ?? '', instructionFor(modes, isSpoken(files))].filter(Boolean)
  return assemble(system.join('\n\n') || undefined, said, asked, Math.max(leastBudget, model.context - free))
}

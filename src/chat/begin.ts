// A question before it is asked: the conversation it belongs to, what of it is sent, and the money held for its answer.

import type { Attachment } from '../catalog/attachment.ts'
import { maxInlineBytes } from '../catalog/media.ts'
import { leastWithThinking, modesOf, offeredModels, type TextModel } from '../catalog/text-models.ts'
import type { Modes } from '../db/schema.ts'
import type { Order } from './bodies.ts'
import { assemble, type Dialogue, type Said } from './dialogue.ts'
import { type Begun, beginTurn, type HoldDeps, refusalOfAny } from './hold.ts'
import { noModes, openThread, pastOf, type Thread, type Turn, type Where } from './threads.ts'
import type { Tool } from './tools.ts'

export interface AskDeps extends HoldDeps {
  readonly textModels: readonly TextModel[]
  /** Where the pictures of a question come from. */
  readonly media: {
    read(
      file: string,
      maxBytes: number,
    ): Promise<{ readonly ok: true; readonly bytes: Buffer } | { readonly ok: false }>
  }
}

export interface Question {
  readonly userId: bigint
  readonly where: Where
  readonly text: string
  readonly files: readonly Attachment[]
  readonly messageId: number
  readonly updateId: number
  /** What a model that can may propose. */
  readonly tools: readonly Tool[]
}

export type Prepared =
  | { readonly ok: true; readonly turn: Turn; readonly order: Order }
  /** No text model is on sale. */
  | { readonly ok: false; readonly reason: 'off' }
  | Extract<Begun, { ok: false }>

/** The open conversation there, or a new one with the first model on offer; undefined when there is none. */
export async function threadAt(
  deps: Pick<AskDeps, 'db' | 'clock' | 'ids' | 'textModels'>,
  userId: bigint,
  where: Where,
): Promise<Thread | undefined> {
  const [model] = offeredModels(deps.textModels)
  if (!model) return undefined
  const fresh = { id: deps.ids.next(), userId, modelId: model.id, system: null, modes: noModes }
  return openThread(deps.db, { ...where, ...fresh }, deps.clock.now())
}

/** The model of a conversation, or the first on offer when its own is gone. */
export function modelOf({ textModels }: Pick<AskDeps, 'textModels'>, thread: Thread): TextModel | undefined {
  const offered = offeredModels(textModels)
  return offered.find(({ id }) => id === thread.modelId) ?? offered[0]
}

/** What is switched on and can be. */
export function modesIn({ modes }: Thread, model: TextModel): Modes {
  const possible = modesOf(model)
  return {
    thinking: modes.thinking && possible.includes('thinking'),
    search: modes.search && possible.includes('search'),
    code: modes.code && possible.includes('code'),
  }
}

const leastOutput = 200
const leastBudget = 1000

/** Why nothing can be asked there, whatever it is: known before files are fetched and read. */
export async function refusalBefore(
  deps: AskDeps,
  userId: bigint,
  where: Where,
): Promise<Extract<Prepared, { ok: false }> | undefined> {
  const thread = await threadAt(deps, userId, where)
  const model = thread && modelOf(deps, thread)
  if (!model) return { ok: false, reason: 'off' }
  return refusalOfAny(deps, userId, model, leastOutput)
}

/** Holds for the answer; it is to be asked for at once. */
export async function beginAnswer(deps: AskDeps, question: Question): Promise<Prepared> {
  const { userId, where, text, files, messageId, updateId } = question
  const thread = await threadAt(deps, userId, where)
  const model = thread && modelOf(deps, thread)
  if (!thread || !model) return { ok: false, reason: 'off' }
  const modes = modesIn(thread, model)
  const refused = files.length > 0 ? await refusalOfAny(deps, userId, model, leastOutput) : undefined
  if (refused) return refused
  const dialogue = await dialogueOf(deps, thread, model, question)
  const begun = await beginTurn(deps, {
    ...{ id: deps.ids.next(), thread, userId, model, text, files, messageId, updateId },
    inputTokens: dialogue.tokens,
    leastOutput: modes.thinking ? leastWithThinking : leastOutput,
  })
  if (!begun.ok) return begun
  const tools = model.abilities.includes('tools') ? question.tools : []
  return { ok: true, turn: begun.turn, order: { model, dialogue, maxOutput: begun.maxOutput, modes, tools } }
}

/** Half of the context at the most is kept free for the answer. */
async function dialogueOf(
  deps: AskDeps,
  thread: Thread,
  model: TextModel,
  question: Question,
): Promise<Dialogue> {
  const past = await pastOf(deps.db, thread.id, question.messageId)
  const images = model.abilities.includes('vision') ? await imagesOf(deps, question.files) : []
  const asked: Said = { role: 'user', text: question.text, images }
  const free = Math.min(model.maxOutput, Math.floor(model.context / 2))
  return assemble(thread.system ?? undefined, past, asked, Math.max(leastBudget, model.context - free))
}

/** As data URIs; a picture that can not be had is left out. */
async function imagesOf({ media }: AskDeps, files: readonly Attachment[]): Promise<string[]> {
  const read = files.map(async ({ medium, file, mime }) => {
    const got = medium === 'image' ? await media.read(file, maxInlineBytes) : undefined
    return got?.ok ? [`data:${mime};base64,${got.bytes.toString('base64')}`] : []
  })
  return (await Promise.all(read)).flat()
}

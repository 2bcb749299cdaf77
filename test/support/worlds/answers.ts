// A world for tests of answers: real rows and money, the real queue, the local Telegram with scripted faults, and a clock that tests
// advance. One call settles an answer with a given text.

import { eq } from 'drizzle-orm'
import { Api } from 'grammy'
import { deliverAnswer } from '../../../src/bot/chat/deliver.ts'
import { createRunning } from '../../../src/bot/chat/running.ts'
import type { BotDeps } from '../../../src/bot/context.ts'
import { type TextModel, textModelList } from '../../../src/catalog/text-models.ts'
import { noModes } from '../../../src/catalog/text-modes.ts'
import { openConversation, type Turn } from '../../../src/chat/conversations.ts'
import { claimAnswers } from '../../../src/chat/deliveries.ts'
import { beginTurn } from '../../../src/chat/hold.ts'
import { setAnswerMessage, settleAnswer } from '../../../src/chat/turns.ts'
import { createNudges } from '../../../src/db/nudges.ts'
import { type AnswerPart, turns } from '../../../src/db/schema.ts'
import { createMetrics } from '../../../src/metrics.ts'
import { createDownloads } from '../../../src/orders/deliver/download.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { forgiveHarmless } from '../../../src/telegram/client.ts'
import { loadTexts } from '../../../src/texts.ts'
import type { User } from '../../../src/users/user.ts'
import { claimNow } from '../database/claim.ts'
import { startTelegram, token } from '../telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../users/user.ts'
import { createWorld, userWith } from './generations.ts'

export interface Asking {
  readonly user: User
  /** The sandbox user, in the chat of the question. */
  readonly anna: SandboxUser
  readonly turn: Turn
}

const [priced] = textModelList.parse([
  { id: 'T', family: 'gpt', rates: { input: '1', output: '1000' }, maxOutput: 4000 },
]) as [TextModel]
/** A model whose answers cost 1 kopeck per 10 output tokens. Questions are free, which a real catalog does not allow. */
export const model: TextModel = { ...priced, rates: { input: '0', output: '1000' } }

export const text = (words: string): AnswerPart => ({ kind: 'text', text: words, entities: [] })

export type Answers = Awaited<ReturnType<typeof createAnswers>>

export async function createAnswers() {
  const world = await createWorld()
  const telegram = await startTelegram()
  const { db } = world.deps
  const { clock } = world
  const api = new Api(token, { apiRoot: telegram.url, timeoutSeconds: 10 })
  api.config.use(forgiveHarmless)
  const { nudges } = createNudges()
  const running = () => createRunning(world.deps, nudges)
  // Dependencies of answers, and of cards that answers propose.
  const own = { texts: loadTexts(), metrics: createMetrics(), textModels: [model], running: running() }
  const downloads = createDownloads({ gatewayUrl: telegram.url })
  const ofCards = { topUps: { providers: [] } }
  const deps = { ...world.deps, ...own, ...ofCards, downloads } as unknown as BotDeps
  let updates = 0

  /** A user with 10 roubles. @param group whether the chat is a group; by default it is private */
  async function person({ group = false } = {}): Promise<Omit<Asking, 'turn'>> {
    const user = await userWith(world, 1000n)
    const alone = await createUser(telegram.url, { id: user.telegramId ?? 0, first_name: 'Anna' })
    return { user, anna: group ? alone.in(await newGroup(alone.id)) : alone }
  }

  /** Asks a question whose answer is not requested yet. */
  async function asked({ group = false } = {}): Promise<Asking> {
    const { user, anna } = await person({ group })
    const question = await anna.sends('Why?')
    const where = { chatId: anna.chatId, topicId: 0 }
    const fresh = { id: randomIds.next(), userId: user.id, modelId: 'T', system: null, modes: noModes }
    const conversation = await openConversation(db, { ...where, ...fresh }, clock.now())
    updates += 1
    const begun = await beginTurn(world.deps, {
      id: randomIds.next(),
      conversation,
      userId: user.id,
      model,
      text: 'Why?',
      files: [],
      messageId: question.message_id,
      updateId: updates,
      inputTokens: 1,
      leastOutput: 200,
    })
    if (!begun.ok) throw new Error(`not held: ${begun.reason}`)
    return { user, anna, turn: begun.turn }
  }

  async function newGroup(member: number): Promise<number> {
    const made = await fetch(`${telegram.url}/api/chats`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Surfers', members: [member] }),
    })
    const { id }: { id: number } = JSON.parse(await made.text())
    return id
  }

  interface Settling {
    readonly group?: boolean
    readonly captured?: bigint
  }

  /** Asks a question and settles its answer under its lease; the price is 1 rouble by default. */
  async function settled(parts: readonly AnswerPart[], { group = false, captured = 100n }: Settling = {}) {
    const one = await asked({ group })
    if (!group) return settledNow(one, parts, captured)
    const { message_id: answerMessageId } = await api.sendMessage(one.anna.chatId, '✍️ …')
    await setAnswerMessage(db, one.turn, answerMessageId)
    return settledNow({ ...one, turn: { ...one.turn, answerMessageId } }, parts, captured)
  }

  async function settledNow(
    one: Asking,
    parts: readonly AnswerPart[] = [text('So.')],
    captured = 0n,
  ): Promise<Asking> {
    const counted = {
      inputTokens: 1,
      outputTokens: 1000,
      isEstimate: false,
      rates: null,
      failure: null,
      captured,
    }
    const turn = await settleAnswer(world.deps, one.turn, {
      outcome: { state: 'done', text: 'So.', thinking: '', sources: [], ...counted },
      parts,
      lease: one.turn.lease ?? '',
    })
    if (!turn) throw new Error('not settled')
    return { ...one, turn }
  }

  const reread = async ({ turn }: Pick<Asking, 'turn'>): Promise<Turn> => {
    const [found] = await db.select().from(turns).where(eq(turns.id, turn.id))
    if (!found) throw new Error(`no turn ${turn.id}`)
    return found
  }

  return {
    world,
    telegram,
    db,
    clock,
    api,
    deps,
    running,
    person,
    asked,
    settled,
    settledNow,
    reread,
    fault: (operation: string, fault: Fault, times = 1, skip = 0) =>
      telegram.faults.add({ target: 'telegram', operation, fault, times, skip }),
    /** Makes one delivery attempt as the process that holds the lease. @returns the row after it */
    async attempt(one: Asking, other: Partial<BotDeps> = {}): Promise<Turn> {
      await deliverAnswer({ deps: { ...deps, ...other }, api, isLate: false }, one.turn)
      return reread(one)
    },
    /** Advances the clock until the next delivery attempt is due, then claims the answer and delivers it, as the queue does. */
    async nextAttempt(one: Asking): Promise<Turn> {
      const { sendAt, leaseUntil } = await reread(one)
      const due = Math.max(sendAt?.getTime() ?? 0, leaseUntil?.getTime() ?? 0)
      clock.advance(Math.max(0, due - clock.now().getTime()))
      for (const turn of await claimAnswers(db, claimNow(world.deps, 100, 100)))
        await deliverAnswer({ deps, api, isLate: true }, turn)
      return reread(one)
    },
    /** The bot's messages in the chat, without messages of the test. */
    async said({ anna }: Asking): Promise<string[]> {
      const messages = (await anna.chat()).filter(({ from }) => from?.is_bot)
      return messages.map(({ text, document }) => text ?? `<${document?.file_name}>`)
    },
    async close() {
      await downloads.close()
      await telegram.discard()
      await world.close()
    },
  }
}

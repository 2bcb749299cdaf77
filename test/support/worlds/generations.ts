// Orders and the tracker with a database, a clock that tests advance, a scripted gateway over HTTP, and a recording chat in place of
// Telegram.

import { eq, sql } from 'drizzle-orm'
import { vi } from 'vitest'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { artifacts, drafts, generations, operatorActions, quotes } from '../../../src/db/schema.ts'
import { createGateway, openRequests } from '../../../src/gateway/client.ts'
import { post, readBalance } from '../../../src/ledger/ledger.ts'
import { correction } from '../../../src/ledger/moves.ts'
import { createMetrics } from '../../../src/metrics.ts'
import { createCallbackTokens } from '../../../src/orders/callback.ts'
import { quoteDraft } from '../../../src/orders/confirm.ts'
import { writeOutcome } from '../../../src/orders/deliver/deliver.ts'
import { createDraft } from '../../../src/orders/drafts.ts'
import {
  claim,
  type Generation,
  type GenerationDeps,
  type QueueName,
} from '../../../src/orders/generation.ts'
import type { StepDeps } from '../../../src/orders/settle.ts'
import { createTimes } from '../../../src/orders/times.ts'
import { type ChatSteps, createStepDeps, takeStep } from '../../../src/orders/worker.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { refusalWords } from '../../../src/sales/refusal-words.ts'
import { createRefusals } from '../../../src/sales/refusals.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'
import type { DeliveryOutcome } from '../../../src/telegram/send.ts'
import { ensureUser, type User } from '../../../src/users/user.ts'
import { catalogSettings } from '../catalog-settings.ts'
import { claimNow } from '../database/claim.ts'
import { type Engine, freshDatabase } from '../database/database.ts'
import { type Answer, json, taskCreated } from '../gateway/answering.ts'
import { handClock } from '../runtime/clock.ts'
import { startServer } from '../runtime/server.ts'
import { confirm } from './confirm.ts'

export { type Answer, cut, json, page, taskCreated } from '../gateway/answering.ts'

/** The steps of a chat for a generation. */
export interface FakeChat {
  send(generation: Generation): Promise<DeliveryOutcome>
  updateStatus(generation: Generation): Promise<boolean>
}

export type GenerationWorld = Awaited<ReturnType<typeof createWorld>>

/** This world has no public address, so the operator's settings contain the callback address that the music model requires. */
const settings = withGatewayIds(
  catalogSettings.parse({
    'MODEL-MUSIC': { request: { callBackUrl: 'https://operator.example/callback' } },
  }),
)

export async function createWorld(engine: Engine = 'postgres') {
  const database = await freshDatabase(engine)
  const clock = handClock()
  const script: Answer[] = []
  const requests: string[] = []
  const { happened, when } = createEvents()
  const server = await startServer((req, res) => {
    requests.push(`${req.method} ${req.url}`)
    happened()
    const next = script.shift()
    req.resume().on('end', () => (next ? next(req, res) : res.writeHead(500).end()))
  })
  const gateway = createGateway({ baseUrl: server.url, key: 'test-key', timeoutMs: 30_000 })
  const outcomes: DeliveryOutcome[] = []
  const delivered: string[] = []
  const shown: string[] = []
  const catalog = createCatalog(models, settings)
  const deps: GenerationDeps & Pick<StepDeps, 'wakeDeliveries' | 'statusUpdates'> = {
    wakeDeliveries: () => undefined,
    statusUpdates: { queue: () => undefined, cancel: () => undefined, idle: async () => undefined },
    db: database.db,
    catalog,
    times: createTimes({ db: database.db, clock, catalog }),
    gateway,
    results: openRequests.parse({}).results,
    clock,
    ids: randomIds,
    random: () => 0.5,
    log: silentLog,
    metrics: createMetrics(),
    media: { read: async () => ({ ok: false, reason: 'gone' }), link: undefined },
    callbackUrl: undefined,
    callbackTokens: createCallbackTokens('test-bot-token', randomIds),
    pollIntervalMs: 3000,
    pollsPerSecond: 100,
    limits: { dailySpend: undefined, concurrent: 100, timeZone: 'Europe/Moscow' },
    refusals: createRefusals({
      db: database.db,
      clock,
      log: silentLog,
      refusalWords: refusalWords.parse({}),
      mostLost: 3,
      wakeAlarms: () => undefined,
    }),
  }
  const recording: FakeChat = {
    async updateStatus({ id, state }) {
      shown.push(`${id} ${state}`)
      happened()
      return true
    },
    async send({ id }) {
      delivered.push(id)
      happened()
      return outcomes.shift() ?? { ok: true }
    },
  }
  /** The chat steps of the tracker. Steps that are not passed only record their calls. */
  const chatWith = (own: Partial<FakeChat>): ChatSteps => {
    const { send, updateStatus } = { ...recording, ...own }
    return {
      updateStatus,
      async deliver(generation) {
        const outcome = await send(generation)
        const ofIt = eq(artifacts.generationId, generation.id)
        if (outcome.ok) await deps.db.update(artifacts).set({ messageId: 1 }).where(ofIt)
        return writeOutcome(deps, generation, outcome)
      },
    }
  }
  return {
    deps,
    clock,
    database,
    chat: chatWith({}),
    chatWith,
    /** Requests to the gateway, in order. */
    requests,
    /** Ids of the generations that were sent, in order. */
    delivered,
    /** Generations whose status was shown, each with its state, in order. */
    shown,
    /** Resolves when the condition is true; it is checked after each event above. */
    when,
    /** The outcomes of the next sends; then success. */
    outcomes,
    /** The next answers of the gateway, in order; then 500. */
    gatewayAnswers: (...answers: Answer[]) => void script.push(...answers),
    /** Clears what was scripted and recorded. */
    reset() {
      for (const list of [script, requests, delivered, shown, outcomes]) list.length = 0
    },
    async close() {
      server.server.closeAllConnections()
      await gateway.close()
      await server.close()
      await database.close()
    },
  }
}

/** Promises of conditions, which are checked again after each event. */
function createEvents() {
  let waiting: { condition: () => boolean; resolve: () => void }[] = []
  return {
    happened() {
      const met = waiting.filter(({ condition }) => condition())
      waiting = waiting.filter((one) => !met.includes(one))
      for (const { resolve } of met) resolve()
    },
    when: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        if (condition()) resolve()
        else waiting.push({ condition, resolve })
      }),
  }
}

/** A promise and the function that resolves it. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** An answer that is delayed until `give` is called; requests after that are answered at once. */
export function later(answer: Answer): { answer: Answer; give(): void } {
  const { opened, open } = gate()
  return { answer: (req, res) => void opened.then(() => answer(req, res)), give: open }
}

export const taskIs = (status: string, more: object = {}) => json(200, { id: 'task-1', status, ...more })
export const finished = taskIs('completed', { data: [{ url: 'http://127.0.0.1:9/video.mp4' }] })

let telegramId = 1000

export async function userWith({ deps }: GenerationWorld, kopecks: bigint): Promise<User> {
  telegramId += 1
  const { user } = await ensureUser(deps.db, { telegramId, languageCode: 'ru' }, deps.clock.now())
  if (kopecks > 0n) {
    const at = deps.clock.now()
    const key = `start-${user.id}`
    const details = { key, amount: `${kopecks}` }
    const granted = {
      action: 'grant',
      subject: `user:${user.id}`,
      reason: 'to begin with',
      details,
      createdAt: at,
    }
    await deps.db.insert(operatorActions).values(granted)
    await post(deps.db, correction(key, user.id, kopecks, 'to begin with'), at)
  }
  return user
}

interface Card {
  /** The model, with all of its answers; by default a video of a cat. */
  readonly model?: Model
  readonly chatId?: number
  readonly topicId?: number | null
  readonly byGroup?: boolean
}

export async function quoteFor(
  { deps }: Pick<GenerationWorld, 'deps'>,
  { id: userId, telegramId }: User,
  answers: object = {},
  { model, topicId = null, ...chat }: Card = {},
) {
  const place = { chatId: telegramId ?? 0, topicId, ...chat }
  const given = model ? { ...answers } : { positivePrompt: 'a cat surfing', ...answers }
  const about = { userId, modelId: (model ?? videoReel).id, answers: given }
  const draft = await createDraft(deps.db, { id: randomIds.next(), ...about, ...place }, deps.clock.now())
  const quoted = await quoteDraft(deps, draft)
  if (!quoted.ok) throw new Error(`not quoted: ${quoted.reason}`)
  return { draft, quote: quoted.quote }
}

export async function order(world: GenerationWorld, user: User, answers: object = {}): Promise<Generation> {
  const { quote } = await quoteFor(world, user, answers)
  const ordered = await confirm(world.deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
  if (!ordered.ok) throw new Error(`not ordered: ${ordered.reason}`)
  return ordered.generation
}

/** An order of a new user, who has 500 roubles. */
export async function ordered(world: GenerationWorld, answers: object = {}) {
  const user = await userWith(world, 500_00n)
  const generation = await order(world, user, answers)
  return {
    user,
    generation,
    now: () => reread(world, generation),
    available: async () => (await readBalance(world.deps.db, user.id)).available,
  }
}
export type Started = Awaited<ReturnType<typeof ordered>>

/** Makes an order of a new user and submits it; the gateway names the task `task-1`. */
export async function submitted(world: GenerationWorld, answers: object = {}): Promise<Started> {
  const one = await ordered(world, answers)
  world.gatewayAnswers(taskCreated)
  await step(world)
  return { ...one, generation: await one.now() }
}

/** An order whose task runs, and whose next look is due. */
export async function running(world: GenerationWorld, answers: object = {}): Promise<Started> {
  const one = await submitted(world, answers)
  world.clock.advance(3000)
  return one
}

/** Keeps the orders of earlier tests from being looked at, from having `task-1`, and from the times of the models. */
export async function forgetOrders({ deps: { db } }: Pick<GenerationWorld, 'deps'>): Promise<void> {
  await db.update(quotes).set({ modelId: 'before' })
  await db
    .update(generations)
    .set({ taskId: null, modelId: 'before', nextCheckAt: neverLooked, arrivedLateAt: null })
}

/** Beyond the time of every test; null for orders that have ended, as it is. */
export const neverLooked = sql`case when next_check_at is null then null else timestamptz '2100-01-01' end`

/** The state that the steps of one process share. */
export type ProcessDeps = ReturnType<typeof createStepDeps>

/** A process that has just started. */
export const processOf = (
  { deps, chat }: Pick<GenerationWorld, 'deps' | 'chat'>,
  own: Partial<GenerationDeps> = {},
): ProcessDeps => createStepDeps({ ...deps, times: createTimes({ ...deps, ...own }), ...own }, chat)

const queues: readonly QueueName[] = ['orders', 'deliveries']

interface Stepping {
  readonly by?: ProcessDeps
  readonly of?: readonly QueueName[]
}

/** Makes one step of each due generation, of both queues or one. */
export async function step(
  world: Pick<GenerationWorld, 'deps' | 'chat'>,
  { by = processOf(world), of = queues }: Stepping = {},
) {
  const claimed: Generation[] = []
  for (const queue of of) claimed.push(...(await claim(world.deps, queue, claimNow(world.deps, 100))))
  for (const generation of claimed) await takeStep(by, generation)
  await by.statusUpdates.idle()
}

/** The pause of `orders/poll.ts` before such a second read. */
const partialPauseMs = 2000

/** A step in which a task with fewer results than ordered is read once more, with this answer. */
export async function stepTwiceRead(world: GenerationWorld, again: Answer): Promise<void> {
  let isDone = false
  const stepped = step(world).finally(() => {
    isDone = true
  })
  await vi.waitUntil(() => isDone || world.clock.isWaitedFor(partialPauseMs), { timeout: 25_000 })
  if (!isDone) world.gatewayAnswers(again)
  world.clock.advance(partialPauseMs)
  await stepped
}

export async function reread({ deps }: GenerationWorld, { id }: { id: string }): Promise<Generation> {
  const [found] = await deps.db.select().from(generations).where(eq(generations.id, id))
  if (!found) throw new Error(`no generation ${id}`)
  return found
}

export async function readDraft({ deps }: GenerationWorld, id: string) {
  const [found] = await deps.db.select().from(drafts).where(eq(drafts.id, id))
  return found
}

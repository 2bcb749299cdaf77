// Records the statements and requests that the app's own functions make for one order, from the tap to the delivery, after an order that
// has filled their caches. They are repeated for other orders without the app: the statements alone (replay.ts), and all of them
// (programs/order-loop.ts). Every step begins at once, so the statements of the inbox and of the queues are not included.

import { drizzle } from 'drizzle-orm/postgres-js'
import { Api } from 'grammy'
import postgres from 'postgres'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import type { Database } from '../../../src/db/client.ts'
import { leased } from '../../../src/db/leased-queue.ts'
import { deliver } from '../../../src/delivery/deliver.ts'
import { createDownloads } from '../../../src/delivery/download.ts'
import type { DeliveryDeps } from '../../../src/delivery/job.ts'
import { createShownStatuses } from '../../../src/delivery/shown-statuses.ts'
import { updateStatus } from '../../../src/delivery/status.ts'
import { createGateway } from '../../../src/gateway/client.ts'
import type { GenerationDeps } from '../../../src/generations/generation.ts'
import type { Places } from '../../../src/generations/place.ts'
import { createUsualTimes } from '../../../src/generations/usual-time.ts'
import { createMetrics } from '../../../src/metrics.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { refusalWords } from '../../../src/sales/refusal-words.ts'
import { createRefusals } from '../../../src/sales/refusals.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'
import { loadTexts } from '../../../src/texts.ts'
import { receiveCallback } from '../../../src/tracker/callbacks.ts'
import { takeStep } from '../../../src/tracker/step.ts'
import { type ChatSteps, createStepDeps } from '../../../src/tracker/step-deps.ts'
import { confirm } from '../../support/worlds/confirm.ts'
import type { BenchDatabase } from '../machine/server.ts'
import { type GatewayStub, startGateway } from '../outside/gateway.ts'
import { botToken, type TelegramStub } from '../outside/telegram.ts'
import { draftOf, quoteOf } from './orders.ts'
import type { Recorded, Step } from './recorded.ts'

/** The prefix of every id that the app generates. */
const mark = 'recorded'

interface Outside {
  readonly database: BenchDatabase
  readonly telegram: TelegramStub
}

/** @param first the number of the quote that is ordered before @param n the number of the recorded quote, which is the only one of its user */
export async function recordOrder(
  { database, telegram }: Outside,
  first: number,
  n: number,
): Promise<Recorded> {
  const steps: Step[] = []
  const gateway = await startGateway({
    asked: (method, path, body) => void steps.push({ kind: 'gateway', method, path, body }),
  })
  const stopListening = telegram.listen((method, body) => void steps.push({ kind: 'telegram', method, body }))
  const client = postgres(database.url, {
    max: 1,
    onnotice: () => undefined,
    debug: (_, text, values) => void steps.push({ kind: 'statement', text, values: [...values] }),
  })
  const deps = depsOver(drizzle({ client }), gateway, telegram)
  const takeOrder = createOrders(deps, () => void steps.push({ kind: 'callback' }))
  await takeOrder(quoteOf(first), await ownerOf(database, first))
  const user = await ownerOf(database, n)
  steps.length = 0
  await takeOrder(quoteOf(n), user)
  stopListening()
  await client.end({ timeout: 5 })
  await deps.gateway.close()
  await gateway.close()
  const task = await taskOf(database, quoteOf(n))
  return { steps, own: { draft: draftOf(n), quote: quoteOf(n), task, mark, user: String(user) } }
}

function depsOver(db: Database, gateway: GatewayStub, telegram: TelegramStub): Deps {
  let made = 0
  const make = (length: number) => {
    made += 1
    return mark + String(made).padStart(length - mark.length, '0')
  }
  const catalog = createCatalog(models, withGatewayIds())
  const common = { db, catalog, clock: systemClock, log: silentLog }
  return {
    ...common,
    refusals: createRefusals({
      ...common,
      refusalWords: refusalWords.parse({}),
      mostLost: 3,
      wakeAlarms: () => undefined,
    }),
    api: new Api(botToken, { apiRoot: telegram.url }),
    texts: loadTexts(undefined),
    downloads: createDownloads({ gatewayUrl: gateway.url }),
    usualTimes: createUsualTimes(common),
    shownStatuses: createShownStatuses(),
    gateway: createGateway({ baseUrl: gateway.url, key: 'bench-key' }),
    ids: { next: () => make(10), secret: () => make(32) },
    random: () => 0.5,
    media: { read: async () => ({ ok: false, reason: 'gone' }), link: undefined },
    metrics: createMetrics(),
    callbackUrl: (token) => `http://127.0.0.1:9/callbacks/${token}`,
    callbackTokens: { make: () => make(32), isSigned: () => true },
    pollIntervalMs: 3000,
    pollsPerSecond: 10_000,
    limits: { dailySpend: undefined, concurrent: 100 },
  }
}

type Deps = GenerationDeps & DeliveryDeps

/** @param calledBack called before each callback @returns a function that makes an order from the tap to the delivery */
function createOrders(
  deps: Deps,
  calledBack: () => void,
): (quoteId: string, userId: bigint) => Promise<void> {
  const running: Promise<void>[] = []
  const places: Places = {
    reserve: (kind) => ({
      ...leased(deps.ids.next(), deps.clock.now()),
      take: (generation, known) => void running.push(takeStep(steps, kind, generation, known)),
      free: () => undefined,
    }),
    nudge: () => undefined,
  }
  const chat: ChatSteps = {
    deliver: (generation, known) => deliver(deps, generation, known),
    updateStatus: (generation, news) => updateStatus(deps, generation, news),
  }
  const steps = createStepDeps(deps, chat, { places, dueAt: () => undefined })
  const ended = async () => {
    for (let step = running.shift(); step; step = running.shift()) await step
    await steps.statusUpdates.idle()
  }
  return async (quoteId, userId) => {
    const place = places.reserve('submit')
    const ordered = await confirm(deps, { quoteId, userId, statusMessageId: 7, locale: 'ru', place })
    if (!ordered.ok) throw new Error(`not ordered: ${ordered.reason}`)
    steps.statusUpdates.queue(ordered.generation, { locale: 'ru' })
    await ended()
    calledBack()
    await receiveCallback({ ...deps, places }, ordered.generation.callbackToken, [])
    await ended()
  }
}

async function ownerOf({ sql }: BenchDatabase, n: number): Promise<bigint> {
  const [owner] = await sql`select user_id::text from quotes where id = ${quoteOf(n)}`
  return BigInt(owner?.user_id)
}

/** @returns the task id of a delivered order @throws if the order was not delivered */
async function taskOf({ sql }: BenchDatabase, quoteId: string): Promise<string> {
  const [done] = await sql`select task_id, delivery from generations where quote_id = ${quoteId}`
  if (done?.delivery !== 'delivered') throw new Error(`the order ended ${done?.delivery}`)
  return String(done.task_id)
}

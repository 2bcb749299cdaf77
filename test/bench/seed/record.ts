// Records the SQL statements that the app's own functions execute for one order, from the tap to the delivery. They are replayed for other
// orders without the app (replay.ts). The statements of the queues between the steps are not included.

import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { Api } from 'grammy'
import postgres from 'postgres'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import type { Database } from '../../../src/db/client.ts'
import { generations, users } from '../../../src/db/schema.ts'
import { deliver } from '../../../src/delivery/deliver.ts'
import { createDownloads } from '../../../src/delivery/download.ts'
import type { DeliveryDeps } from '../../../src/delivery/job.ts'
import { createShownStatuses } from '../../../src/delivery/shown-statuses.ts'
import { updateStatus } from '../../../src/delivery/status.ts'
import { createGateway } from '../../../src/gateway/client.ts'
import type { Generation, GenerationDeps } from '../../../src/generations/generation.ts'
import { noPlaces } from '../../../src/generations/place.ts'
import { createUsualTimes } from '../../../src/generations/usual-time.ts'
import { createMetrics } from '../../../src/metrics.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'
import { loadTexts } from '../../../src/texts.ts'
import { receiveCallback } from '../../../src/tracker/callbacks.ts'
import { takeStep } from '../../../src/tracker/step.ts'
import { createStepDeps } from '../../../src/tracker/step-deps.ts'
import { confirm } from '../../support/worlds/confirm.ts'
import type { BenchDatabase } from '../machine/server.ts'
import type { GatewayStub } from '../outside/gateway.ts'
import { botToken, type TelegramStub } from '../outside/telegram.ts'
import { draftOf, quoteOf } from './orders.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The recorded statements, and the values in them that are specific to the recorded order. */
export interface Recorded {
  readonly statements: readonly Statement[]
  readonly own: Readonly<Record<'draft' | 'quote' | 'task' | 'mark' | 'user', string>>
}

/** The prefix of every id that the app generates. */
const mark = 'recorded'

interface Outside {
  readonly database: BenchDatabase
  readonly telegram: TelegramStub
  readonly gateway: GatewayStub
}

/** @param n the number of the quote, which is the only quote of its user */
export async function recordOrder({ database, telegram, gateway }: Outside, n: number): Promise<Recorded> {
  const statements: Statement[] = []
  const client = postgres(database.url, {
    max: 1,
    onnotice: () => undefined,
    debug: (_, text, values) => void statements.push({ text, values: [...values] }),
  })
  const deps = depsOver(drizzle({ client }), gateway, telegram)
  const [owner] = await database.sql`select user_id from quotes where id = ${quoteOf(n)}`
  const user = String(owner?.user_id)
  // The driver's first query also reads the types of the server, so a query is made before the recording starts.
  await deps.db.select().from(users).limit(1)
  statements.length = 0
  await takeOrder(deps, quoteOf(n), BigInt(user))
  await client.end({ timeout: 5 })
  await deps.gateway.close()
  const task = await taskOf(database, quoteOf(n))
  return { statements, own: { draft: draftOf(n), quote: quoteOf(n), task, mark, user } }
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

async function takeOrder(deps: Deps, quoteId: string, userId: bigint): Promise<void> {
  const ordered = await confirm(deps, { quoteId, userId, statusMessageId: 7 })
  if (!ordered.ok) throw new Error(`not ordered: ${ordered.reason}`)
  const { id, callbackToken } = ordered.generation
  const steps = createStepDeps(deps, {
    deliver: (generation) => deliver(deps, generation),
    updateStatus: (generation) => updateStatus(deps, generation),
  })
  await updateStatus(deps, ordered.generation)
  await takeStep(steps, 'submit', await lease(deps, id))
  await steps.statusUpdates.idle()
  await receiveCallback({ ...deps, places: noPlaces }, callbackToken, [])
  await takeStep(steps, 'look', await lease(deps, id))
  await takeStep(steps, 'deliver', await lease(deps, id))
}

/** @returns the task id of a delivered order @throws if the order was not delivered */
async function taskOf({ sql }: BenchDatabase, quoteId: string): Promise<string> {
  const [done] = await sql`select task_id, delivery from generations where quote_id = ${quoteId}`
  if (done?.delivery !== 'delivered') throw new Error(`the order ended ${done?.delivery}`)
  return String(done.task_id)
}

/** Replaces the claim of the queue, which claims many rows at once. */
async function lease({ db, ids }: GenerationDeps, id: string): Promise<Generation> {
  const [leased] = await db
    .update(generations)
    .set({ lease: ids.next(), leaseUntil: new Date(Date.now() + 60_000) })
    .where(eq(generations.id, id))
    .returning()
  if (!leased) throw new Error('there is no such order')
  return leased
}

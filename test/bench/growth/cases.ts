// The work of the app that reads or changes large tables, each with the functions that do it, on a seeded database.

import { createCatalog, type Price } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import type { Database } from '../../../src/db/client.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'
import { ledgerCases } from './cases-ledger.ts'
import { operatorCases } from './cases-operator.ts'
import { queueCases } from './cases-queues.ts'
import { userCases } from './cases-users.ts'

/** Rows that the cases work with, found in the seeded database. */
export interface Found {
  readonly now: Date
  /** One of the 20 heavy users, who together own an eighth of all rows, spread over the whole period. */
  readonly heavyUser: bigint
  readonly heavyTelegramId: number
  readonly ordinaryUser: bigint
  readonly openQuoteId: string
  readonly endedGenerationId: string
  readonly callbackToken: string
  readonly threadId: string
  readonly topUp: { readonly id: string; readonly charge: bigint }
  readonly chargeId: string
}

export interface Case {
  readonly name: string
  /** SQL that prepares the case and is not measured; everything is rolled back afterwards. */
  readonly before?: string
  /** The indexes on large tables that its statements must use. */
  readonly indexes?: readonly string[]
  run(world: GrowthWorld): Promise<unknown>
}

export interface GrowthWorld extends Found {
  readonly deps: Deps
}

export type Deps = ReturnType<typeof depsOf>

const catalog = createCatalog(models, withGatewayIds())
const price: Price = {
  amount: 100n,
  gatewayCost: 50n,
  unit: 'request',
  quantity: 1,
  isMinimum: false,
  count: 1,
  rate: { roubles: '1', per: 1 },
  multiplier: '1',
  surcharges: [],
  rounding: '0.01',
}

export function depsOf(db: Database, now: Date) {
  const clock: Clock = { now: () => now, wait: async () => undefined }
  return {
    db,
    clock,
    ids: randomIds,
    random: () => 0.5,
    log: silentLog,
    // The catalog returns the price of the seeded quote.
    catalog: { ...catalog, isOffered: () => true, price: () => price },
    pollIntervalMs: 3000,
    pollsPerSecond: 100,
    limits: { dailySpend: 100_000_000n, concurrent: 10_000, min: 0n, max: 0n },
    callbackTokens: { make: () => randomIds.secret(), isSigned: () => true },
    providers: [],
    wakeNotices: () => undefined,
  }
}

export const cases: readonly Case[] = [...queueCases, ...userCases, ...operatorCases, ...ledgerCases]

// All facts that decide about a question before it is asked, read by one statement.

import assert from 'node:assert/strict'
import { eq, sql } from 'drizzle-orm'
import type { TextModel } from '../catalog/text-models.ts'
import type { Database } from '../db/client.ts'
import { accounts, conversations, switches } from '../db/schema.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import type { LimitDeps } from '../sales/limits.ts'
import { isStopped, maintenance, stoppedModels, switchedOffModels } from '../sales/sales.ts'
import { type Conversation, type ConversationLocation, isOpenAt } from './conversations.ts'
import { type Funds, fundsColumns } from './hold.ts'
import { type Past, pastColumn } from './past.ts'

interface Deps extends LimitDeps {
  readonly db: Database
}

export interface Situation extends Funds {
  /** An operator has stopped sales to everybody but operators. */
  readonly isMaintenance: boolean
  /** The gateway refuses us or cannot be reached. */
  readonly isStopped: boolean
  /** Ids of models that it does not know, or does not let us use; null for a stop of all. */
  readonly stoppedModels: readonly (string | null)[]
  readonly switchedOff: readonly string[]
  readonly conversation: Conversation | null
  readonly past: Past
}

export async function readSituation(
  deps: Deps,
  userId: bigint,
  where: ConversationLocation,
): Promise<Situation> {
  const isMaintenance = sql<boolean>`exists (select from ${switches} where ${eq(switches.name, maintenance)})`
  const [found] = await deps.db
    .select({
      ...fundsColumns(deps),
      isMaintenance,
      isStopped: isStopped(deps.clock.now()),
      stoppedModels: stoppedModels(deps.clock.now()),
      switchedOff: switchedOffModels,
      conversation: conversations,
      past: pastColumn(),
    })
    .from(accounts)
    .leftJoin(conversations, isOpenAt(where))
    .where(isAccountOf(userId))
  assert(found, 'every user has a balance')
  return found
}

export const isPausedFor = (
  { isMaintenance, isStopped, stoppedModels }: Situation,
  { isOperator }: { readonly isOperator: boolean },
  model: TextModel | undefined,
): boolean =>
  isStopped || (isMaintenance && !isOperator) || (model !== undefined && stoppedModels.includes(model.id))

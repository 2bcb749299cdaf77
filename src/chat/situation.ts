// All facts that decide about a question before it is asked, read by one statement.

import assert from 'node:assert/strict'
import { eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { balances, conversations, salesStops, switches, users } from '../db/schema.ts'
import { maintenance } from '../sales/switches.ts'
import { type Conversation, type ConversationLocation, isOpenAt } from './conversations.ts'
import { type Funds, type FundsDeps, fundsColumns } from './funds.ts'
import { type Past, pastColumn } from './past.ts'

interface Deps extends FundsDeps {
  readonly db: Database
}

export interface Situation extends Funds {
  /** An operator or a refusal of the gateway has stopped sales. */
  readonly isPaused: boolean
  /** The open conversation of the chat or topic. */
  readonly conversation: Conversation | null
  /** The user knows that answers cost money. */
  readonly isAccepted: boolean
  /** The past turns of this conversation. */
  readonly past: Past
}

export async function readSituation(
  deps: Deps,
  userId: bigint,
  where: ConversationLocation,
): Promise<Situation> {
  const isStopped = gt(salesStops.until, deps.clock.now())
  const isPaused = sql<boolean>`(exists (select from ${switches} where ${eq(switches.name, maintenance)})
    or exists (select from ${salesStops} where ${isStopped}))`
  const isAccepted = sql<boolean>`exists (select from ${users} accepting
    where accepting.id = ${balances.userId} and accepting.answers_accepted_at is not null)`
  const [found] = await deps.db
    .select({
      ...fundsColumns(deps, userId),
      isPaused,
      isAccepted,
      conversation: conversations,
      past: pastColumn(),
    })
    .from(balances)
    .leftJoin(conversations, isOpenAt(where))
    .where(eq(balances.userId, userId))
  assert(found, 'every user has a balance')
  return found
}

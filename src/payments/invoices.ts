// Which provider an invoice in Telegram is of: the reports of payments and refunds name its payload and its currency only.

import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { topUps } from '../db/schema.ts'
import { providerOfInvoicesIn } from './providers.ts'

interface Invoice {
  readonly topUpId: string
  readonly currency: string
}

/** That of the top-up; when none fits, the first one with invoices in this currency. */
export async function providerOfInvoice(db: Database, { topUpId, currency }: Invoice): Promise<string> {
  const [topUp] = await db
    .select({ provider: topUps.provider })
    .from(topUps)
    .where(and(eq(topUps.id, topUpId), eq(topUps.currency, currency)))
  return topUp?.provider ?? providerOfInvoicesIn(currency) ?? 'telegram'
}

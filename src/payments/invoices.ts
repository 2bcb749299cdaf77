// Finds the provider of an invoice in Telegram. Reports of payments and refunds contain only its payload and its currency.

import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { topUps } from '../db/schema.ts'
import { providerOfInvoicesIn } from './providers.ts'

interface Invoice {
  readonly topUpId: string
  readonly currency: string
}

/** The provider of the top-up. Without a matching top-up, the first provider with invoices in this currency. */
export async function providerOfInvoice(db: Database, { topUpId, currency }: Invoice): Promise<string> {
  const [topUp] = await db
    .select({ provider: topUps.provider })
    .from(topUps)
    .where(and(eq(topUps.id, topUpId), eq(topUps.currency, currency)))
  return topUp?.provider ?? providerOfInvoicesIn(currency) ?? 'telegram'
}

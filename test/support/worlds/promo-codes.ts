// Promo codes as operators make them, whatever their length and end: with the line of the log that the audit wants.

import type { Database } from '../../../src/db/client.ts'
import { operatorActions, promoCodes } from '../../../src/db/schema.ts'

type NewCode = typeof promoCodes.$inferInsert

export async function makePromos(db: Database, ...codes: readonly NewCode[]): Promise<void> {
  await db.insert(promoCodes).values([...codes])
  const actions = codes.map(({ code, amount, createdAt }) => ({
    action: 'promo',
    subject: `promo:${code}`,
    details: { amount: amount.toString() },
    createdAt,
  }))
  await db.insert(operatorActions).values(actions)
}

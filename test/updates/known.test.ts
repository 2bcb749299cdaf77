// The facts that a claim reads together with an update are the ones that its handler would read. Where this is not certain, the
// claim leaves them out, and the handler reads them itself.

import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { conversationStates, updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { readState, stateKey, writeState } from '../../src/telegram/conversation-states.ts'
import { claimUpdates } from '../../src/updates/claim.ts'
import { putOff, storeUpdates } from '../../src/updates/inbox.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'
import { messageOf } from '../support/worlds/inbox.ts'

let database: TestDatabase
const clock = handClock()
const deps = () => ({ db: database.db, clock, ids: randomIds })

beforeAll(async () => {
  database = await freshDatabase('postgres')
})
beforeEach(async () => {
  await database.db.delete(updates)
  await database.db.delete(conversationStates)
})
afterAll(() => database.close())

const claim = () => claimUpdates(deps(), { fresh: 10, suspect: 1 })

it('a claim knows no user and no balance of a person who is new to the bot', async () => {
  await storeUpdates(deps(), [messageOf(1, 77)])
  const [claimed] = await claim()
  const conversation = { key: '77::77', value: undefined }
  expect(claimed?.known).toEqual({ telegramId: 77, user: undefined, balance: undefined, conversation })
})

it('a claim leaves out the facts for updates without a lane, such as payments', async () => {
  const paid = { currency: 'XTR', total_amount: 1, invoice_payload: 'x', telegram_payment_charge_id: 'c' }
  const more = { text: undefined, successful_payment: { ...paid, provider_payment_charge_id: '' } }
  await storeUpdates(deps(), [messageOf(1, 77, 77, more)])
  const [claimed] = await claim()
  expect(claimed?.id).toBe(1)
  expect(claimed?.known).toBeUndefined()
})

it('a claim leaves out the facts when another process has released the update while the claim was running', async () => {
  const now = clock.now().toISOString()
  // The claim reads these rows first, which takes longer than the work of the other process.
  await database.db.execute(sql`
    insert into ${updates} (id, received_at, due_at)
    select id, ${now}::timestamptz, 'infinity' from generate_series(1, 20000) id`)
  await storeUpdates(deps(), [messageOf(90_000, 77)])
  const key = stateKey(77, undefined, 77)
  const isTarget = eq(updates.id, 90_000)
  let hasEnded = false
  /** Claims the update, changes the state and releases the update, again and again. */
  const otherProcess = async () => {
    for (let written = 0; !hasEnded; written += 1) {
      const taken = await database.db
        .update(updates)
        .set({
          lease: 'other',
          leaseUntil: new Date(clock.now().getTime() + 60_000),
          attempts: sql`${updates.attempts} + 1`,
        })
        .where(sql`${isTarget} and ${updates.lease} is null`)
        .returning({ id: updates.id })
      if (taken.length === 0) continue
      await writeState(database.db, { key, value: { written }, updatedAt: clock.now() }, [0])
      await database.db.update(updates).set({ lease: null, leaseUntil: null }).where(isTarget)
    }
  }
  const other = otherProcess()
  let leftOut = 0
  const mistakes: string[] = []
  for (let claims = 0; claims < 200 && leftOut < 1 && mistakes.length === 0; claims += 1) {
    const [claimed] = await claim()
    if (!claimed) continue
    const found = await readState(database.db, key)
    const given = claimed.known?.conversation?.value
    if (!claimed.known) leftOut += 1
    else if (!isDeepStrictEqual(given, found))
      mistakes.push(`is ${JSON.stringify(found)}, given was ${JSON.stringify(given)}`)
    await putOff(deps(), claimed, 0)
  }
  hasEnded = true
  await other
  expect(mistakes).toEqual([])
})

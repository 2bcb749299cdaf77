// Two changes of a card at the same moment: both are kept.

import { desc, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type OpenDatabase, rows } from '../../../src/db/client.ts'
import { drafts, turns } from '../../../src/db/schema.ts'
import { freshUrl } from '../../support/database/database.ts'
import { openWithTransactions } from '../../support/database/transactions.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
let other: OpenDatabase
beforeAll(async () => {
  const DATABASE_URL = await freshUrl('postgres')
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100', DATABASE_URL }, 1)
  other = await openWithTransactions(DATABASE_URL)
})
afterAll(async () => {
  await sandbox.stop()
  await other.close()
})

/** Waits until this many statements of the app wait for a lock. */
const haveToWait = (count: number) =>
  expect
    .poll(async () => {
      const query = sql`select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      const [found] = await rows(other.db, query, z.object({ n: z.coerce.number() }))
      return found?.n ?? 0
    })
    .toBeGreaterThanOrEqual(count)
const newestDraft = async () =>
  (await sandbox.app.db.select().from(drafts).orderBy(desc(drafts.createdAt)).limit(1))[0]

it('the rewritten prompt and the tapped setting are both stored', async () => {
  const anna = await sandbox.user('Anna')
  const { db } = sandbox.app
  await anna.sends('/image кот на сёрфе')
  await anna.taps(/^🎛 Model/)
  await anna.taps(/^Photo/)
  const card = await anna.sees(/understands English only/)
  const draft = await newestDraft()
  await anna.taps(/^Aspect/)
  const page = await anna.seesButton(/16:9/)
  const wide = page.reply_markup?.inline_keyboard?.flat().find(({ text }) => /16:9/.test(text))
  const translate = card.reply_markup?.inline_keyboard?.flat().find(({ text }) => /Translate/.test(text))
  // The stream pauses, so that the draft is locked before the answer is complete.
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 3000 })
  await anna.tapsData(card.message_id, translate?.callback_data ?? '')
  await expect.poll(() => db.$count(turns)).toBe(1)
  await other.db.transaction(async (tx) => {
    await tx.execute(sql`select from drafts where id = ${draft?.id} for update`)
    await haveToWait(1)
    void anna.tapsData(page.message_id, wide?.callback_data ?? '')
    await haveToWait(2)
  })
  await expect.poll(async () => (await db.select().from(turns))[0]?.delivery).toBe('delivered')
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  const after = await newestDraft()
  expect(JSON.stringify(after?.answers)).toContain('kot na syorfe')
  expect(JSON.stringify(after?.answers)).toContain('16:9')
})

it('lyrics switch own lyrics on, although the card has changed since they were read', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/music la la la')
  await boris.taps('My own lyrics: off')
  await boris.seesButton('✅ Keep this text')
  const draft = await newestDraft()
  await other.db.transaction(async (tx) => {
    await tx.execute(sql`select from drafts where id = ${draft?.id} for update`)
    await boris.sends('na na na')
    await haveToWait(1)
    await tx.execute(sql`update drafts set revision = revision + 1 where id = ${draft?.id}`)
  })
  await boris.seesButton('My own lyrics: on')
})

// Filters, favourites and removed orders in /history.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, transfers } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2000' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const transfersNow = () => sandbox.app.db.$count(transfers)

async function withTwoOrders(): Promise<SandboxUser> {
  const anna = await sandbox.user('Anna')
  await order(sandbox, anna, '/image a fox')
  await order(sandbox, anna, '/video a cat')
  await anna.sends('/history')
  await anna.sees(/1–2 of 2/)
  return anna
}

describe('the list of orders', () => {
  it('filters by kind and by state, and an opened order leads back to the filtered list', async () => {
    const anna = await withTwoOrders()
    await anna.taps('🔎 Filter')
    await anna.taps('Pictures')
    const pictures = await anna.sees(/, 1 of 1[\s\S]*a fox/)
    expect(pictures.text).not.toContain('a cat')
    expect(labelsOf(pictures)).toContain('🔎 Filter: Pictures')
    await anna.taps('1')
    await anna.sees(/🧾[\s\S]*a fox/)
    await anna.taps('‹ To the list')
    await anna.sees(/, 1 of 1[\s\S]*a fox/)
    await anna.taps('🔎 Filter: Pictures')
    await anna.seesButton('• Pictures')
    await anna.taps('Failed')
    const none = await anna.sees(/^Nothing matches the filter “Failed”/)
    expect(labelsOf(none)).toEqual(['🔎 Filter: Failed', '🗂 All orders'])
    await anna.taps('🔎 Filter: Failed')
    await anna.taps('Done')
    await anna.sees(/1–2 of 2/)
  })

  it('marks favourites and shows them by the filter and by /favourites', async () => {
    const anna = await withTwoOrders()
    await anna.taps('2')
    await anna.taps('⭐ Add to favourites')
    await anna.seesButton('⭐ Unfavourite')
    await anna.taps('‹ To the list')
    await anna.sees(/2\. ⭐ /)
    await anna.taps('🔎 Filter')
    await anna.taps('⭐ Favourites')
    await anna.sees(/, 1 of 1[\s\S]*a fox/)
    const { message_id: asked } = await anna.sends('/favourites')
    await anna.sees(({ message_id, text = '' }) => message_id > asked && /, 1 of 1[\s\S]*a fox/.test(text))
  })

  it('offers all orders when the filter matches none', async () => {
    const anna = await withTwoOrders()
    const { message_id: asked } = await anna.sends('/favourites')
    await anna.sees(({ message_id, text = '' }) => message_id > asked && /^No favourites yet/.test(text))
    await anna.taps('🗂 All orders')
    await anna.sees(({ message_id, text = '' }) => message_id > asked && /1–2 of 2/.test(text))
  })

  it('says that all orders were removed, and shows them under the filter “Removed”', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox')
    await anna.sends('/history')
    await anna.taps('1')
    await anna.taps('🗑 Hide it')
    await anna.sees(/You removed all your orders/)
    await anna.taps('🔎 Filter')
    await anna.taps('Removed')
    await anna.sees(/, 1 of 1[\s\S]*a fox/)
  })

  it('no longer shows a removed order, which can be put back and moves no money', async () => {
    const anna = await withTwoOrders()
    const money = await transfersNow()
    await anna.taps('1')
    await anna.taps('🗑 Hide it')
    await anna.isTold(/Removed from the list/)
    const left = await anna.sees(/, 1 of 1/)
    expect(left.text).not.toContain('a cat')
    expect((await anna.asksInline('')).results.map(({ title }) => title)).toEqual(['a fox'])
    await anna.taps('🔎 Filter')
    await anna.taps('Removed')
    await anna.sees(/, 1 of 1[\s\S]*a cat/)
    await anna.taps('1')
    await anna.taps('↩️ Show it again')
    await anna.isTold(/on the list again/)
    await anna.taps('🔎 Filter: Removed')
    await anna.taps('All')
    await anna.sees(/1–2 of 2/)
    expect(await transfersNow()).toBe(money)
  })

  it('lets only the owner remove an order, and not while it is in progress', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/image a fox')
    const eve = await sandbox.user('Eve')
    await eve.sends('/history')
    const { message_id } = await eve.sees(/nothing here yet/)
    await eve.tapsData(message_id, `hm:${id}:hide:all:0`)
    await eve.isTold(/not yours/)
    const marks = async () =>
      (await sandbox.app.db.select().from(generations).where(eq(generations.id, id)))[0]
    expect(await marks()).toMatchObject({ hiddenAt: null })
    const db = sandbox.app.db
    const settledAt = (await marks())?.settledAt ?? null
    await db.update(generations).set({ settledAt: null }).where(eq(generations.id, id))
    const receipt = await openReceipt(anna)
    expect(labelsOf(receipt)).not.toContain('🗑 Hide it')
    await anna.tapsData(receipt.message_id, `hm:${id}:hide:all:0`)
    await anna.sees(/, 1 of 1/)
    expect(await marks()).toMatchObject({ hiddenAt: null })
    await db.update(generations).set({ settledAt }).where(eq(generations.id, id))
  })
})

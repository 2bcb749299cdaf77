// The payments, refunds, gifts and corrections of a calendar period.

import { afterAll, expect, it } from 'vitest'
import { decimal } from '../../src/money.ts'
import { entriesCsv, entriesOf, sumsOf } from '../../src/operator/accounting.ts'
import { openDesk } from '../support/users/desk.ts'
import { periodOf } from '../support/worlds/operator.ts'

const { sandbox, boss, desk } = await openDesk({ STAR_INCOME: '1.1' })
afterAll(() => desk.close())

it('the table has every movement of money from outside, and its sums are those of the ledger', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/topup 500')
  await anna.taps(/^⭐/)
  await anna.pays(await anna.sees(({ invoice }) => invoice !== undefined))
  await anna.sees(/added/)
  const number = await desk.opens(anna)
  await desk.does(`/debit #${number} 30 a mistake`, /30/, /Taken|Done|taken/i)
  const { db } = sandbox.app
  const perStar = { credit: decimal('115'), income: decimal('110') }
  const period = periodOf('month', new Date(), 'Europe/Moscow')
  const entries = await entriesOf(db, period, [{ id: 'stars', worth: perStar }])
  const byKind = entries.map(({ what, change, charge, income }) => [what, change, charge, income])
  expect(byKind).toContainEqual(['payment', 500_00n, expect.any(BigInt), expect.any(BigInt)])
  expect(byKind).toContainEqual(['correction', -30_00n, null, undefined])
  expect(byKind.filter(([what]) => what === 'promotion').length).toBeGreaterThan(0)
  const [payment] = sumsOf(entries).filter(({ what }) => what === 'payment')
  expect(payment).toMatchObject({ by: 'stars', count: 1, change: 500_00n, currency: 'XTR' })
  expect(entriesCsv(entries, 'Europe/Moscow').split('\r\n')[0]).toContain('time,what,provider,top-up,user')
  await boss.sends('/accounting')
  const { text } = await boss.sees(/💳 stars: 1 payments \(\d+ ⭐\), credited ₽500, income ₽/)
  expect(text).toMatch(/🎁 Welcome credit: \d+, ₽/)
  await boss.sees(({ document }) => document?.file_name?.startsWith('accounting-') === true)
  await boss.sends('/accounting soon')
  await boss.sees(/Write a period after the command/)
})

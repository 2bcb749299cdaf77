// The payments, refunds, gifts and corrections of a calendar period.

import { afterAll, expect, it } from 'vitest'
import { decimal } from '../../src/money.ts'
import { calendarPeriod, entriesCsv, entriesOf, sumsOf } from '../../src/operator/accounting.ts'
import { openDesk } from '../support/users/desk.ts'

it('a period is a year, a month, a day or a range of them, in the time zone', () => {
  const now = new Date('2026-11-27T21:30:00Z')
  const daysOf = (words: string) => {
    const found = calendarPeriod(words, now, 'Europe/Moscow')
    return found && [found.firstDay, found.lastDay]
  }
  expect(
    ['', '2026', '2026-02', '2024-02', '2026-10-05', '2026-10-31..2026-11', '2025..2026-01-02'].map(daysOf),
  ).toEqual([
    ['2026-11-01', '2026-11-30'],
    ['2026-01-01', '2026-12-31'],
    ['2026-02-01', '2026-02-28'],
    ['2024-02-01', '2024-02-29'],
    ['2026-10-05', '2026-10-05'],
    ['2026-10-31', '2026-11-30'],
    ['2025-01-01', '2026-01-02'],
  ])
  const wrong = ['2026-13', '2026-02-30', '2026-1', 'october', '2026-11..2026-10', '2026..2026..2026', '1999']
  expect(wrong.map(daysOf)).toEqual(wrong.map(() => undefined))
  expect(calendarPeriod('2026-10', now, 'Europe/Moscow')).toMatchObject({
    since: new Date('2026-09-30T21:00:00Z'),
    until: new Date('2026-10-31T21:00:00Z'),
  })
})

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
  const period = calendarPeriod('', new Date(), 'Europe/Moscow')
  if (!period) throw new Error('the present month is a period')
  const entries = await entriesOf(db, period, [{ id: 'stars', worth: perStar }])
  const byKind = entries.map(({ what, change, charge, income }) => [what, change, charge, income])
  expect(byKind).toContainEqual(['payment', 500_00n, expect.any(BigInt), expect.any(BigInt)])
  expect(byKind).toContainEqual(['correction', -30_00n, undefined, undefined])
  expect(byKind.filter(([what]) => what === 'promotion').length).toBeGreaterThan(0)
  const [payment] = sumsOf(entries).filter(({ what }) => what === 'payment')
  expect(payment).toMatchObject({ name: 'stars', count: 1, change: 500_00n })
  expect(entriesCsv(entries, 'Europe/Moscow').split('\r\n')[0]).toContain('time,what,provider,top-up,user')
  await boss.sends('/accounting')
  const sent = await boss.sees(({ document }) => document?.file_name?.startsWith('accounting-') === true)
  expect(sent.caption).toMatch(/💳 stars: 1 payments, credited ₽500, income ₽/)
  await boss.sends('/accounting soon')
  await boss.sees(/Write a month, a year/)
})

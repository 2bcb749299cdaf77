// Reports of the desk for a period: where users come from, and the accounting, as texts and as tables.

import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { decimal } from '../../src/money.ts'
import { entriesCsv, entriesOf, sumsOf } from '../../src/operator/accounting.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { bossId, openDesk } from '../support/users/desk.ts'
import { order } from '../support/users/order.ts'
import { createUser, type SandboxMessage } from '../support/users/user.ts'
import { periodOf, terminal } from '../support/worlds/operator.ts'

const aideId = 900_002
const env = { ADMIN_IDS: `${bossId},${aideId}`, STAR_INCOME: '1.1' }
const { sandbox, boss, desk } = await openDesk(env)
afterAll(() => desk.close())

const arrives = (first_name: string) => createUser(sandbox.url, { first_name, language_code: 'en' })
const zone = 'Europe/Moscow'
const isTable =
  (name: string) =>
  ({ document }: SandboxMessage) =>
    document?.file_name?.startsWith(name) === true
const anna = await arrives('Anna')
const aide = await createUser(sandbox.url, { first_name: 'Aide', language_code: 'ru', id: aideId })

it('a link of a source tells what the people who came by it first have done', async () => {
  await boss.asks('/sources my blog', /Write \/sources and a period/)
  await boss.asks('/sources blog-1', /\?start=src_blog-1/)
  await anna.asks('/start src_blog-1', /Anna/)
  await anna.sends('/start src_other')
  await order(sandbox, anna, '/image a fox')
  await (await arrives('Boris')).asks('/start src_blog-1', /Boris/)
  await (await arrives('Clara')).asks('/start src_not a name', /Clara/)
  const { text = '' } = await boss.asks('/sources 7', /Where people come from/)
  expect(text).toContain(
    'blog-1: 2 came, 1 ordered, 0 paid · top-ups ₽0 · revenue ₽5.28, of it from newcomers ₽5.28 (refunds ₽0) · margin ₽0',
  )
  expect(text).toContain('direct: 2 came, 0 ordered, 0 paid')
  expect(text).not.toContain('other')
  await boss.sends('/sources csv')
  await boss.sees(isTable('sources-20'))
  const { db } = sandbox.app
  expect(
    await runCommand(terminal({ db, clock: systemClock, ids: randomIds }), ['sources', '7', '--csv']),
  ).toEqual({
    code: 0,
    lines: [
      '\uFEFFby,name,came,ordered,paid,top-ups,revenue from newcomers,done,failed,sales,refunds,revenue,cost,margin before commissions',
      'source,blog-1,2,1,0,0.00,5.28,,,5.28,0.00,5.28,5.28,0.00',
      'source,direct,2,0,0,0.00,0.00,,,0.00,0.00,0.00,0.00,0.00',
    ],
  })
  await aide.asks('/sources blog-2', /Ссылка источника[\s\S]*\?start=src_blog-2/)
  await aide.asks('/sources 7', /blog-1: пришло 2, заказали 1, заплатили 0 · пополнения 0 ₽ · выручка 5,28 ₽/)
})

it('the accounting has every movement of money from outside, and the income of Stars', async () => {
  await anna.opens('/topup 500', /^⭐/)
  await anna.pays(await anna.sees(({ invoice }) => invoice !== undefined))
  await anna.sees(/added/)
  await desk.does(`/debit ${anna.id} 30 a mistake`, /30/, /taken/)
  const worth = { credit: decimal('115'), income: decimal('110') }
  const period = periodOf('month', new Date(), zone)
  const entries = await entriesOf(sandbox.app.db, period, [{ id: 'stars', worth }])
  const money = entries.filter(({ what }) => what !== 'promotion')
  expect(money.map(({ what, change, charge, income }) => [what, change, charge, income])).toEqual([
    ['payment', 500_00n, expect.any(BigInt), expect.any(BigInt)],
    ['correction', -30_00n, null, undefined],
  ])
  const payments = sumsOf(entries).filter(({ what }) => what === 'payment')
  expect(payments).toMatchObject([{ by: 'stars', count: 1, change: 500_00n, currency: 'XTR' }])
  expect(entriesCsv(entries, zone).split('\r\n')[0]).toContain('time,what,provider,top-up,user')
  const stars = /🎁 Welcome credit: 5, ₽[\s\S]*💳 stars: 1 payments \(\d+ ⭐\), credited ₽500, income ₽458.70/
  const said = await boss.asks('/accounting', stars)
  await boss.seesBelow(said, isTable('accounting-'))
  await boss.asks('/accounting soon', /Write a period after the command/)
  await aide.asks('/accounting', /🎁 Приветственные бонусы: 5, 2 500 ₽/)
})

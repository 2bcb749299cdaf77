// /delete_me names the payments that are not made yet; a payment that is being made delays the deletion.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { topUps } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { TOPUP_ROUBLES_PER_STAR: '1', SUPPORT_CONTACT: '@help' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

describe.each([
  [
    'en',
    /One invoice is not paid: ₽300\.00\. After the deletion/,
    /invoice was made for someone else|no longer|does not exist/i,
    /^A payment of yours/,
  ],
  ['ru', /Не оплачено счетов: 1 \(300,00 ₽\)\. После удаления/, /./, /^У вас есть неоконченный платёж/],
] as const)('in %s', (language, warned, refused, paying) => {
  it('unpaid invoices are named before the deletion, and cannot be paid after it', async () => {
    const anna = await sandbox.user('Anna', language)
    await anna.sends('/topup 300')
    await anna.taps(/Stars|Звёзды/)
    const invoice = await anna.sees((message) => message.invoice !== undefined)
    await anna.sends('/delete_me')
    await anna.sees(warned)
    await anna.taps(/Continue|Продолжить/)
    await anna.taps(/Yes, delete for good|Да, удалить навсегда/)
    await anna.sees(/Your data is deleted|Ваши данные удалены/)
    const paid = await anna.pays(invoice)
    expect(paid).toMatchObject({ ok: false, error: expect.stringMatching(refused) })
  })

  it('an open payment at YooKassa delays the deletion; when it is cancelled there, the user is told and can delete', async () => {
    const boris = await sandbox.user('Boris', language)
    await boris.sends('/topup 200')
    await boris.taps(/YooKassa|ЮKassa/)
    await boris.seesButton(/^(Pay|Оплатить) /)
    await boris.sends('/delete_me')
    const told = await boris.sees(paying)
    expect(told.text).toMatch(/200[.,]00[^\n]*(at the latest|не позже) \d\d[./]\d\d/)
    const [topUp] = (await sandbox.app.db.select().from(topUps)).filter(({ nextCheckAt }) => nextCheckAt)
    await sandbox.post(`/api/yookassa/payments/${topUp?.externalId}`, { action: 'cancel' })
    await boris.sees(/did not go through|не прошёл/)
    await boris.sends('/delete_me')
    await boris.sees(/Deleting your data|Удаление данных/)
  })
})

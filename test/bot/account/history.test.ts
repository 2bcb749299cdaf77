// /history: the user's orders, their states, and “Send again”. Taps of other users on them are refused.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, reports } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, textOf } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2000' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

describe.each([
  [
    'ru',
    /пока пусто/,
    /1–5 из 6[\s\S]*1\. .*· 5,28 ₽\nлиса 6\n.*✅ готово/,
    /6 из 6[\s\S]*6\. [\s\S]*лиса 1/,
  ],
  [
    'en',
    /nothing here yet/,
    /1–5 of 6[\s\S]*1\. .*· ₽5.28\nлиса 6\n.*✅ done/,
    /6 of 6[\s\S]*6\. [\s\S]*лиса 1/,
  ],
] as const)('the list in %s', (language, empty, first, second) => {
  it('lists the newest orders first, page by page', async () => {
    const anna = await sandbox.user('Anna', language)
    await anna.sends('/history')
    await anna.sees(empty)
    for (let at = 1; at <= 6; at += 1) await order(sandbox, anna, `/image лиса ${at}`)
    await anna.sends('/history')
    const list = await anna.sees(first)
    expect(labelsOf(list).slice(0, 6)).toEqual(['1', '2', '3', '4', '5', '›'])
    await anna.taps('›')
    expect(labelsOf(await anna.sees(second)).slice(0, 2)).toEqual(['6', '‹'])
    await anna.taps('6')
    await anna.sees(/🧾[\s\S]*лиса 1/)
    await anna.taps(/^‹ /)
    await anna.sees(second)
    await anna.taps('‹')
    await anna.sees(first)
  })
})

describe('a receipt', () => {
  it.each([
    [
      'ru',
      /Квитанция/,
      /Цена: 92,45 ₽ \(5 с × 18,49 ₽\)/,
      /\(5 с × 18,49 ₽\)\nСписано: 92,45 ₽/,
      /Заказ: .* МСК\nГотово: .*\n(Доставлено: .*\n)?Номер у сервиса: \S+/,
    ],
    [
      'en',
      /Receipt/,
      /Price: ₽92.45 \(5 s × ₽18.49\)/,
      /\(5 s × ₽18.49\)\nCharged: ₽92.45/,
      /Ordered: .* Moscow time\nDone: .*\n(Delivered: .*\n)?Number at the service: \S+/,
    ],
  ] as const)('says what was paid for what, in %s', async (language, ...parts) => {
    const anna = await sandbox.user('Anna', language)
    const id = await order(sandbox, anna, '/video a cat surfing')
    const text = textOf(await openReceipt(anna))
    for (const part of parts) expect(text).toMatch(part)
    const [generation] = await sandbox.app.db.select().from(generations).where(eq(generations.id, id))
    expect(text).toContain(id)
    expect(text).toContain(generation?.taskId)
    expect(text).toContain('a cat surfing')
  })

  it('gives the reason of a failure and the returned money, and has no button to send a result', async () => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the cat is wet' })
    await anna.sends('/video a wet cat')
    await anna.taps(/^Generate/)
    await anna.sees(/Something went wrong/)
    const receipt = await openReceipt(anna)
    expect(receipt.text).toMatch(/❌ failed[\s\S]*Charged: ₽0.00\nReturned from the amount set aside: ₽92.45/)
    expect(labelsOf(receipt)).toEqual([
      expect.stringMatching(/^🔁 Again · /),
      '✏️ Change',
      '⭐ Add to favourites',
      '🗑 Hide it',
      '‹ To the list',
    ])
  })
})

describe('other users', () => {
  it('get no data by forged taps', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/image a secret fox')
    const [ordered] = await sandbox.app.db.select().from(generations).where(eq(generations.id, id))
    const owner = ordered?.userId.toString(36)
    for (const data of [`h:0:${owner}`, `hg:${id}:0`, `hs:${id}`, `hr:${id}`, `o:${id}`, `r:${id}`]) {
      const eve = await sandbox.user('Eve')
      await eve.sends('/history')
      const { message_id } = await eve.sees(/nothing here yet/)
      await eve.tapsData(message_id, data)
      await eve.isTold(/not yours/)
      expect([data, (await eve.chat()).length]).toEqual([data, 2])
    }
    expect(await sandbox.app.db.select().from(reports)).toEqual([])
  })

  it('in a group see the orders made there, and only the owner of an order can open its receipt', async () => {
    const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
    const { id } = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'We',
      members: [anna.id, boris.id],
    })
    await order(sandbox, anna, '/image something private')
    await order(sandbox, anna.in(id), '/image something for all')
    await order(sandbox, boris.in(id), '/image of boris')
    await anna.in(id).sends('/history')
    const list = await anna.in(id).sees(/Your orders, 1 of 1[\s\S]*something for all/)
    await boris.in(id).taps('1')
    await boris.in(id).isTold(/not yours/)
    await anna.in(id).taps('1')
    await anna.in(id).sees((message) => message.message_id === list.message_id && /🧾/.test(textOf(message)))
    await boris.in(id).taps(/Send again/)
    await boris.in(id).isTold(/not yours/)
  })
})

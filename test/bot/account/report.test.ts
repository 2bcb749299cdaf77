// Problem reports: one question, one report for each generation, sent to the operators at once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, reports } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { fileReport } from '../../../src/operator/reports.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxUser, textOf } from '../../support/users/user.ts'
import { createWorld, order as orderOne, userWith } from '../../support/worlds/generations.ts'

describe('a report', () => {
  let sandbox: TestSandbox
  let operator: SandboxUser
  beforeAll(async () => {
    // The second operator has never written to the bot; the first one still gets the report.
    sandbox = await openSandbox('postgres', { ADMIN_IDS: '777001,777002', WELCOME_CREDIT: '500' })
    operator = await createUser(sandbox.url, { id: 777001, first_name: 'Olga', language_code: 'ru' })
    await operator.sends('/start')
    await operator.sees(/Здравствуйте/)
  })
  afterAll(async () => {
    expect(await audit(sandbox.app.db)).toEqual([])
    await sandbox.stop()
  })

  it.each([
    [
      'ru',
      /Сообщить о проблеме/,
      /Что не так/,
      /от 1 до 1.000 знаков, а пришло 1.001/,
      /Отправлено оператору/,
      /Вы сообщили о проблеме, оператор/,
    ],
    [
      'en',
      /Report a problem/,
      /What is wrong/,
      /1 to 1,000 characters; this one has 1,001/,
      /Sent to the operator/,
      /You reported a problem; the operator is looking/,
    ],
  ] as const)(
    'is asked for, sent and confirmed, in %s',
    async (language, button, question, again, sent, seen) => {
      const anna = await sandbox.user('Anna', language)
      await order(sandbox, anna, '/image a fox')
      await openReceipt(anna)
      await anna.taps(button)
      await anna.taps(/^✏️ (Своими словами|In my own words)/)
      await anna.sees(question)
      await anna.sends('x'.repeat(1001))
      await anna.sees(again)
      const said = `three <tails>, ${language}`
      await anna.sends(said)
      await anna.sees(sent)
      const told = await operator.sees(said)
      expect(told.text).toMatch(/Проблема с результатом[\s\S]*Квитанция[\s\S]*a fox[\s\S]*Списано: 5,28 ₽/)
      const [refund, decline] = told.reply_markup?.inline_keyboard?.flat() ?? []
      const [filed] = (await sandbox.app.db.select().from(reports)).filter((one) => one.said === said)
      expect(refund).toEqual({ text: '💸 Вернуть 5,28 ₽', callback_data: `pr:${filed?.id}` })
      expect(decline).toEqual({ text: 'Отклонить', callback_data: `pd:${filed?.id}` })
      const receipt = await openReceipt(anna)
      expect(textOf(receipt)).toMatch(seen)
      expect(labelsOf(receipt).join()).not.toMatch(button)
    },
  )

  it('is refunded after the operator confirms with Yes, and the receipt says so', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    await anna.taps(/Report a problem/)
    await anna.taps(/In my own words/)
    await anna.sends('it is a wolf')
    await operator.sees('it is a wolf')
    await operator.taps('💸 Вернуть 5,28 ₽')
    await operator.taps('✅ Да')
    await anna.sees(/₽5.28.*(back|returned|refund)/i)
    await anna.sends('/balance')
    await anna.sees(/Balance: ₽500.00/)
    const text = textOf(await openReceipt(anna))
    expect(text).toMatch(/↩️ refunded[\s\S]*Refunded: ₽5.28[\s\S]*got a refund/)
    await anna.sends('/statement')
    await anna.sees(/Refund of an order · .*\+₽5.28 → ₽500.00/)
  })

  it('can be cancelled by the button of its question and by /cancel', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    await anna.taps(/Report a problem/)
    await anna.taps(/In my own words/)
    await anna.taps('✖ Cancel')
    await anna.isTold(/Question cancelled/)
    await openReceipt(anna)
    await anna.taps(/Report a problem/)
    await anna.taps(/In my own words/)
    const before = (await sandbox.app.db.select().from(reports)).length
    await anna.sends('/cancel')
    await anna.sees(/^Closed the question\.$/)
    expect((await sandbox.app.db.select().from(reports)).length).toBe(before)
  })

  it('from a group is asked for in the group, and only the owner of the order answers', async () => {
    const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
    const { id } = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'We',
      members: [anna.id, boris.id],
    })
    await order(sandbox, anna.in(id), '/image a fox')
    await openReceipt(anna.in(id))
    await boris.in(id).taps(/Report a problem/)
    await boris.in(id).isTold(/not yours/)
    await anna.in(id).taps(/Report a problem/)
    await anna.in(id).taps(/In my own words/)
    const { message_id } = await anna.in(id).sees(/What is wrong/)
    await boris.in(id).sends('it is fine', { reply_to: message_id })
    await anna.in(id).sends('no, it is not', { reply_to: message_id })
    await anna.in(id).sees(/Sent to the operator/)
    await operator.sees('no, it is not')
  })
})

describe('a problem below a result', () => {
  it('is reported with a ready-made reason; the operator sees the result, the whole prompt and the user, also at the desk, and refunds', async () => {
    const sandbox = await openSandbox('postgres', { ADMIN_IDS: '777001', WELCOME_CREDIT: '500' })
    const operator = await createUser(sandbox.url, { id: 777001, first_name: 'Olga', language_code: 'en' })
    await operator.sends('/start')
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, `/image a <b>fox</b> ${'in the snow '.repeat(40)}at night`)
    await anna.taps('⚠️ Problem')
    await anna.taps('Poor quality')
    await anna.isTold(/Sent to the operator/)
    const report = /Anna[\s\S]*Poor quality[\s\S]*Design\na <b>fox<\/b>[\s\S]*at night[\s\S]*₽5\.28/
    const told = await operator.sees(report)
    const [, photo] = (await operator.chat()).toReversed()
    expect(photo?.photo).toBeDefined()
    expect(photo?.caption).toBeUndefined()
    const result = (await anna.chat()).find((message) => message.photo !== undefined)
    expect(result && labelsOf(result)).toContain('⚠️ Problem')
    await anna.taps('⚠️ Problem')
    await anna.isTold(/reported before|has been reported|already/i)
    await operator.sends('/admin')
    await operator.taps(/Reports: 1/)
    await operator.sees((message) => message.message_id > told.message_id && report.test(textOf(message)))
    await operator.taps('↩️ Refund')
    await operator.taps('✅ Yes')
    await anna.sees(/₽5.28.*(back|returned|refund)/i)
    expect(await audit(sandbox.app.db)).toEqual([])
    await sandbox.stop()
  })
})

describe('fileReport', () => {
  it('accepts one report on a succeeded paid generation from its owner', async () => {
    const world = await createWorld('postgres')
    const { deps } = world
    const [anna, boris] = [await userWith(world, 500_00n), await userWith(world, 0n)]
    const { id: generationId } = await orderOne(world, anna)
    const file = (userId: bigint) => fileReport(deps, { generationId, userId, said: 'bad' })
    expect(await file(anna.id)).toBeUndefined()
    await deps.db.update(generations).set({ state: 'succeeded', captured: 1n })
    expect(await file(boris.id)).toBeUndefined()
    const filed = await Promise.all(Array.from({ length: 5 }, () => file(anna.id)))
    expect(filed.filter((one) => one !== undefined)).toHaveLength(1)
    expect(await deps.db.select().from(reports)).toMatchObject([
      { userId: anna.id, said: 'bad', state: 'open' },
    ])
    await world.close()
  })
})

// Problem reports: one question, one report for each generation, sent to the operators at once.

import { eq } from 'drizzle-orm'
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
    operator = await createUser(sandbox.url, { id: 777001, first_name: 'Olga', language_code: 'en' })
    await operator.asks('/start', /Hello/)
  })
  afterAll(async () => {
    expect(await audit(sandbox.app.db)).toEqual([])
    await sandbox.stop()
  })

  it('is asked for, sent in the language of the operator, confirmed and refunded, and the receipt says so', async () => {
    // The label of the button is cut at the emoji, which must not be split into its surrogates.
    const anna = await sandbox.user(`${'x'.repeat(39)}😀 Анна`, 'ru')
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    await anna.tapsFor([/Сообщить о проблеме/, /^✏️ Своими словами/], /Что не так/)
    await anna.asks('x'.repeat(1001), /от 1 до 1.000 знаков, а здесь 1.001/)
    const said = 'three <tails>'
    await anna.asks(said, /передал человеку/)
    const told = await operator.sees(said)
    expect(told.text).toMatch(/A problem with a result[\s\S]*Picture · [\s\S]*a fox[\s\S]*Charged: ₽5.28/)
    for (const label of labelsOf(told)) expect(label.isWellFormed()).toBe(true)
    const [refund, decline] = told.reply_markup?.inline_keyboard?.flat() ?? []
    const [filed] = await sandbox.app.db.select().from(reports).where(eq(reports.said, said))
    expect(refund).toEqual({ text: '💸 Refund ₽5.28', callback_data: `pr:${filed?.id}` })
    expect(decline).toEqual({ text: '✖ Decline', callback_data: `pd:${filed?.id}` })
    const receipt = await openReceipt(anna)
    expect(textOf(receipt)).toMatch(/Вы сообщили о проблеме, мы разбираемся/)
    expect(labelsOf(receipt).join()).not.toMatch(/Сообщить о проблеме/)
    await operator.tapsAll('💸 Refund ₽5.28', '✅ Yes')
    await anna.sees(/5,28 ₽ вернулись/)
    await anna.asks('/balance', /Баланс: 500 ₽/)
    expect(textOf(await openReceipt(anna))).toMatch(/↩️[\s\S]*Возвращено: 5,28 ₽/)
    await anna.asks('/statement', /Возврат за заказ · .*\+5,28 ₽ → 500,00 ₽/)
  })

  it('with a ready-made reason shows the operator the result, the whole prompt and the user, also at the desk', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, `/image a <b>fox</b> ${'in the snow '.repeat(40)}at night`)
    await anna.tapsAll(/^⋯/, '⚠️ Problem', 'Poor quality')
    await anna.isTold(/Thank you, I’ve passed it on/)
    const report = /Anna[\s\S]*Poor quality[\s\S]*Design · [^\n]+\na <b>fox<\/b>[\s\S]*at night[\s\S]*₽5\.28/
    const told = await operator.sees(report)
    const [, photo] = (await operator.chat()).toReversed()
    expect(photo?.photo).toBeDefined()
    expect(photo?.caption).toBeUndefined()
    const result = (await anna.chat()).find((message) => message.photo !== undefined)
    expect(result && labelsOf(result)).toContain('⋯ More')
    await anna.tapsAll(/^⋯/, '⚠️ Problem')
    await anna.isTold(/reported before|has been reported|already/i)
    await operator.opens('/admin', /Reports: \d/)
    await operator.seesBelow(told, report)
  })
})

it('fileReport() accepts one report on a succeeded paid generation from its owner', async () => {
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

// What users tell the operators: problem reports, one for each generation; and what operators give them: ideas. The link below a shared
// result.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, reports, users } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { fileReport } from '../../../src/operator/reports.ts'
import { findByTelegram } from '../../../src/users/user.ts'
import { openDesk } from '../../support/users/desk.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { ordered } from '../../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import {
  createUser,
  labelsOf,
  type SandboxMessage,
  type SandboxUser,
  textOf,
} from '../../support/users/user.ts'
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

const { sandbox, boss, desk } = await openDesk()
afterAll(() => desk.close())
const { db } = sandbox.app

const hasPhoto = ({ photo }: SandboxMessage) => photo !== undefined
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))

/** A person whom the bot does not know yet. */
const arrives = (first_name: string) => createUser(sandbox.url, { first_name, language_code: 'en' })

const referrerOf = async ({ id }: SandboxUser) =>
  (await db.select().from(users).where(eq(users.telegramId, id)))[0]?.referrerId

async function makesPicture(user: SandboxUser, prompt: string): Promise<string> {
  await user.opens(`/image ${prompt}`, /^Generate/)
  await user.sees(hasPhoto)
  const { id = 0n } = (await findByTelegram(db, user.id)) ?? {}
  const [made] = await db.select().from(generations).where(eq(generations.userId, id))
  return made?.id ?? ''
}

it('an idea opens its card, and the kinds have pages', async () => {
  const anna = await sandbox.user('Anna')
  await anna.asks('/ideas', /^💡 Ideas · 🖼 Picture/)
  const { text = '' } = await anna.tapsFor(['🎬 Video', '🏄 Surfing cat'], isCard)
  expect(text).toContain('A ginger cat surfs a wave at sunset')
  const boris = await sandbox.user('Boris', 'ru')
  await boris.opens('/ideas', '🦊 Лиса в тумане')
  await boris.sees(/Рыжая лиса в утреннем осеннем лесу/)
})

it('the link of a shared result opens its prompt and settings, and invites; without sharing it opens nothing', async () => {
  const clara = await sandbox.user('Clara')
  const id = await makesPicture(clara, 'an owl in a library')
  const dora = await arrives('Dora')
  await dora.asks(`/start p_${id}`, /Dora!/)
  expect((await dora.chat()).filter(isCard)).toEqual([])
  const copy = await clara.tapsFor(
    ['⋯ More', '📤 Share'],
    ({ caption }) => caption?.includes('make one like this') === true,
  )
  expect(copy.caption_entities).toContainEqual(
    expect.objectContaining({ type: 'text_link', url: expect.stringMatching(`\\?start=p_${id}$`) }),
  )
  const emil = await arrives('Emil')
  await emil.asks(`/start p_${id}`, /Here is a card just like it/)
  await emil.sees((message) => isCard(message) && message.text?.includes('an owl in a library') === true)
  await emil.tapsFor(/^Generate/, hasPhoto)
  const [first, second] = (await ordered(sandbox)).slice(-2)
  expect(second).toEqual(first)
  const referrers = await Promise.all([emil, dora].map(referrerOf))
  expect(referrers).toEqual([(await findByTelegram(db, clara.id))?.id, null])
})

it('an operator makes an own result an idea for everybody, and takes it back', async () => {
  const id = await makesPicture(boss, 'a lighthouse in a storm')
  await boss.tapsAll('⋯ More', '💡 Add to ideas')
  const fred = await sandbox.user('Fred')
  await fred.opens('/ideas', '👀 a lighthouse in a storm')
  await fred.sees((message) => hasPhoto(message) && labelsOf(message).includes('✨ Make one like this'))
  await fred.tapsFor(
    '✨ Make one like this',
    (message) => isCard(message) && message.text?.includes('a lighthouse in a storm') === true,
  )
  await boss.tapsAll('‹ Back', '⋯ More', '💡 Remove from ideas')
  await boss.isTold('Removed from /ideas')
  await fred.asks('/ideas', (message) => labelsOf(message).includes('🦊 Fox in the mist'))
  const [made] = await db.select().from(generations).where(eq(generations.id, id))
  expect(made?.ideaAt).toBeNull()
})

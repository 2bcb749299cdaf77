// What users tell the operators: problem reports, one for each generation; and what operators give them: ideas. The link below a shared
// result.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generations, reports, users } from '../../../src/db/schema.ts'
import { fileReport } from '../../../src/operator/reports.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { findByTelegram } from '../../../src/users/user.ts'
import { bossId, openDesk } from '../../support/users/desk.ts'
import { newGroup } from '../../support/users/group.ts'
import { openReceipt, order, turnsIn } from '../../support/users/order.ts'
import { ordered } from '../../support/users/pictures.ts'
import {
  createUser,
  labelsOf,
  type SandboxMessage,
  type SandboxUser,
  textOf,
} from '../../support/users/user.ts'

// The second operator has never written to the bot; the first one still gets the reports.
const { sandbox, boss, desk } = await openDesk({ ADMIN_IDS: `${bossId},777002` })
beforeAll(() => boss.asks('/start', /Hello/))
afterAll(() => desk.close())
const { db } = sandbox.app

/** A person whom the bot does not know yet. */
const arrives = (first_name: string) => createUser(sandbox.url, { first_name, language_code: 'en' })

describe('a report', () => {
  it('is asked for, sent in the language of the operator, confirmed and refunded, and the receipt says so', async () => {
    // The label of the button is cut at the emoji, which must not be split into its surrogates.
    const anna = await sandbox.user(`${'x'.repeat(39)}😀 Анна`, 'ru')
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    await anna.tapsFor([/Сообщить о проблеме/, /^✏️ Своими словами/], /Что не так/)
    await anna.asks('x'.repeat(1001), /от 1 до 1.000 знаков, а здесь 1.001/)
    const said = 'three <tails>'
    await anna.asks(said, /передал человеку/)
    const told = await boss.sees(said)
    expect(told.text).toMatch(/A problem with a result[\s\S]*Picture · [\s\S]*a fox[\s\S]*Charged: ₽5.28/)
    for (const label of labelsOf(told)) expect(label.isWellFormed()).toBe(true)
    const [refund, decline] = told.reply_markup?.inline_keyboard?.flat() ?? []
    const [filed] = await sandbox.app.db.select().from(reports).where(eq(reports.said, said))
    expect(refund).toEqual({ text: '💸 Refund ₽5.28', callback_data: `pr:${filed?.id}` })
    expect(decline).toEqual({ text: '✖ Decline', callback_data: `pd:${filed?.id}` })
    const receipt = await openReceipt(anna)
    expect(textOf(receipt)).toMatch(/Вы сообщили о проблеме, мы разбираемся/)
    expect(labelsOf(receipt).join()).not.toMatch(/Сообщить о проблеме/)
    await boss.tapsAll('💸 Refund ₽5.28', '✅ Yes')
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
    const told = await boss.sees(report)
    const [, photo] = (await boss.chat()).toReversed()
    expect(photo?.photo).toBeDefined()
    expect(photo?.caption).toBeUndefined()
    const result = (await anna.chat()).find((message) => message.photo !== undefined)
    expect(result && labelsOf(result)).toContain('⋯ More')
    await anna.tapsAll(/^⋯/, '⚠️ Problem')
    await anna.isTold(/reported before|has been reported|already/i)
    await boss.opens('/admin', /Reports: \d/)
    await boss.seesBelow(told, report)
  })

  it('typed beside the reasons below a receipt reaches the operator in its words, free', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    await anna.hears(/Report a problem/, /or just write it/)
    await anna.asks('the fox has five legs', /Thank you, I’ve passed it on/)
    await boss.sees('the fox has five legs')
    expect(await turnsIn(sandbox, anna)).toEqual([])
    await anna.sends('thank you')
    await expect.poll(() => turnsIn(sandbox, anna)).toHaveLength(1)
  })

  it('typed in a group is a reply of the person who ordered; other words there are for nobody', async () => {
    const { anna, boris } = await newGroup(sandbox, { open: true })
    await order(sandbox, anna, '/image a fox')
    await anna.tapsAll(/^⋯/, '⚠️ Problem')
    await anna.isTold(/or just write it/)
    const { message_id: reply_to } = await anna.seesButton(/In my own words/)
    await anna.sends('Boris, look at this')
    await boris.sends('five legs?')
    await anna.asks('it has six legs', /Thank you, I’ve passed it on/, { reply_to })
    await boss.sees('it has six legs')
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('is one on a succeeded paid generation, from its owner', async () => {
    const [anna, boris] = [await arrives('Anna'), await arrives('Boris')]
    const generationId = await order(sandbox, anna, '/image a fox')
    await boris.asks('/start', /Hello/)
    const [owner, other] = [await findByTelegram(db, anna.id), await findByTelegram(db, boris.id)]
    const file = (userId = 0n) =>
      fileReport({ db, ids: randomIds, clock: systemClock }, { generationId, userId, said: 'bad' })
    const isIt = eq(generations.id, generationId)
    await db.update(generations).set({ state: 'failed' }).where(isIt)
    expect(await file(owner?.id)).toBeUndefined()
    await db.update(generations).set({ state: 'succeeded' }).where(isIt)
    expect(await file(other?.id)).toBeUndefined()
    const filed = await Promise.all(Array.from({ length: 5 }, () => file(owner?.id)))
    expect(filed.filter((one) => one !== undefined)).toHaveLength(1)
    const stored = await db.select().from(reports).where(eq(reports.generationId, generationId))
    expect(stored).toMatchObject([{ userId: owner?.id, said: 'bad', state: 'open' }])
  })
})

const hasPhoto = ({ photo }: SandboxMessage) => photo !== undefined
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))

const referrerOf = async ({ id }: SandboxUser) =>
  (await db.select().from(users).where(eq(users.telegramId, id)))[0]?.referrerId

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
  const id = await order(sandbox, clara, '/image an owl in a library')
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
  const id = await order(sandbox, boss, '/image a lighthouse in a storm')
  await boss.tapsAll('⋯ More', '💡 Add to ideas')
  const ideaAt = async () => (await db.select().from(generations).where(eq(generations.id, id)))[0]?.ideaAt
  await expect.poll(ideaAt).toBeInstanceOf(Date)
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
  expect(await ideaAt()).toBeNull()
})

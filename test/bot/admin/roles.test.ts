// What support may do at the desk and what only operators without limits may, and what both write to single people and are asked by them.

import { and, desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageNotes, operatorActions } from '../../../src/db/schema.ts'
import { wire } from '../../support/telegram/tap-data.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { order } from '../../support/users/order.ts'
import { jpeg } from '../../support/users/pictures.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const samId = 900_003
let sandbox: TestSandbox
let boss: SandboxUser
let sam: SandboxUser
let desk: Desk
beforeAll(async () => {
  const env = { SUPPORT_IDS: `${samId},${bossId}`, SUPPORT_REFUND_LIMIT: '15', TOPUP_ROUBLES_PER_STAR: '1' }
  ;({ sandbox, boss, desk } = await openDesk(env))
  sam = await createUser(sandbox.url, { first_name: 'Sam', language_code: 'ru', id: samId })
})
afterAll(() => desk.close())

const noRight = /роль этого не позволяет/
const opens = async (user: SandboxUser) => sam.asks(`/user ${user.id}`, /Номер: #\d+/)
const isYes = '✅ Да'

describe('support', () => {
  it('sees at the desk only what it may do, also in the command menu; who is in both lists may everything', async () => {
    const shown = await sam.asks('/admin', /Поддержка[\s\S]*вернуть ещё 15 ₽/)
    expect(labelsOf(shown)).toEqual(['🔎 Найти', expect.stringMatching(/Жалобы/)])
    const anna = await desk.newUser('Anna')
    await anna.opens('/topup 100', /Stars/)
    await anna.pays(await anna.sees(({ invoice }) => invoice !== undefined))
    await anna.sees('₽100 added')
    expect(labelsOf(await opens(anna))).toEqual(['🖼 Заказы', '💳 Платежи', '💬 Написать'])
    expect(labelsOf(await sam.tapsFor('💳 Платежи', /stars · 100 ₽/))).toEqual([])
    const menu = await sandbox.get(`/api/commands?chat_id=${samId}&language_code=ru`)
    expect(JSON.stringify(menu)).toMatch(/"admin".*"user"/)
    expect(JSON.stringify(menu)).not.toMatch(/broadcast|accounting|promo_add|sources/)
    await desk.opens(anna)
    await boss.seesButton('🚫 Ban')
  })

  it('is refused in words every command, button, question and Yes of the others', async () => {
    const bert = await desk.newUser('Bert')
    const { message_id } = await opens(bert)
    const commands = 'grant debit ban refund_payment promo_add broadcast accounting'
    for (const command of commands.split(' ')) await sam.asks(`/${command} ${bert.id} 5 words`, noRight)
    const { figures, actionLog, askCommand, refundPayment } = wire
    const { stepBroadcast, setSwitch, sellText, stopText } = wire
    const ofMoney = [figures, actionLog, askCommand, refundPayment]
    const forbidden = [...ofMoney, stepBroadcast, setSwitch, sellText, stopText]
    for (const data of forbidden) await sam.tapsData(message_id, data)
    await expect
      .poll(async () => (await sam.answers()).filter((text) => noRight.test(JSON.stringify(text))))
      .toHaveLength(forbidden.length)
    // As for an operator who was taken out of ADMIN_IDS after the question.
    const { kind, about } = messageNotes
    const isMessage = (one: string) => and(eq(kind, one), sql`${about} ->> 'verb' = 'message'`)
    const grant = { about: sql`jsonb_set(${about}, '{verb}', '"grant"')` }
    const becomes = (one: string) =>
      expect
        .poll(() => sandbox.app.db.update(messageNotes).set(grant).where(isMessage(one)).returning())
        .toHaveLength(1)
    await sam.asks(`/message ${bert.id}`, /Что написать/)
    await becomes('command-question')
    await sam.asks('5 for patience', noRight)
    await sam.asks(`/message ${bert.id} 5 for patience`, /Кому: Bert/)
    await becomes('command-confirmation')
    await sam.hears(isYes, noRight)
    await desk.hasBalance(bert, '₽500')
  })

  it('refunds orders up to its sum a day, and reads how much is left', async () => {
    const cleo = await desk.newUser('Cleo')
    const ids: string[] = []
    for (let at = 0; at < 3; at += 1) ids.push(await order(sandbox, cleo, '/image a fox'))
    for (const id of ids) await sam.asks(`/refund ${id} пусто`, /Вернуть 5,28 ₽/)
    // Each question was asked while the limit was not used up.
    const questions = (await sam.chat()).filter((message) => labelsOf(message).includes(isYes)).slice(-3)
    for (const { message_id } of questions) await sam.tapsData(message_id, 'ad:d:yes')
    await sam.sees(/сегодня вы можете вернуть ещё 4,44 ₽/)
    await desk.hasBalance(cleo, '₽494.72')
    const [, , last = ''] = ids
    await sam.asks(`/refund ${last} пусто`, /сегодня вы можете вернуть ещё 4,44 ₽/)
    await sam.asks(`/refund ${last} 4 пусто`, /Вернуть 4 ₽/)
    await sam.tapsFor(isYes, /Возвращено: 4 ₽/)
    await sam.asks('/admin', /вернуть ещё 0,44 ₽/)
    await desk.does(`/refund ${last} the rest`, /Refund ₽1.28/, /Refunded: ₽1.28/)
  })
})

describe('a message to one person', () => {
  const logged = () =>
    sandbox.app.db
      .select()
      .from(operatorActions)
      .where(eq(operatorActions.action, 'letter'))
      .orderBy(desc(operatorActions.id))

  it('is sent after a Yes, or at once when the person was chosen by a button, and who wrote is in the log', async () => {
    const dina = await desk.newUser('Dina', 'ru')
    await desk.does(`/message Dina Your video <b> is ready`, /Send this to Dina · #\d+\?/, /Sent\./)
    await dina.sees(/Пишет человек из поддержки[\s\S]*Your video <b> is ready/)
    await opens(dina)
    await sam.tapsFor('💬 Написать', /Что написать \(Dina\)/)
    await sam.asks('x'.repeat(3501), /больше 3 500 знаков/)
    await sam.asks('Готово, смотрите /history', /Отправлено/)
    await dina.sees(/Готово, смотрите/)
    expect(await logged()).toMatchObject([{ operatorId: samId }, { operatorId: bossId }])
    await desk.asks('/admin log', new RegExp(`${samId} · wrote to a person · user:`))
    await dina.blocks()
    await desk.does('/message Dina Hello', /Send this/, /Not sent: the person has blocked the bot/)
    expect(await logged()).toHaveLength(2)
  })

  it('answers a report in words, or with a file, and the report can still be decided', async () => {
    const eva = await desk.newUser('Eva')
    await order(sandbox, eva, '/image a fox')
    await eva.tapsAll(/^⋯/, /⚠️ Problem/)
    await eva.isTold(/or just write it/)
    await eva.sends('The fox is a dog')
    await sam.sees(/The fox is a dog/)
    await sam.tapsFor('💬 Ответить', /Что ответить на жалобу \(Eva\)/)
    await sam.asks('Which of its legs?', /Отправлено/)
    await eva.sees(/A person from support writes[\s\S]*Which of its legs\?/)
    const [answer] = await logged()
    expect(answer).toMatchObject({ operatorId: samId, details: { report: expect.any(String) } })
    await boss.tapsFor('💬 Answer', /What do you answer Eva/)
    await boss.sendsFile({ bytes: Buffer.from('look'), name: 'paws.txt' }, '')
    await boss.sees(/Sent\./)
    await eva.sees(({ document }: SandboxMessage) => document?.file_name === 'paws.txt')
    await boss.tapsFor('💸 Refund ₽5.28', /Refund ₽5.28 to Eva/)
    await boss.tapsFor('✅ Yes', /Refunded: ₽5.28/)
    await desk.hasBalance(eva, '₽500')
  })
})

it('a question to support reaches each of them in private, and a reply to either message goes back', async () => {
  const zoe = await desk.newUser('Zoe')
  await zoe.attaches(await jpeg(), '/support what is this?', /Passed on to a person/)
  const copy = await boss.sees(({ photo, caption }) => photo !== undefined && caption === 'what is this?')
  await sam.sees(/Поддержка\. Ответьте на одно из этих сообщений[\s\S]*👤 Zoe/)
  await boss.sends('A fox', { reply_to: copy.message_id })
  await zoe.sees(/A person from support writes\n\nA fox/)
  const page = await zoe.asks('/support', /ask right here/)
  await sandbox.breaks('telegram', 'sendMessage', { kind: 'error', status: 403 }, 2)
  await zoe.asks('Hello?', /I couldn’t pass it on/, { reply_to: page.message_id })
})

// An action that moves money, bans a user or stops sales is done only after a Yes. A text in place of the tap gets a hint and costs
// nothing.

import { and, eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageNotes } from '../../../src/db/schema.ts'
import { failsToInsert } from '../../support/database/failing-inserts.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { order } from '../../support/users/order.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let boss: SandboxUser
let desk: Desk
beforeAll(async () => {
  ;({ sandbox, boss, desk } = await openDesk())
})
afterAll(() => desk.close())

const hint = /Tap “Yes” or “No”/
const spentByBoss = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

describe('a text in place of Yes or No', () => {
  it('is answered with a hint, costs nothing, and the question stays open', async () => {
    const anna = await desk.newUser('Anna')
    const before = await spentByBoss()
    const question = await desk.asks(`/grant ${anna.id} 5 for patience`, /Add ₽5 to Anna/)
    await desk.asks('yes', hint)
    await desk.asks('sure', hint, { reply_to: question.message_id })
    await desk.hasBalance(anna, '₽500')
    await boss.taps('✅ Yes')
    await boss.sees(/Anna: added ₽5/)
    expect(await spentByBoss()).toBe(before)
  })

  it('answers the newest question only, never an earlier one', async () => {
    const [bert, cora] = [await desk.newUser('Bert'), await desk.newUser('Cora')]
    await desk.asks(`/grant ${bert.id}`, /How many roubles should Bert get/)
    await desk.asks(`/grant ${cora.id} 5 for patience`, /Add ₽5 to Cora/)
    await desk.asks('7 for Bert', hint)
    await boss.taps('✖ No')
    await boss.sees(/Add ₽5 to Cora[\s\S]*✖ No$/)
    await desk.hasBalance(bert, '₽500')
    await desk.hasBalance(cora, '₽500')
  })

  it('/cancel drops the question with its buttons', async () => {
    const dave = await desk.newUser('Dave')
    const question = await desk.asks(`/debit ${dave.id} 5 by mistake`, /Take ₽5 from Dave/)
    await desk.asks('/cancel', /^The question is closed\./)
    const shown = (await boss.chat()).find(({ message_id }) => message_id === question.message_id)
    expect(shown && labelsOf(shown)).toEqual([])
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await desk.hasBalance(dave, '₽500')
  })
})

it('a command without parameters is answered with one example', async () => {
  const examples = [
    '/grant #17 500₽ for the failed video',
    '/debit #17 500₽ granted by mistake',
    '/ban #17 spam',
    '/unban #17 banned by mistake',
    '/refund 0123456789 the picture is blank',
    '/refund_payment 0123456789 paid by mistake',
    '/promo_add SPRING 100₽ 50 2030-12-31',
  ]
  for (const example of examples) {
    const { text } = await desk.asks(example.replace(/ .*/, ''), /For example:/)
    expect(text).toContain(example)
  }
})

describe('an action that cannot be done', () => {
  it('is refused before the question, and without another question when no other reason would help', async () => {
    const emma = await desk.newUser('Emma')
    await desk.asks(`/debit ${emma.id} 500.01 too much`, /^⚠️ Emma has only ₽500/)
    await desk.asks(`/ban ${bossId} treason`, /^Operators cannot be banned/)
    await desk.hasBalance(emma, '₽500')
    await desk.asks(`/ban ${bossId}`, /Why is Boss banned\?/)
    await desk.asks('treason', /^Operators cannot be banned/)
    await desk.asks('what is treason?', /what is treason/)
  })

  it('is refused after the Yes when the balance was spent in between', async () => {
    const fay = await desk.newUser('Fay')
    await desk.asks(`/debit ${fay.id} 500 by mistake`, /Take ₽500 from Fay/)
    await order(sandbox, fay, '/image a fox')
    await boss.taps('✅ Yes')
    await boss.sees(/Fay has only ₽494\.72/)
    await desk.hasBalance(fay, '₽494.72')
  })
})

describe('an action that fails', () => {
  it('keeps its question open: a second Yes does it, once', async () => {
    const hugo = await desk.newUser('Hugo')
    const question = await desk.asks(`/grant ${hugo.id} 5 for patience`, /Add ₽5 to Hugo/)
    await failsToInsert(sandbox.app.db, 'transfers')
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.sees(/Something went wrong on our side/)
    await desk.hasBalance(hugo, '₽500')
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.sees(/Hugo: added ₽5/)
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await desk.hasBalance(hugo, '₽505')
  })

  it('keeps the question for its missing words open', async () => {
    const ida = await desk.newUser('Ida')
    const question = await desk.asks(`/grant ${ida.id}`, /How many roubles should Ida get/)
    const isIt = and(eq(messageNotes.chatId, boss.id), eq(messageNotes.messageId, question.message_id))
    // The question is shown before its note is written.
    await expect.poll(() => sandbox.app.db.$count(messageNotes, isIt)).toBe(1)
    await failsToInsert(sandbox.app.db, 'message_notes')
    const place = { reply_to: question.message_id }
    await desk.asks('7 for patience', /Something went wrong on our side/, place)
    const asked = await desk.asks('7 for patience', /Add ₽7 to Ida/, place)
    await boss.tapsData(asked.message_id, 'ad:d:yes')
    await boss.sees(/Ida: added ₽7/)
  })
})

it('a question about a user whose data is deleted before the answer is deleted with the name in it, and its Yes does nothing', async () => {
  const asked = () => sandbox.app.db.$count(messageNotes, like(sql`${messageNotes.about}::text`, '%Jana%'))
  const jana = await desk.newUser('Jana')
  const ordered = await order(sandbox, jana, '/image a fox')
  const questions: SandboxMessage[] = []
  for (const command of [`/ban ${jana.id} spam`, `/refund ${ordered} blank`])
    questions.push(await desk.asks(command, /Jana/))
  // A question is shown before its note is written.
  await expect.poll(asked).toBe(2)
  await jana.sends('/delete_me')
  await jana.taps(/Continue/)
  await jana.taps(/Yes, delete for good/)
  await jana.sees(/Your data is deleted/)
  expect(await asked()).toBe(0)
  for (const { message_id } of questions) {
    await boss.tapsData(message_id, 'ad:d:yes')
    await boss.isTold(/not yours or no longer works/)
  }
})

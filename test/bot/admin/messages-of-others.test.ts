// Messages that are neither commands nor answers of an operator: texts by other authors, and buttons with invalid user numbers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { atDesk } from '../../support/users/desk.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

const bossId = 900_001
/** One operator for each test of invalid taps and of commands: a single operator would exceed the limit of updates per second. */
const tapperIds = [900_002, 900_003, 900_004, 900_005] as const
const commands = [
  '/admin',
  '/user',
  '/grant',
  '/debit',
  '/ban',
  '/refund',
  '/refund_payment',
  '/promo_add',
  '/broadcast',
  '/report',
].map((command, at) => ({ command, operatorId: 900_010 + at }))
let sandbox: TestSandbox
let boss: SandboxUser
let desk: ReturnType<typeof atDesk>
beforeAll(async () => {
  sandbox = await openSandbox('postgres', {
    ADMIN_IDS: [bossId, ...tapperIds, ...commands.map(({ operatorId }) => operatorId)].join(','),
  })
  boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  desk = atDesk(boss, sandbox)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

describe('a text by another author', () => {
  it('is not run as a command when an operator forwards it or an inline bot wrote it', async () => {
    const hugo = await desk.newUser('Hugo')
    const number = await desk.opens(hugo)
    await boss.sends(`/grant #${number} 700 please`, { forwarded_from: hugo.id })
    await boss.sends(`/ban #${number} x`, { forwarded_from: hugo.id })
    await boss.sends(`/grant #${number} 700 please`, { via_bot: 'some_inline_bot' })
    await desk.hasBalance(hugo, '₽500.00')
    await boss.sends('/admin log')
    expect((await boss.sees(/granted|Nothing has been done/)).text).not.toContain('please')
  })

  it.each(commands)(
    '$command is answered as to everybody else when an inline bot wrote it or it was forwarded',
    async ({ command, operatorId: id }) => {
      const operator = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id })
      const lena = await desk.newUser('Lena')
      const number = await atDesk(operator, sandbox).opens(lena)
      const text = `${command} #${number} 700 please`
      const said = async (person: SandboxUser, place: object) => {
        const { message_id } = await person.sends(text, place)
        return (
          await person.sees((message) => message.message_id > message_id && message.from?.is_bot === true)
        ).text
      }
      const toEverybody = await said(lena, {})
      for (const place of [{ via_bot: 'some_inline_bot' }, { forwarded_from: lena.id }]) {
        expect(await said(operator, place)).toBe(toEverybody)
      }
    },
  )

  it('does not answer a question when an inline bot wrote it', async () => {
    const ivan = await desk.newUser('Ivan')
    const question = await desk.asksToGrant(ivan)
    await boss.sends('700 please', { reply_to: question.message_id, via_bot: 'some_inline_bot' })
    await desk.hasBalance(ivan, '₽500.00')
  })

  it('is not taken for the question when it has the same message id in another chat', async () => {
    const julia = await desk.newUser('Julia')
    const question = await desk.asksToGrant(julia)
    const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Team', members: [bossId] })
    const there = boss.in(id)
    let last = 0
    while (last < question.message_id) last = (await there.sends('blah')).message_id
    await boss.sends('700 please', { reply_to: question.message_id, reply_chat: id, quote: 'blah' })
    await desk.hasBalance(julia, '₽500.00')
  })
})

describe('an invalid user number', () => {
  it.each(['#99999999999999999999', '#17x', '#0x11', '#'])('%s matches no user', async (number) => {
    const kate = await desk.newUser('Kate')
    await desk.opens(kate)
    const { message_id } = await boss.sends(`/ban ${number} spam`)
    await boss.sees((message) => message.message_id > message_id && /Nobody found/.test(message.text ?? ''))
    await desk.hasBalance(kate, '₽500.00')
  })

  it.each([
    ['ad:u:', tapperIds[0]],
    ['ad:q:grant:', tapperIds[1]],
    ['ad:o:', tapperIds[2]],
    ['ad:p:', tapperIds[3]],
  ] as const)('in a tap %s gets the answer to an outdated button', async (data, id) => {
    const operator = await createUser(sandbox.url, { first_name: 'Operator', language_code: 'en', id })
    const { message_id } = await operator.sends('/balance')
    const shown = await operator.sees((message) => message.message_id > message_id)
    for (const number of ['999999999999999999999', '9223372036854775808', '999999999999']) {
      await operator.tapsData(shown.message_id, data + number)
    }
    const answers = async () =>
      (await sandbox.get<{ text?: string }[]>(`/api/chats/${id}/answers`)).slice(-3).map(({ text }) => text)
    await expect
      .poll(answers)
      .toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/no longer works/)))
  })
})

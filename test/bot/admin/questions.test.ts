// Questions to operators: only a message that is noted in the database as a question is one, only the operator's own text answers it
// (/broadcast takes any message), and it is answered once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secrets } from '../../../src/sandbox/outside.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { handleLastAgain } from '../../support/users/handled-again.ts'
import { jpeg } from '../../support/users/pictures.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let boss: SandboxUser
let desk: Desk
beforeAll(async () => {
  ;({ sandbox, boss, desk } = await openDesk())
})
afterAll(() => desk.close())

/** Taps Yes on the confirmation that the desk sends after this message. */
async function confirms(answer: SandboxMessage, wanted: RegExp): Promise<void> {
  await desk.seesBelow(answer, wanted)
  await boss.taps('✅ Yes')
}

const spentByBoss = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
const unread = /I need an amount in roubles and a reason/

describe('no answer is', () => {
  it('a reply to an answer of a text model that looks like a question', async () => {
    const anna = await desk.newUser('Anna')
    const code = `/grant #${await desk.opens(anna)} 77`
    const text = `✏️ Shall I do it?\n${code}`
    const entities = [{ type: 'code', offset: text.indexOf(code), length: code.length }]
    const message = { chat_id: bossId, text, entities }
    const { result } = await sandbox.post<{ result: SandboxMessage }>(
      `/bot${secrets.botToken}/sendMessage`,
      message,
    )
    await desk.asks('thanks for that', /thanks for that/, { reply_to: result.message_id })
    await desk.hasBalance(anna, '₽500')
    const log = await desk.asks('/admin log', /granted|Nothing has been done/)
    expect(log.text).not.toContain('thanks')
  })

  it('a text that an inline bot wrote', async () => {
    const ivan = await desk.newUser('Ivan')
    const question = await desk.asksToGrant(ivan)
    await boss.sends('700 please', { reply_to: question.message_id, via_bot: 'some_inline_bot' })
    await desk.hasBalance(ivan, '₽500')
  })

  it('a reply to a message of another chat with the same message id', async () => {
    const julia = await desk.newUser('Julia')
    const question = await desk.asksToGrant(julia)
    const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Team', members: [bossId] })
    const there = boss.in(id)
    let last = 0
    while (last < question.message_id) last = (await there.sends('blah')).message_id
    await boss.sends('700 please', { reply_to: question.message_id, reply_chat: id, quote: 'blah' })
    await desk.hasBalance(julia, '₽500')
  })
})

describe('a question', () => {
  it('stays open until an answer can be read, is repeated in each refusal, and is answered once by a reply to any of them', async () => {
    const clara = await desk.newUser('Clara')
    const first = await desk.asksToGrant(clara)
    const before = await spentByBoss()
    const second = await desk.asks('a lot', unread, { reply_to: first.message_id })
    const third = await desk.asks('100', unread, { reply_to: second.message_id })
    const file = { kind: 'document', name: 'a.bin', bytes: Buffer.from([0, 1, 2, 255]) }
    await desk.seesBelow(await boss.sendsFile(file, '', { reply_to: third.message_id }), unread)
    const answer = await boss.sendsFile(file, '100 for patience', { reply_to: third.message_id })
    await confirms(answer, /Add ₽100 to Clara/)
    await boss.sees(/Clara: added ₽100/)
    for (const { message_id } of [first, second])
      await desk.asks('100 once more', /is answered, closed/, { reply_to: message_id })
    await desk.hasBalance(clara, '₽600')
    expect(await spentByBoss()).toBe(before)
  })

  it('stays open for a smaller amount when the amount is above the balance', async () => {
    const kurt = await desk.newUser('Kurt')
    const number = await desk.opens(kurt)
    await boss.taps('➖ Debit')
    const question = await boss.sees(new RegExp(`/debit #${number}$`))
    const short = /Kurt has only ₽500/
    const again = await desk.asks('501 by mistake', short, { reply_to: question.message_id })
    const answer = await boss.sends('500 by mistake', { reply_to: again.message_id })
    await confirms(answer, /Take ₽500 from Kurt/)
    await boss.sees(/Kurt: taken ₽500/)
    await desk.hasBalance(kurt, '₽0')
  })

  it('is answered once when its update comes twice, and when it is handled again after the process died', async () => {
    const ella = await desk.newUser('Ella')
    const question = await desk.asksToGrant(ella)
    const before = await spentByBoss()
    await sandbox.breaks('telegram', 'update', { kind: 'twice' })
    const answer = await boss.sends('2 once', { reply_to: question.message_id })
    await confirms(answer, /Add ₽2 to Ella/)
    const done = await boss.sees(/Ella: added ₽2/)
    await handleLastAgain(sandbox, bossId)
    await confirms(done, /Add ₽2 to Ella/)
    await boss.sees(/Ella: added ₽2 once.* Balance now: ₽502/)
    await desk.hasBalance(ella, '₽502')
    expect(await spentByBoss()).toBe(before)
  })

  it('is answered by the next message without a reply, also after a refusal', async () => {
    const lena = await desk.newUser('Lena')
    await desk.asksToGrant(lena)
    const before = await spentByBoss()
    await desk.asks('a lot', unread)
    await confirms(await boss.sends('100 for patience'), /Add ₽100 to Lena/)
    await boss.sees(/Lena: added ₽100/)
    await desk.hasBalance(lena, '₽600')
    expect(await spentByBoss()).toBe(before)
  })

  it('that /cancel closed is not answered', async () => {
    const mira = await desk.newUser('Mira')
    const question = await desk.asksToGrant(mira)
    await desk.asks('/cancel', /^The question “\/\w+/)
    await desk.asks('100 wishes', /100 wishes/)
    await desk.asks('5 for patience', /is answered, closed/, { reply_to: question.message_id })
    await desk.hasBalance(mira, '₽500')
  })
})

describe('the message after /broadcast', () => {
  it('is broadcast, also one that was forwarded, and is neither a command nor a question to the text model', async () => {
    const author = await desk.newUser('Author')
    const before = await spentByBoss()
    for (const post of ['We are open on Sunday', 'We have foxes now', `/ban ${author.id} is what I write`]) {
      await desk.asks('/broadcast', /message to broadcast/)
      const place = post.includes('Sunday') ? {} : { forwarded_from: author.id }
      const shown = await desk.asks(post, /not started/, place)
      const copied = (await boss.chat()).find(({ message_id }) => message_id === shown.message_id - 1)
      expect(copied).toMatchObject({ text: post, from: { is_bot: true } })
    }
    await desk.hasBalance(author, '₽500')
    expect(await spentByBoss()).toBe(before)
  })

  it('may be a long rich message, and the command a caption', async () => {
    const { id } = await desk.newUser('Nora')
    const picture = await jpeg()
    await desk.seesBelow(await boss.sendsFile(picture, `/user ${id}`), new RegExp(`Telegram: ${id}`))
    await desk.seesBelow(await boss.sendsFile(picture, '/broadcast'), /✏️[\s\S]*\/broadcast/)
    const blocks = [{ type: 'paragraph', text: ['news '.repeat(1200)] }]
    await desk.seesBelow(await boss.sendsContent({ rich_message: { blocks } }), /Broadcast/)
  })

  it('is refused when it has two parts', async () => {
    const before = await spentByBoss()
    await desk.asks('/broadcast', /message to broadcast/)
    await boss.sends('x'.repeat(4096))
    await desk.asks('and this is the end', /up to 4,?096 characters[\s\S]*\/broadcast$/)
    await desk.asks('A short text', /not started/)
    expect((await boss.chat()).filter(({ text = '' }) => text.startsWith('xxx'))).toHaveLength(1)
    expect(await spentByBoss()).toBe(before)
  })
})

// Questions to operators: only a message that is noted in the database as a question is one, only the operator's own text answers it
// (/broadcast takes any message), and it is answered once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { secrets } from '../../../src/sandbox/outside.ts'
import { atDesk } from '../../support/users/desk.ts'
import { handleLastAgain } from '../../support/users/handled-again.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const bossId = 900_001
let sandbox: TestSandbox
let boss: SandboxUser
let desk: ReturnType<typeof atDesk>
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { ADMIN_IDS: String(bossId) })
  boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  desk = atDesk(boss, sandbox)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** Taps Yes on the confirmation that the desk sends after this message. */
async function confirms(answer: SandboxMessage, wanted: RegExp): Promise<void> {
  await desk.seesBelow(answer, wanted)
  await boss.taps('✅ Yes')
}

const spentByBoss = async () => {
  const { charged } = await sandbox.get<{ charged: number }>('/api/gateway/account')
  return charged
}

/** Sends a message of the bot that is not a question: an answer of a text model can have any text and formatting. */
async function botSays(text: string, code: string): Promise<SandboxMessage> {
  const entities = [{ type: 'code', offset: text.indexOf(code), length: code.length }]
  const said = await sandbox.post<{ result: SandboxMessage }>(`/bot${secrets.botToken}/sendMessage`, {
    chat_id: bossId,
    text,
    entities,
  })
  return said.result
}

describe('an answer of a text model', () => {
  it.each(['grant', 'debit', 'ban', 'refund', 'user'])(
    'that looks like the question of /%s is not taken for a question',
    async (verb) => {
      const anna = await desk.newUser('Anna')
      const number = await desk.opens(anna)
      const code = `/${verb} #${number} 77`
      const said = await botSays(`✏️ Shall I do it?\n${code}`, code)
      await boss.sends('thanks for that', { reply_to: said.message_id })
      await boss.sees(/thanks for that/)
      await desk.hasBalance(anna, '₽500.00')
      await boss.sends('/admin log')
      expect((await boss.sees(/granted|Nothing has been done/)).text).not.toContain('thanks')
    },
  )
})

describe('a question', () => {
  it('stays open when the answer cannot be read, and takes the next one', async () => {
    const boris = await desk.newUser('Boris')
    const question = await desk.asksToGrant(boris)
    const before = await spentByBoss()
    await boss.sends('a lot', { reply_to: question.message_id })
    await desk.seesBelow(question, /An amount and a reason, please/)
    const answer = await boss.sends('250 for patience', { reply_to: question.message_id })
    await confirms(answer, /Add ₽250.00 to Boris/)
    await boss.sees(/Boris: added ₽250.00/)
    await desk.hasBalance(boris, '₽750.00')
    expect(await spentByBoss()).toBe(before)
  })

  it('is repeated in the explanation of a refusal, which can be replied to as well', async () => {
    const clara = await desk.newUser('Clara')
    const question = await desk.asksToGrant(clara)
    await boss.sends('a lot', { reply_to: question.message_id })
    const second = await desk.seesBelow(question, /An amount and a reason, please/)
    await boss.sends('100', { reply_to: second.message_id })
    const third = await desk.seesBelow(second, /An amount and a reason, please/)
    const answer = await boss.sends('100 for patience', { reply_to: third.message_id })
    await confirms(answer, /Add ₽100.00 to Clara/)
    await boss.sees(/Clara: added ₽100.00/)
    await desk.hasBalance(clara, '₽600.00')
  })

  it('stays open for a smaller amount when the amount is above the balance', async () => {
    const kurt = await desk.newUser('Kurt')
    const number = await desk.opens(kurt)
    await boss.taps('➖ Debit')
    const question = await boss.sees(new RegExp(`/debit #${number}$`))
    await boss.sends('501 by mistake', { reply_to: question.message_id })
    const again = await desk.seesBelow(question, /Kurt has only ₽500.00/)
    const answer = await boss.sends('500 by mistake', { reply_to: again.message_id })
    await confirms(answer, /Take ₽500.00 from Kurt/)
    await boss.sees(/Kurt: taken ₽500.00/)
    await desk.hasBalance(kurt, '₽0.00')
  })

  it('is answered once, by a reply to any of its messages', async () => {
    const dora = await desk.newUser('Dora')
    const question = await desk.asksToGrant(dora)
    await boss.sends('a lot', { reply_to: question.message_id })
    const again = await desk.seesBelow(question, /An amount and a reason, please/)
    const answer = await boss.sends('100 for patience', { reply_to: again.message_id })
    await confirms(answer, /Add ₽100.00 to Dora/)
    await boss.sees(/Dora: added ₽100.00/)
    const before = await spentByBoss()
    for (const { message_id } of [question, again]) {
      const said = await boss.sends('100 once more', { reply_to: message_id })
      await desk.seesBelow(said, /is answered, closed/)
    }
    await desk.hasBalance(dora, '₽600.00')
    expect(await spentByBoss()).toBe(before)
  })

  it('is answered once when the update comes twice', async () => {
    const eva = await desk.newUser('Eva')
    const question = await desk.asksToGrant(eva)
    const before = await spentByBoss()
    await sandbox.breaks('telegram', 'update', { kind: 'twice' })
    const answer = await boss.sends('1 once', { reply_to: question.message_id })
    await confirms(answer, /Add ₽1.00 to Eva/)
    await boss.sees(/Eva: added ₽1.00/)
    await desk.hasBalance(eva, '₽501.00')
    expect(await spentByBoss()).toBe(before)
  })

  it('is answered once when its update is handled again after the process died, and the answer says that it was done', async () => {
    const ella = await desk.newUser('Ella')
    const question = await desk.asksToGrant(ella)
    const before = await spentByBoss()
    const answer = await boss.sends('2 once', { reply_to: question.message_id })
    await confirms(answer, /Add ₽2.00 to Ella/)
    const done = await boss.sees(/Ella: added ₽2.00/)
    await handleLastAgain(sandbox, bossId)
    await confirms(done, /Add ₽2.00 to Ella/)
    await boss.sees(/Ella: added ₽2.00 once.* Balance now: ₽502.00/)
    await desk.hasBalance(ella, '₽502.00')
    expect(await spentByBoss()).toBe(before)
  })

  it('needs a text: a picture without a caption gets an explanation', async () => {
    const fred = await desk.newUser('Fred')
    const question = await desk.asksToGrant(fred)
    const file = { kind: 'document', name: 'a.bin', bytes: Buffer.from([0, 1, 2, 255]) }
    await boss.sendsFile(file, '', { reply_to: question.message_id })
    await desk.seesBelow(question, /An amount and a reason, please/)
    const answer = await boss.sendsFile(file, '10 for the picture', { reply_to: question.message_id })
    await confirms(answer, /Add ₽10.00 to Fred/)
    await boss.sees(/Fred: added ₽10.00/)
  })
})

describe('the next message of the operator', () => {
  it('answers the question without being a reply, also after a refused answer', async () => {
    const lena = await desk.newUser('Lena')
    const question = await desk.asksToGrant(lena)
    const before = await spentByBoss()
    await boss.sends('a lot')
    await desk.seesBelow(question, /An amount and a reason, please/)
    await confirms(await boss.sends('100 for patience'), /Add ₽100.00 to Lena/)
    await boss.sees(/Lena: added ₽100.00/)
    await desk.hasBalance(lena, '₽600.00')
    expect(await spentByBoss()).toBe(before)
  })

  it('does not answer a question that /cancel closed or that was answered', async () => {
    const mira = await desk.newUser('Mira')
    const question = await desk.asksToGrant(mira)
    const cancelled = await boss.sends('/cancel')
    await desk.seesBelow(cancelled, /^Closed the question “\/\w+/)
    await desk.seesBelow(await boss.sends('100 wishes'), /100 wishes/)
    await boss.sends('5 for patience', { reply_to: question.message_id })
    await desk.seesBelow(question, /is answered, closed/)
    await desk.hasBalance(mira, '₽500.00')
  })

  it('is broadcast after /broadcast, and is no question to the text model', async () => {
    const before = await spentByBoss()
    const asked = await boss.sends('/broadcast')
    await desk.seesBelow(asked, /message to broadcast/)
    const text = await boss.sends('We are open on Sunday')
    await boss.sees(
      ({ message_id, text: copied, from }) =>
        message_id > text.message_id && from?.is_bot === true && copied === 'We are open on Sunday',
    )
    await desk.seesBelow(text, /not started/)
    expect(await spentByBoss()).toBe(before)
  })

  it('a forwarded post answers /broadcast and is not a question', async () => {
    const author = await desk.newUser('Author')
    const before = await spentByBoss()
    for (const post of ['We have foxes now', `/ban ${author.id} is what I write`]) {
      const asked = await boss.sends('/broadcast')
      await desk.seesBelow(asked, /message to broadcast/)
      const forwarded = await boss.sends(post, { forwarded_from: author.id })
      const shown = await desk.seesBelow(forwarded, /not started/)
      const copied = (await boss.chat()).find(({ message_id }) => message_id === shown.message_id - 1)
      expect(copied).toMatchObject({ text: post, from: { is_bot: true } })
    }
    await desk.hasBalance(author, '₽500.00')
    expect(await spentByBoss()).toBe(before)
  })

  it('a broadcast text of two parts is refused', async () => {
    const before = await spentByBoss()
    const asked = await boss.sends('/broadcast')
    await desk.seesBelow(asked, /message to broadcast/)
    await boss.sends('x'.repeat(4096))
    const tail = await boss.sends('and this is the end')
    await desk.seesBelow(tail, /up to 4,?096 characters[\s\S]*\/broadcast$/)
    const short = await boss.sends('A short text')
    await desk.seesBelow(short, /not started/)
    expect((await boss.chat()).filter(({ text = '' }) => text.startsWith('xxx'))).toHaveLength(1)
    expect(await spentByBoss()).toBe(before)
  })
})

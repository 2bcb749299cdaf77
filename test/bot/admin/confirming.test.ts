// An action that moves money, bans a user or stops sales is done only after a Yes. A text in place of the tap gets a hint and costs
// nothing.

import { and, eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageNotes } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { atDesk } from '../../support/users/desk.ts'
import { order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const bossId = 900_001
let sandbox: TestSandbox
let boss: SandboxUser
let desk: ReturnType<typeof atDesk>
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { ADMIN_IDS: String(bossId), SUPPORT_CONTACT: '@help' })
  boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  desk = atDesk(boss, sandbox)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const seesBelow = ({ message_id: above }: SandboxMessage, wanted: RegExp) =>
  boss.sees(
    ({ message_id, text = '', from }) => message_id > above && from?.is_bot === true && wanted.test(text),
  )

const spentByBoss = async () => {
  const { charged } = await sandbox.get<{ charged: number }>('/api/gateway/account')
  return charged
}

async function hasBalance(user: SandboxUser, amount: string): Promise<void> {
  const { message_id: own } = await user.sends('/balance')
  const shown = await user.sees(({ message_id, text }) => message_id > own && /^Balance/.test(text ?? ''))
  expect(shown.text).toContain(amount)
}

describe('a text in place of Yes or No', () => {
  it('is answered with a hint, costs nothing, and the question stays open', async () => {
    const anna = await desk.newUser('Anna')
    const before = await spentByBoss()
    await boss.sends(`/grant ${anna.id} 5 for patience`)
    const question = await boss.sees(/Add ₽5\.00 to Anna/)
    await seesBelow(await boss.sends('yes'), /Press “Yes” or “No”/)
    await seesBelow(await boss.sends('sure', { reply_to: question.message_id }), /Press “Yes” or “No”/)
    await hasBalance(anna, '₽500.00')
    await boss.taps('✅ Yes')
    await boss.sees(/Anna: added ₽5\.00/)
    expect(await spentByBoss()).toBe(before)
  })

  it('answers the newest question only, never an earlier one', async () => {
    const [bert, cora] = [await desk.newUser('Bert'), await desk.newUser('Cora')]
    await boss.sends(`/grant ${bert.id}`)
    await boss.sees(/How many roubles should Bert get/)
    await boss.sends(`/grant ${cora.id} 5 for patience`)
    await boss.sees(/Add ₽5\.00 to Cora/)
    await seesBelow(await boss.sends('7 for Bert'), /Press “Yes” or “No”/)
    await boss.taps('✖ No')
    await boss.sees(/Add ₽5\.00 to Cora[\s\S]*✖ No$/)
  })

  it('is a hint, and /cancel drops the question with its buttons', async () => {
    const dave = await desk.newUser('Dave')
    await boss.sends(`/debit ${dave.id} 5 by mistake`)
    const question = await boss.sees(/Take ₽5\.00 from Dave/)
    await seesBelow(await boss.sends('/cancel'), /^Closed the question\./)
    const shown = (await boss.chat()).find(({ message_id }) => message_id === question.message_id)
    expect(shown && labelsOf(shown)).toEqual([])
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await hasBalance(dave, '₽500.00')
  })
})

describe('a command without parameters', () => {
  it.each([
    ['/grant', '/grant #17 500₽ for the failed video'],
    ['/debit', '/debit #17 500₽ granted by mistake'],
    ['/ban', '/ban #17 spam'],
    ['/unban', '/unban #17 banned by mistake'],
    ['/refund', '/refund 0123456789 the picture is blank'],
    ['/refund_payment', '/refund_payment 0123456789 paid by mistake'],
    ['/promo_add', '/promo_add SPRING 100₽ 50 2030-12-31'],
  ])('%s is answered with one example', async (command, example) => {
    const { text } = await seesBelow(await boss.sends(command), /For example:/)
    expect(text).toContain(example)
  })
})

describe('an action that cannot be done', () => {
  it('is refused before the question: a debit above the balance, the ban of an operator', async () => {
    const emma = await desk.newUser('Emma')
    await seesBelow(await boss.sends(`/debit ${emma.id} 500.01 too much`), /^⚠️ Emma has only ₽500\.00/)
    await seesBelow(await boss.sends(`/ban ${bossId} treason`), /^Operators cannot be banned/)
    await hasBalance(emma, '₽500.00')
  })

  it('is refused without another question when no other reason would help', async () => {
    const ghost = await boss.sends(`/ban ${bossId}`)
    await seesBelow(ghost, /Why is Boss banned\?/)
    await seesBelow(await boss.sends('treason'), /^Operators cannot be banned/)
    const said = await boss.sends('what is treason?')
    await seesBelow(said, /what is treason/)
  })

  it('is refused after the Yes when the balance was spent in between', async () => {
    const fay = await desk.newUser('Fay')
    await boss.sends(`/debit ${fay.id} 500 by mistake`)
    await boss.sees(/Take ₽500\.00 from Fay/)
    await fay.sends('/image a fox')
    await fay.taps('Generate · ₽5.28')
    await fay.sees(({ photo }) => photo !== undefined)
    await boss.taps('✅ Yes')
    await boss.sees(/Fay has only ₽494\.72/)
    await hasBalance(fay, '₽494.72')
  })
})

/** Makes the next insert into this table fail. */
async function failsToInsert(table: 'transfers' | 'message_notes'): Promise<void> {
  const { db } = sandbox.app
  await db.execute(sql`create sequence if not exists inserts`)
  await db.execute(sql`
    create or replace function fail_first() returns trigger language plpgsql as $$ begin
      if nextval('inserts') = 1 then raise exception 'cannot be saved'; end if;
      return new;
    end $$`)
  await db.execute(sql`
    create or replace trigger fails before insert on ${sql.identifier(table)}
    for each row execute function fail_first()`)
  await db.execute(sql`alter sequence inserts restart`)
}

describe('an action that fails', () => {
  it('keeps its question open: a second Yes does it, once', async () => {
    const hugo = await desk.newUser('Hugo')
    await boss.sends(`/grant ${hugo.id} 5 for patience`)
    const question = await boss.sees(/Add ₽5\.00 to Hugo/)
    await failsToInsert('transfers')
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.sees(/Something went wrong on our side/)
    await hasBalance(hugo, '₽500.00')
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.sees(/Hugo: added ₽5\.00/)
    await boss.tapsData(question.message_id, 'ad:d:yes')
    await boss.isTold(/no longer works/)
    await hasBalance(hugo, '₽505.00')
  })

  it('keeps the question for its missing words open', async () => {
    const ida = await desk.newUser('Ida')
    await boss.sends(`/grant ${ida.id}`)
    const question = await boss.sees(/How many roubles should Ida get/)
    const isIt = and(eq(messageNotes.chatId, boss.id), eq(messageNotes.messageId, question.message_id))
    // The question is shown before its note is written.
    await expect.poll(() => sandbox.app.db.$count(messageNotes, isIt)).toBe(1)
    await failsToInsert('message_notes')
    await boss.sends('7 for patience', { reply_to: question.message_id })
    await seesBelow(question, /Something went wrong on our side/)
    const answer = await boss.sends('7 for patience', { reply_to: question.message_id })
    const asked = await seesBelow(answer, /Add ₽7\.00 to Ida/)
    await boss.tapsData(asked.message_id, 'ad:d:yes')
    await boss.sees(/Ida: added ₽7\.00/)
  })
})

describe('a question about a user whose data is deleted before the answer', () => {
  const asked = () => sandbox.app.db.$count(messageNotes, like(sql`${messageNotes.about}::text`, '%Jana%'))

  it('is deleted with the name in it, and its Yes does nothing', async () => {
    const jana = await desk.newUser('Jana')
    const ordered = await order(sandbox, jana, '/image a fox')
    const questions: SandboxMessage[] = []
    for (const command of [`/ban ${jana.id} spam`, `/refund ${ordered} blank`])
      questions.push(await seesBelow(await boss.sends(command), /Jana/))
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
})

describe('a switch for the sales', () => {
  it('is not changed after No', async () => {
    await boss.sends('/admin')
    await boss.taps('🎚 Switches')
    await boss.taps('🛠 Begin maintenance')
    await boss.sees(/Stop all sales\?/)
    await boss.taps('✖ No')
    await boss.sees(/Stop all sales\?[\s\S]*✖ No$/)
    const gus = await desk.newUser('Gus')
    await gus.sends('/image a fox')
    await gus.taps('Generate · ₽5.28')
    await gus.sees(({ photo }) => photo !== undefined)
  })
})

// A process may die while it handles an update. Another process handles the update again; money and results are given once.

import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts, drafts, generations, updates } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '25', REFERRAL_BONUS: '10' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const db = () => sandbox.app.db
let lastId = 900_000_000

/** Puts an update into the inbox as Telegram would; resolves when it is handled. */
async function handled(update: object, id = ++lastId): Promise<number> {
  const body = JSON.stringify({ update_id: id, ...update })
  const now = new Date()
  const again = { body, doneAt: null, dueAt: now }
  await db()
    .insert(updates)
    .values({ id, receivedAt: now, ...again })
    .onConflictDoUpdate({ target: updates.id, set: again })
  const done = db()
    .select()
    .from(updates)
    .where(and(eq(updates.id, id), isNotNull(updates.doneAt)))
  await expect.poll(async () => (await done).length).toBe(1)
  return id
}

const says = ({ id }: { id: number }, text: string) => {
  const who = { id, first_name: 'Anna', language_code: 'en' }
  const length = text.indexOf(' ') < 0 ? text.length : text.indexOf(' ')
  const entities = [{ type: 'bot_command', offset: 0, length }]
  return { message: { message_id: 1, date: 1, chat: { ...who, type: 'private' }, from: who, text, entities } }
}

it('a user whose row was created before the process died gets the welcome credit', async () => {
  const anna = await sandbox.user('Anna')
  const person = { telegramId: anna.id, languageCode: 'en', name: 'Anna', username: null }
  const { user } = await ensureUser(db(), person, new Date())
  await anna.sends('/start')
  await anna.sees(/A gift for you: \D?25[.,]00/)
  await anna.sends('/balance')
  await anna.sees(/^(?!.*Hello)[\s\S]*₽25.00/)
  const [balance] = await db().select().from(accounts).where(eq(accounts.ownerId, user.id))
  expect(balance?.available).toBe(2500n)
})

it('a user gets the welcome credit once when the process died after crediting it', async () => {
  const boris = await sandbox.user('Boris')
  const first = await handled(says(boris, '/start'))
  await db().execute(`update users set greeted_at = null where telegram_id = ${boris.id}`)
  await handled(says(boris, '/start'), first)
  await boris.sends('/balance')
  await boris.sees(/₽25.00/)
})

it('a repeated command shows the draft that the dead process had created', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/start')
  await clara.sees(/Hello/)
  const id = await handled(says(clara, '/video a cat'))
  await clara.sees(/Prompt: a cat/)
  await handled(says(clara, '/video a cat'), id)
  expect(await db().select().from(drafts).where(eq(drafts.updateId, id))).toHaveLength(1)
  const cards = (await clara.chat()).filter(({ text }) => text?.includes('Prompt: a cat'))
  const data = cards.map(({ reply_markup }) => reply_markup?.inline_keyboard?.flat().at(-2)?.callback_data)
  expect(new Set(data).size).toBe(1)
})

it('an order by one tap is made once and keeps its message when the process died after ordering', async () => {
  const dana = await sandbox.user('Dana')
  await dana.sends('/start')
  const hello = await dana.sees(/Hello/)
  const example = hello.reply_markup?.inline_keyboard
    ?.flat()
    .find((one) => one.callback_data?.startsWith('bx:'))
  const chat = { id: dana.id, first_name: 'Dana', type: 'private' }
  const tap = {
    callback_query: {
      id: '1',
      from: { id: dana.id, is_bot: false, first_name: 'Dana', language_code: 'en' },
      chat_instance: '1',
      message: { message_id: hello.message_id, date: 1, chat },
      data: example?.callback_data,
    },
  }
  const id = await handled(tap)
  await dana.sees(({ photo }) => photo !== undefined)
  const before = (await dana.chat()).map(({ message_id }) => message_id)
  await handled(tap, id)
  expect((await dana.chat()).map(({ message_id }) => message_id)).toEqual(before)
  const [draft] = await db().select().from(drafts).where(eq(drafts.updateId, id))
  expect(await db().$count(generations, eq(generations.draftId, draft?.id ?? ''))).toBe(1)
})

const writes = ({ id }: { id: number }, text: string) => {
  const { entities: _, ...message } = says({ id }, text).message
  return { message: { ...message, message_id: 1000 } }
}

it('an amount typed after “How much?” is no question to the text model when the process died after taking it', async () => {
  const erik = await sandbox.user('Erik')
  await erik.sends('/topup')
  await erik.sees('How much?')
  const id = await handled(writes(erik, '750'))
  await handled(writes(erik, '750'), id)
  const shown = (await erik.chat()).flatMap(({ text = '' }) => text)
  expect(shown.filter((text) => text.includes('How would you like to pay ₽750.00?'))).toHaveLength(1)
  expect(shown.filter((text) => text.includes('the short answer'))).toEqual([])
})

it('a value typed on the page of a setting is no question to the text model when the process died after taking it', async () => {
  const fay = await sandbox.user('Fay')
  await fay.sends('/video a cat')
  await fay.taps(/^Duration/)
  await fay.seesButton('‹ Back')
  const id = await handled(writes(fay, '10'))
  await handled(writes(fay, '10'), id)
  await fay.seesButton('Duration: 10 s')
  expect((await fay.chat()).filter(({ text = '' }) => text.includes('the short answer'))).toEqual([])
})

// No message in a group shows a balance. A card in a group names its owner and the payer, and every member can repeat an order at their
// own expense.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser, textOf } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
})
afterAll(() => sandbox.stop())

async function groupOf(language: 'ru' | 'en' = 'en') {
  const [anna, boris] = [await sandbox.user('Anna', language), await sandbox.user('Boris', language)]
  const group = { title: 'We', members: [anna.id, boris.id] }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  return { anna: anna.in(id), boris: boris.in(id) }
}

/** Checks that the group shows no balance; Anna's is 100 ₽. */
const showsNoBalance = async (member: SandboxUser) =>
  expect(await member.transcript()).not.toMatch(/.?100.00|Balance:|Баланс:|Missing|Не хватает:/)

describe.each([
  [
    'en',
    /Your balance and top-ups are in our private chat/,
    /the answer is in our private chat/,
    /Open our private chat and press “Start”/,
    'Open the private chat',
  ],
  [
    'ru',
    /Баланс и пополнение — в личном чате/,
    /ответ в личном чате/,
    /Откройте личный чат и нажмите «Старт»/,
    'Открыть личный чат',
  ],
] as const)('in a group, in %s', (language, greeting, answered, closed, button) => {
  it('/start greets without the balance and leads to the private chat', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/start')
    expect(labelsOf(await anna.sees(greeting)).at(-1)).toBe(button)
    await showsNoBalance(anna)
  })

  it.each([
    ['/balance', 'balance'],
    ['/topup 300', 'topup_300'],
    ['/promo', 'promo'],
    ['/delete_me', 'delete_me'],
  ])('%s is answered in the private chat, or by a link that goes on there', async (command, start) => {
    const { anna } = await groupOf(language)
    const alone = anna.in(anna.id)
    await anna.sends(command)
    const link = await anna.sees(closed)
    expect(labelsOf(link)).toEqual([button])
    expect(link.reply_markup?.inline_keyboard?.[0]?.[0]?.url).toMatch(new RegExp(`\\?start=${start}$`))
    await alone.sends(`/start ${start}`)
    const first = await alone.sees(({ from }) => from?.is_bot === true)
    await anna.sends(`${command.split(' ', 1)}@sandbox_generation_bot${command.replace(/^\S+/, '')}`)
    expect(labelsOf(await anna.sees(answered))).toEqual([button])
    const again = await alone.sees(
      ({ from, message_id }) => from?.is_bot === true && message_id > first.message_id,
    )
    expect(textOf(again)).toBe(textOf(first))
    await showsNoBalance(anna)
  })

  it('/promo asks for the code in the private chat, where it is answered', async () => {
    const { anna } = await groupOf(language)
    const alone = anna.in(anna.id)
    await alone.sends('/start')
    await anna.sends('/promo')
    await anna.sees(answered)
    await alone.sends('NOSUCHCODE')
    await alone.sees(/no such|нет такого|Такого/i)
  })
})

describe.each([
  [
    'en',
    /What I can do in this group[\s\S]*\/image[\s\S]*For an order: the one who places it[^\n]*\nFor an answer: the one who asks\./,
    /To ask here, write \/chat your question, mention @\w+ or reply to a message of mine\. The one who asks pays\./,
    /^💬 Write \/chat why is the sky blue\?, mention @\w+/,
    ['Open the private chat', '💬 Question'],
  ],
  [
    'ru',
    /Что я умею в этой группе[\s\S]*\/image[\s\S]*За заказ — тот, кто его сделал[^\n]*\nЗа ответ модели — тот, кто спросил\./,
    /Чтобы спросить здесь, напишите \/chat вопрос, упомяните @\w+ или ответьте на моё сообщение\. Платит тот, кто спросил\./,
    /^💬 Напишите \/chat почему небо голубое\?, упомяните @\w+/,
    ['Открыть личный чат', '💬 Вопрос'],
  ],
] as const)('what can be done in a group, in %s', (language, help, chat, question, [button, asks]) => {
  it('/help lists the commands for groups and who pays, and links to the private chat for the rest', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/help')
    const shown = await anna.sees(help)
    expect(labelsOf(shown)).toEqual([button])
    expect(shown.text).not.toMatch(/\/(topup|balance|statement|promo|export|delete_me|presets)/)
  })

  it('/chat without a text says how to ask in the group', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/chat')
    expect((await anna.sees(chat)).text).not.toMatch(/Write anything|Напишите что угодно/)
  })

  it('the button “Question” says how to ask in the group', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/start')
    await anna.taps(asks)
    await anna.sees(question)
  })
})

it('/help in a group with a wallet says that the wallet pays for orders', async () => {
  const { anna } = await groupOf()
  await anna.sends('/wallet')
  await anna.taps('Open a wallet')
  await anna.sends('/help')
  await anna.sees(/For an order: the group wallet\.\nFor an answer: the one who asks\./)
})

it("/invite in a group gives the link without the owner's earnings", async () => {
  const { anna } = await groupOf()
  await anna.sends('/invite')
  expect((await anna.sees(/start=ref_/)).text).not.toContain('Earned')
})

it('an old button for a top-up opens nothing in a group', async () => {
  const { anna } = await groupOf()
  await anna.sends('/settings')
  const { message_id } = await anna.sees('Язык / Language')
  for (const data of ['t', 't:10000', 't:10000:stars', 'te:10000:yookassa'])
    await anna.tapsData(message_id, data)
  await anna.isTold('Only in the private chat')
  expect(await anna.chat()).toHaveLength(2)
})

describe('a card in a group', () => {
  it('names its owner and the payer, without the balance', async () => {
    const { anna } = await groupOf()
    await anna.sends('/video a cat')
    await anna.sees(/Price: ₽?92.45.?₽?[^\n]*\n👤 Ordered and paid by Anna$/)
    await showsNoBalance(anna)
  })

  it('tells only its owner how much is missing', async () => {
    const { anna } = await groupOf()
    await anna.sends('/video a cat')
    await anna.taps(/^Duration/)
    await anna.taps(/^10 s/)
    await anna.taps(/^Generate · .?184.90/)
    await anna.isTold(/You’re ₽?84.90.?₽? short/)
    expect(labelsOf(await anna.sees(/Anna, your balance is not enough/))).toEqual(['Open the private chat'])
    await showsNoBalance(anna)
    expect(await anna.transcript()).not.toMatch(/[^1]84.90/)
  })

  it('cannot be changed by another member', async () => {
    const { anna, boris } = await groupOf()
    await anna.sends('/video a cat')
    await boris.taps(/^Generate/)
    await boris.isTold(/not yours/)
  })
})

describe('“Again” below the result of another user', () => {
  it('opens a card that belongs to the user who tapped and is paid by them', async () => {
    const { anna, boris } = await groupOf()
    await anna.sends('/image a red fox')
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.photo !== undefined)
    await boris.taps(/^🔁 Again · /)
    await boris.sees(/Prompt: a red fox[\s\S]*👤 Ordered and paid by Boris/)
    const own = (await sandbox.app.db.select().from(drafts)).filter(({ chatId }) => chatId === boris.chatId)
    expect(new Set(own.map(({ userId }) => userId)).size).toBe(2)
  })

  it('opens no card in another chat', async () => {
    const { anna } = await groupOf()
    await anna.sends('/image a blue fox')
    await anna.taps(/^Generate/)
    const result = await anna.sees((message) => message.photo !== undefined)
    const again = result.reply_markup?.inline_keyboard?.flat().find(({ text }) => text.startsWith('🔁 Again'))
    const eve = await sandbox.user('Eve')
    await eve.sends('/settings')
    const { message_id } = await eve.sees('Язык / Language')
    await eve.tapsData(message_id, again?.callback_data ?? '')
    await eve.isTold(/not yours/)
  })
})

it('in a group, a question that its author cannot pay is answered without an amount', async () => {
  const poor = await openSandbox('postgres', { WELCOME_CREDIT: '0' })
  const anna = await poor.user('Anna')
  const { id } = await poor.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  await anna.in(id).sends('/chat hello')
  const answer = await anna.in(id).sees(/Anna, your balance is not enough for an answer/)
  expect(labelsOf(answer)).toEqual(['Open the private chat'])
  expect(answer.text).not.toMatch(/₽/)
  await poor.stop()
})

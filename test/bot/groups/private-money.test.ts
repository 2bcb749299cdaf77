// No message in a group shows a balance. A card there says whose it is and who pays, and anybody may repeat an order for themselves.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../../support/users/user.ts'

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

/** Anna's balance is 100 ₽. */
const showsNoBalance = async (member: SandboxUser) =>
  expect(await member.transcript()).not.toMatch(/.?100.00|Balance:|Баланс:|Missing|Не хватает:/)

describe.each([
  [
    'en',
    /Your balance and top-ups are in our private chat/,
    /so I’ll answer in our private chat/,
    'Open the private chat',
  ],
  ['ru', /Баланс и пополнение — в личном чате/, /отвечу в личном чате/, 'Открыть личный чат'],
] as const)('in a group, in %s', (language, greeting, elsewhere, button) => {
  it('/start greets without the balance and leads to the private chat', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/start')
    expect(labelsOf(await anna.sees(greeting)).at(-1)).toBe(button)
    await showsNoBalance(anna)
  })

  it.each(['/balance', '/topup', '/topup 300', '/promo SPRING'])(
    '%s is answered with the way to the private chat',
    async (command) => {
      const { anna } = await groupOf(language)
      await anna.sends(command)
      expect(labelsOf(await anna.sees(elsewhere))).toEqual([button])
      await showsNoBalance(anna)
    },
  )
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
  it('/help lists what works there and who pays, and leads to the private chat for the rest', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/help')
    const shown = await anna.sees(help)
    expect(labelsOf(shown)).toEqual([button])
    expect(shown.text).not.toMatch(/\/(topup|balance|statement|promo|export|delete_me|presets)/)
  })

  it('/chat says how to ask there', async () => {
    const { anna } = await groupOf(language)
    await anna.sends('/chat')
    expect((await anna.sees(chat)).text).not.toMatch(/Write anything|Напишите что угодно/)
  })

  it('the button for a question says how to ask there', async () => {
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

it('/invite in a group gives the link without what its owner earned', async () => {
  const { anna } = await groupOf()
  await anna.sends('/invite')
  expect((await anna.sees(/start=ref_/)).text).not.toContain('Earned')
})

it('a button of an old message that tops up opens nothing in a group', async () => {
  const { anna } = await groupOf()
  await anna.sends('/settings')
  const { message_id } = await anna.sees('Язык / Language')
  for (const data of ['t', 't:10000', 't:10000:stars', 'te:10000:yookassa'])
    await anna.tapsData(message_id, data)
  await anna.isTold('Only in the private chat')
  expect(await anna.chat()).toHaveLength(2)
})

describe('a card in a group', () => {
  it('says whose it is and who pays, without the balance', async () => {
    const { anna } = await groupOf()
    await anna.sends('/video a cat')
    await anna.sees(/Price: ₽?92.45.?₽?[^\n]*\n👤 Ordered and paid by Anna$/)
    await showsNoBalance(anna)
  })

  it('that its owner cannot pay tells only them how much is missing', async () => {
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

  it('of somebody else is not theirs to change', async () => {
    const { anna, boris } = await groupOf()
    await anna.sends('/video a cat')
    await boris.taps(/^Generate/)
    await boris.isTold(/not yours/)
  })
})

describe('“Again” below a result of somebody else in the group', () => {
  it('opens a card of whoever tapped it, who pays for it', async () => {
    const { anna, boris } = await groupOf()
    await anna.sends('/image a red fox')
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.photo !== undefined)
    await boris.taps(/^🔁 Again · /)
    await boris.sees(/Prompt: a red fox[\s\S]*👤 Ordered and paid by Boris/)
    const own = (await sandbox.app.db.select().from(drafts)).filter(({ chatId }) => chatId === boris.chatId)
    expect(new Set(own.map(({ userId }) => userId)).size).toBe(2)
  })

  it('opens none in another chat', async () => {
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

it('a question that its author cannot pay is answered without an amount in a group', async () => {
  const poor = await openSandbox('postgres', { WELCOME_CREDIT: '0' })
  const anna = await poor.user('Anna')
  const { id } = await poor.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  await anna.in(id).sends('/chat hello')
  const answer = await anna.in(id).sees(/Anna, your balance is not enough for an answer/)
  expect(labelsOf(answer)).toEqual(['Open the private chat'])
  expect(answer.text).not.toMatch(/₽/)
  await poor.stop()
})

// No message in a group shows a balance. A card in a group names its owner and the payer, and every member can repeat an order at their
// own expense.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { alone, groupOf, newGroup } from '../../support/users/group.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxUser, textOf } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })
const privately = ['Open the private chat']

/** Checks that the group shows no balance; Anna's is 100 ₽. */
const showsNoBalance = async (member: SandboxUser) =>
  expect(await member.transcript()).not.toMatch(/.?100|Balance:|Missing/)

describe('in a group,', () => {
  it('/start greets without the balance, leads to the private chat, and its button says how to ask here', async () => {
    const { anna } = await newGroup(sandbox)
    const shown = await anna.asks('/start', /Your balance and top-ups are in our private chat/)
    expect(labelsOf(shown).at(-1)).toBe(privately[0])
    await showsNoBalance(anna)
    await anna.tapsFor('💬 Question', /^💬 Write \/chat why is the sky blue\?, mention @\w+/)
  })

  it.each([
    ['/balance', 'balance'],
    ['/topup 300', 'topup_300'],
    ['/promo', 'promo'],
    ['/delete_me', 'delete_me'],
  ])('%s is answered in the private chat, or by a link that goes on there', async (command, start) => {
    const { anna } = await newGroup(sandbox)
    const own = alone(anna)
    const link = await anna.asks(command, /Open our private chat and press “Start”/)
    expect(labelsOf(link)).toEqual(privately)
    expect(link.reply_markup?.inline_keyboard?.[0]?.[0]?.url).toMatch(new RegExp(`\\?start=${start}$`))
    const first = await own.asks(`/start ${start}`, ({ from }) => from?.is_bot === true)
    expect(
      labelsOf(
        await anna.asks(
          command.replace(/^\S+/, '$&@sandbox_generation_bot'),
          /I answered in our private chat/,
        ),
      ),
    ).toEqual(privately)
    const again = await own.sees(
      ({ from, message_id }) => from?.is_bot === true && message_id > first.message_id,
    )
    expect(textOf(again)).toBe(textOf(first))
    await showsNoBalance(anna)
    if (start !== 'promo') return
    await own.asks('NOSUCHCODE', /no such promo code/)
  })

  it('/help lists the commands for groups and who pays, and /chat says how to ask', async () => {
    const { anna } = await newGroup(sandbox)
    const shown = await anna.asks(
      '/help',
      /What I can do in this group[\s\S]*\/image[\s\S]*Orders: whoever places them[^\n]*\nAnswers: whoever asks\./,
    )
    expect(labelsOf(shown)).toEqual(privately)
    expect(shown.text).not.toMatch(/\/(topup|balance|statement|promo|export|delete_me|presets)/)
    const told = await anna.asks(
      '/chat',
      /To ask here, write \/chat your question, mention @\w+ or reply to one of my messages/,
    )
    expect(told.text).toContain('Whoever asks pays.')
    expect((await anna.asks('/invite', /start=ref_/)).text).not.toContain('Earned')
  })

  it('an old button for a top-up opens nothing', async () => {
    const { anna } = await newGroup(sandbox)
    const { message_id } = await anna.asks('/settings', 'Язык / Language')
    const forged = ['t', 't:10000', 't:10000:stars', 'te:10000:yookassa']
    for (const data of forged) await anna.tapsData(message_id, data)
    await expect.poll(async () => (await anna.answers()).length).toBe(forged.length)
    expect(await anna.chat()).toHaveLength(2)
  })

  it('a question that its author cannot pay is answered without an amount', async () => {
    const anna = await sandbox.user('Anna', 'en', { credit: '0' })
    const id = await groupOf(sandbox, anna)
    const answer = await anna.in(id).asks('/chat hello', /Anna, your balance isn’t enough for an answer/)
    expect(labelsOf(answer)).toEqual(privately)
    expect(answer.text).not.toMatch(/₽/)
  })
})

it('a card in a group names its owner and the payer, tells only its owner how much is missing, and is nobody else’s', async () => {
  const { anna, boris } = await newGroup(sandbox)
  await anna.asks('/video a cat', /Price: ₽92.45[^\n]*\n👤 Ordered and paid by Anna$/)
  await boris.hears(/^Generate/, /not yours/)
  await anna.tapsAll('⚙️ More', /^Duration/, /^10 s/, /^Generate · .?184.90/)
  await anna.isTold(/You’re ₽84.90 short/)
  expect(labelsOf(await anna.sees(/Anna, your balance isn’t enough/))).toEqual(privately)
  await showsNoBalance(anna)
  expect(await anna.transcript()).not.toMatch(/[^1]84.90/)
})

it('“Change” below the result of another user opens a card that belongs to the user who tapped, and none in another chat', async () => {
  const { anna, boris } = await newGroup(sandbox)
  await anna.opens('/image a red fox', /^Generate/)
  const result = await anna.sees((message) => message.photo !== undefined)
  await boris.tapsFor(/^✏️ Change/, /Prompt: a red fox[\s\S]*👤 Ordered and paid by Boris/)
  const own = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, boris.chatId))
  expect(new Set(own.map(({ userId }) => userId)).size).toBe(2)
  const change = dataOf(result, /^✏️ Change/)
  const eve = await sandbox.user('Eve')
  const { message_id } = await eve.asks('/settings', 'Язык / Language')
  await eve.tapsData(message_id, change)
  await eve.isTold(/not yours/)
})

// Cards beyond their prices: a top-up for a card above the balance, and settings that are reset, reused and saved by name.

import { expect, it } from 'vitest'
import { switches } from '../../src/db/schema.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const isShort = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('💳 Top up'))
/** Sends a card of ₽264.10 to a user whose balance is 100 ₽. */
async function shortCard(user: SandboxUser): Promise<SandboxMessage> {
  await user.sends('/video a cat')
  await user.taps('🎛 Model')
  await user.taps(/^Dream/)
  return user.sees(isShort)
}
const isInvoice = (message: SandboxMessage) => message.invoice !== undefined

it('a card above the balance tops up by its main button and is sent again with Generate; the paid invoice is removed', async () => {
  const anna = await sandbox.user('Anna')
  const card = await shortCard(anna)
  expect(labelsOf(card)).toContain('💳 Top up ₽170')
  expect(labelsOf(card).join()).not.toContain('Generate')
  await anna.taps('💳 Top up ₽170')
  await anna.taps('💳 Card')
  await anna.pays(await anna.sees(isInvoice))
  const added = await anna.sees(/₽170 added/)
  const cards = async () =>
    (await anna.chat()).filter(({ text }) => text?.includes('a cat') && text.includes('Price'))
  await expect.poll(async () => (await cards()).length).toBe(1)
  await expect.poll(async () => (await cards())[0]?.message_id).toBeGreaterThan(added.message_id)
  await anna.seesButton('Generate · ₽264.10')
  await expect.poll(async () => (await anna.chat()).filter(isInvoice)).toEqual([])
  await expect.poll(() => anna.transcript()).not.toContain('How would you like to pay')
})

it('a paid payment link is removed, and the card that waited for the money is sent again', async () => {
  const boris = await sandbox.user('Boris')
  await shortCard(boris)
  await boris.taps(/^💳 Top up/)
  await boris.sees(/How would you like to pay/)
  await boris.taps(/YooKassa/)
  const { url = '' } = await boris.taps('Pay ₽170')
  const body = new URLSearchParams({ method: 'card', action: 'pay' })
  await fetch(url, { method: 'POST', body })
  await boris.seesButton('Generate · ₽264.10')
  const payable = async () => (await boris.chat()).filter((message) => labelsOf(message).includes('Pay ₽170'))
  await expect.poll(payable).toEqual([])
  await expect.poll(() => boris.transcript()).not.toContain('How would you like to pay')
})

it('Generate on an open card whose price is now above the balance names the missing amount, and the card offers a top-up', async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/video a cat')
  const first = await dora.seesButton('Generate · ₽92.45')
  await dora.sends('/image a fox')
  await dora.taps('Generate · ₽5.28')
  await dora.sees(/Done in .* · ₽5.28/)
  await dora.sends('/image a fox')
  await dora.taps('Generate · ₽5.28')
  await dora.sees((message) => message.photo !== undefined)
  const generate = first.reply_markup?.inline_keyboard?.flat().find(({ text }) => /^Generate/.test(text))
  await dora.tapsData(first.message_id, generate?.callback_data ?? '')
  await dora.isTold(/You’re ₽3.01 short/)
  await dora.seesButton('💳 Top up ₽50')
})

it('a card in a group shows no balance, and is sent again after a top-up in the private chat', async () => {
  const emil = await sandbox.user('Emil')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Friends', members: [emil.id] })
  const inGroup = emil.in(id)
  await inGroup.sends('/video a cat')
  expect(labelsOf(await inGroup.seesButton(/^Generate/))).toEqual(['Generate · ₽92.45', '⚙️ More', '✖ Close'])
  await inGroup.taps('⚙️ More')
  await inGroup.taps('🎛 Model')
  await inGroup.taps(/^Dream/)
  const card = await inGroup.seesButton('Generate · ₽264.10')
  expect(card.text).not.toMatch(/Balance|Missing/)
  await inGroup.taps('Generate · ₽264.10')
  await inGroup.isTold(/.re ₽164.10 short/)
  await inGroup.sees(/your balance isn’t enough/)
  await emil.sends('/topup 200')
  await emil.taps('💳 Card')
  await emil.pays(await emil.sees(isInvoice))
  await inGroup.sees(
    (message) => message.message_id > card.message_id && labelsOf(message).includes('Generate · ₽264.10'),
  )
})

it('one tap on the next card of a model applies the settings of its last order', async () => {
  const gleb = await sandbox.user('Gleb')
  await gleb.sends('/image a fox')
  await gleb.taps('⚙️ More')
  expect(labelsOf(await gleb.seesButton('📌 Presets'))).not.toContain('↻ Same as last time')
  await gleb.taps('‹ Back')
  await gleb.taps(/^How many/)
  await gleb.taps('2')
  await gleb.taps('Generate · ₽10.56')
  await gleb.sees(/Done in .* · ₽10.56/)
  await gleb.sends('/image a dog')
  await gleb.taps('⚙️ More')
  await gleb.taps('↻ Same as last time')
  const card = await gleb.seesButton('Generate · ₽10.56')
  expect(card.text).toMatch(/Prompt: a dog/)
  expect(labelsOf(card)).toContain('How many: 2')
  await gleb.taps('⚙️ More')
  expect(labelsOf(await gleb.seesButton('📌 Presets'))).not.toContain('↻ Same as last time')
})

it('settings are saved by name, and can be applied to later cards or start a new card', async () => {
  const hugo = await sandbox.user('Hugo')
  await hugo.sends('/presets')
  await hugo.sees(/no presets yet/)
  await hugo.sends('/video a cat')
  await hugo.taps(/^Duration/)
  await hugo.taps('3 s')
  await hugo.taps('⚙️ More')
  await hugo.taps('📌 Presets')
  await hugo.taps('➕ Save as a preset')
  await hugo.sees(/Name of the preset/)
  await hugo.sends('x'.repeat(31))
  await hugo.sees('Too long: 31 characters, the limit is 30')
  await hugo.sends('Short clip')
  await hugo.sees(/Saved as “Short clip”[\s\S]*Price: ₽55.47/)

  await hugo.sends('/video a dog')
  await hugo.seesButton('Generate · ₽92.45')
  await hugo.taps('⚙️ More')
  await hugo.taps('📌 Presets')
  await hugo.taps('📌 Short clip')
  await hugo.isTold(/settings are on the card/)
  await hugo.seesButton('Generate · ₽55.47')

  await hugo.sends('/presets')
  await hugo.taps('Short clip · Reel')
  await hugo.sees(/Short clip · Reel\s+Duration: 3\s+s/)
  await hugo.taps('▶️ Use it')
  await hugo.sees(/Write the answer|Prompt/)
  await hugo.sends('a bird')
  await hugo.sees(/Prompt: a bird[\s\S]*Price: ₽55.47/)

  await hugo.taps('🗑 Delete')
  await hugo.sees(/no presets yet/)
})

it('a prompt that another model does not accept is kept: the card says why, and the first model accepts it again', async () => {
  const lena = await sandbox.user('Лена', 'ru')
  await lena.sends('/image лиса в лесу')
  await lena.taps('🎛 Модель')
  await lena.taps(/^Фото/)
  const kept = await lena.sees(/лиса в лесу[\s\S]*понимает только английский/)
  expect(labelsOf(kept).join()).not.toContain('Создать')
  await lena.taps('🎛 Модель')
  await lena.taps(/^Дизайн/)
  await lena.sees(/лиса в лесу[\s\S]*Цена: 5,28/)
  await lena.taps('🎛 Модель')
  await lena.taps(/^Фото/)
  await lena.taps(/^✏️ Описание/)
  await lena.sends('a fox in a forest')
  await lena.seesButton(/^Создать/)
})

it('a card says when another model replaces a model that is switched off', async () => {
  await sandbox.app.db.insert(switches).values({ name: 'model:MODEL-VIDEO-REEL', since: new Date() })
  const max = await sandbox.user('Max')
  await max.sends('/video a cat')
  await max.sees(/Reel isn’t available right now, so this is \w+/)
  await sandbox.app.db.delete(switches)
})

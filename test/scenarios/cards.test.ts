// Cards beyond their prices: a top-up for a card above the balance, and settings that are reset, reused and saved by name.

import { expect, it } from 'vitest'
import { groupOf } from '../support/users/group.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const isShort = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('💳 Top up'))
/** Sends a card of ₽264.10 to a user whose balance is 100 ₽. */
async function shortCard(user: SandboxUser): Promise<SandboxMessage> {
  await user.opens('/video a cat', '🎛 Model', /^Dream/)
  return user.sees(isShort)
}
const isInvoice = (message: SandboxMessage) => message.invoice !== undefined

it('a card above the balance tops up by its main button and is sent again with Generate; the paid invoice is removed', async () => {
  const anna = await sandbox.user('Anna')
  const card = await shortCard(anna)
  expect(labelsOf(card)).toContain('💳 Top up ₽170')
  expect(labelsOf(card).join()).not.toContain('Generate')
  await anna.pays(await anna.tapsFor(['💳 Top up ₽170', '💳 Card'], isInvoice))
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
  await boris.tapsFor(/^💳 Top up/, /How would you like to pay/)
  await boris.taps(/YooKassa/)
  const { url = '' } = await boris.taps('Pay ₽170')
  const body = new URLSearchParams({ method: 'card', action: 'pay' })
  await fetch(url, { method: 'POST', body })
  await boris.seesButton('Generate · ₽264.10')
  const payable = async () => (await boris.chat()).filter((message) => labelsOf(message).includes('Pay ₽170'))
  await expect.poll(payable).toEqual([])
  await expect.poll(() => boris.transcript()).not.toContain('How would you like to pay')
})

it('a card in a group shows no balance, and is sent again after a top-up in the private chat', async () => {
  const emil = await sandbox.user('Emil')
  const id = await groupOf(sandbox, emil)
  const inGroup = emil.in(id)
  await inGroup.sends('/video a cat')
  expect(labelsOf(await inGroup.seesButton(/^Generate/))).toEqual(['Generate · ₽92.45', '⚙️ More', '✖ Close'])
  await inGroup.tapsAll('⚙️ More', '🎛 Model', /^Dream/)
  const card = await inGroup.seesButton('Generate · ₽264.10')
  expect(card.text).not.toMatch(/Balance|Missing/)
  await inGroup.hears('Generate · ₽264.10', /.re ₽164.10 short/)
  await inGroup.sees(/your balance isn’t enough/)
  await emil.opens('/topup 200', '💳 Card')
  await emil.pays(await emil.sees(isInvoice))
  await inGroup.sees(
    (message) => message.message_id > card.message_id && labelsOf(message).includes('Generate · ₽264.10'),
  )
})

it('settings are saved by name, and can be applied to later cards or start a new card', async () => {
  const hugo = await sandbox.user('Hugo')
  await hugo.asks('/presets', /no presets yet/)
  await hugo.opens('/video a cat', /^Duration/, '3 s', '⚙️ More', '📌 Presets', '➕ Save as a preset')
  await hugo.sees(/Name of the preset/)
  await hugo.asks('x'.repeat(31), 'Too long: 31 characters, the limit is 30')
  await hugo.asks('Short clip', /Saved as “Short clip”[\s\S]*Price: ₽55.47/)

  await hugo.sends('/video a dog')
  await hugo.seesButton('Generate · ₽92.45')
  await hugo.tapsAll('⚙️ More', '📌 Presets', '📌 Short clip')
  await hugo.isTold(/settings are on the card/)
  await hugo.seesButton('Generate · ₽55.47')

  await hugo.opens('/presets', 'Short clip · Reel')
  await hugo.sees(/Short clip · Reel\s+Duration: 3\s+s/)
  await hugo.tapsFor('▶️ Use it', /Write the answer|Prompt/)
  await hugo.asks('a bird', /Prompt: a bird[\s\S]*Price: ₽55.47/)

  await hugo.tapsFor('🗑 Delete', /no presets yet/)
})

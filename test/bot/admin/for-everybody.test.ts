// Decisions of operators about everybody (switches, promo codes, broadcasts), and what users see of them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../../src/ledger/audit.ts'
import { atDesk } from '../../support/users/desk.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const bossId = 900_001
let sandbox: TestSandbox
let boss: SandboxUser
let desk: ReturnType<typeof atDesk>
beforeAll(async () => {
  sandbox = await openSandbox('postgres', {
    ADMIN_IDS: String(bossId),
    SUPPORT_CONTACT: '@help',
    TOPUP_ROUBLES_PER_STAR: '1',
  })
  boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  desk = atDesk(boss, sandbox)
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** An answer has a button with its price. */
const isAnswer = ({ reply_markup: keyboard }: SandboxMessage) =>
  JSON.stringify(keyboard ?? '').includes('₽0.') && JSON.stringify(keyboard).includes('Again')
const paidPicture = (message: SandboxMessage) => message.photo !== undefined
const hasBalance = async (user: SandboxUser, roubles: number) => {
  await user.sends('/balance')
  await user.sees(new RegExp(roubles.toFixed(2).replace('.', '[.,]')))
}

describe('the switches', () => {
  it('during maintenance users cannot order; operators can', async () => {
    const eva = await desk.newUser('Eva')
    await eva.sends('/image a fox')
    await eva.sees(/Price: ₽5.28/)
    await boss.sends('/admin')
    await boss.taps('🎚 Switches')
    await boss.taps('🛠 Begin maintenance')
    await boss.sees(/Stop all sales\?/)
    await boss.taps('✅ Yes')
    await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('End maintenance'))
    await eva.taps(/Generate/)
    await eva.isTold(/We’re doing maintenance/)
    await boss.sends('/image an owl')
    await boss.taps(/Generate/)
    await boss.sees(paidPicture)
    await boss.taps('✅ End maintenance')
    await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('Begin maintenance'))
    await eva.taps(/Generate/)
    await eva.sees(paidPicture)
  })

  it('during maintenance users cannot ask text models; operators can', async () => {
    const pat = await desk.newUser('Pat')
    await boss.sends('/admin')
    await boss.taps('🎚 Switches')
    await boss.taps('🛠 Begin maintenance')
    await boss.taps('✅ Yes')
    await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('End maintenance'))
    await pat.sends('/chat Why is the sea blue?')
    await pat.sees(/Answers are paused/)
    await boss.sends('/chat Why is the sea blue?')
    await boss.sees(isAnswer)
    await boss.taps('✅ End maintenance')
    await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('Begin maintenance'))
  })

  it('a model that is switched off is not on sale', async () => {
    const fred = await desk.newUser('Fred')
    await boss.sends('/admin')
    await boss.taps('🎚 Switches')
    await boss.taps(/🟢 Design/)
    await boss.sees(/Stop selling Design\?/)
    await boss.taps('✅ Yes')
    await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('🔴 Design'))
    await fred.sends('/image a fox')
    const card = await fred.sees(/Price: /)
    expect(card.text).not.toContain('Design')
    await boss.taps(/🔴 Design/)
    await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('🟢 Design'))
  })
})

it('a text model that is switched off answers no more, and a person in its conversation is offered another', async () => {
  const rose = await desk.newUser('Rose')
  await rose.sends('/chat Why is the sea blue?')
  await rose.sees(isAnswer)
  await boss.sends('/admin')
  await boss.taps('🎚 Switches')
  await boss.taps('🟢 Assistant')
  await boss.sees(/Stop selling Assistant\?/)
  await boss.taps('✅ Yes')
  await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('🔴 Assistant'))
  await rose.sends('/chat Why is the sky blue?')
  const offer = await rose.sees(/Assistant is switched off at the moment, so nothing was asked/)
  expect(JSON.stringify(offer.reply_markup)).not.toContain('Assistant')
  await rose.taps(/GPT · /)
  await rose.sends('/chat Why is the grass green?')
  await rose.sees(isAnswer)
  await boss.taps('🔴 Assistant')
  await boss.sees((message) => JSON.stringify(message.reply_markup ?? '').includes('🟢 Assistant'))
})

it('a promo code is created and redeemed', async () => {
  const gina = await desk.newUser('Gina')
  await boss.sends('/promo_add spring 100')
  await boss.sees(/Code, amount, number of people/)
  await boss.sends('/promo_add spring 100₽ 1 2099-12-31')
  await boss.sees(/Create the code SPRING: ₽100.00 for one person, until 2099-12-31\?/)
  await boss.taps('✅ Yes')
  await boss.sees(/SPRING: ₽100.00 for one person/)
  await boss.sends('/promo_add SPRING 5 5')
  await boss.sees(/SPRING: ₽5.00 for each of 5 people, ₽25.00 in all\?/)
  await boss.taps('✅ Yes')
  await boss.sees(/The code SPRING already exists/)
  await gina.sends('/promo spring')
  await hasBalance(gina, 600)
})

it('a promo code is ended after a confirmation, and nobody can use it then', async () => {
  const vera = await desk.newUser('Vera')
  await boss.sends('/promo_add winter 100₽ 5')
  await boss.taps('✅ Yes')
  await boss.sees(/WINTER: ₽100.00 for 5 people/)
  await boss.sends('/promo_end winter')
  await boss.sees(/End the code WINTER \(₽100.00, used 0 of 5\)\?/)
  await boss.taps('✅ Yes')
  await boss.sees('The code WINTER has ended.')
  await vera.sends('/promo winter')
  await vera.sees('This promo code has no uses left.')
  await boss.sends('/promo_end winter')
  await boss.sees(/There is no code WINTER, or it has ended already/)
})

it('a broadcast goes to all users who can be reached, after a preview', async () => {
  const [hugo, blocked] = [await desk.newUser('Hugo'), await desk.newUser('Kurt')]
  await blocked.blocks()
  await boss.sends('/broadcast')
  await boss.sees(/Send the message to broadcast/)
  await boss.sends('We have owls now')
  await boss.sees(/Broadcast [a-z0-9]{10}: not started[\s\S]*left: \d+/)
  expect((await hugo.chat()).some(({ text }) => text === 'We have owls now')).toBe(false)
  await sandbox.breaks('telegram', 'copyMessage', { kind: 'error', status: 429, retryAfter: 1 })
  await boss.taps('▶️ Start')
  await boss.sees(/Broadcast [a-z0-9]{10}: done[\s\S]*not reached: 1 ·/)
  await hugo.sees('We have owls now')
  expect((await hugo.chat()).filter(({ text }) => text === 'We have owls now')).toHaveLength(1)
})

it('a broadcast repeats a message whose answer was lost', async () => {
  const users = [await desk.newUser('Lena'), await desk.newUser('Mark')]
  const news = await boss.sends('We have cats now')
  await sandbox.breaks('telegram', 'copyMessage', { kind: 'cut', after: false })
  await boss.sends('/broadcast', { reply_to: news.message_id })
  await boss.sees(/cannot be copied/)
  await boss.sends('/broadcast', { reply_to: news.message_id })
  await boss.sees(/not started/)
  await sandbox.breaks('telegram', 'copyMessage', { kind: 'cut', after: true })
  await boss.taps('▶️ Start')
  for (const one of users) await one.sees('We have cats now')
})

// Decisions of operators about everybody (switches, promo codes, broadcasts), and what users see of them.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../support/users/desk.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let boss: SandboxUser
let desk: Desk
beforeAll(async () => {
  ;({ sandbox, boss, desk } = await openDesk())
})
afterAll(() => desk.close())

const isPicture = ({ photo }: SandboxMessage) => photo !== undefined

/** Asks a text model and waits for the answer, which has a button with its price. */
async function isAnswered(user: SandboxUser, question: string): Promise<void> {
  const { message_id: asked } = await user.sends(question)
  const isPriced = /"[^"]*₽0\.[^"]*"/
  await user.sees(
    ({ message_id, reply_markup }) => message_id > asked && isPriced.test(JSON.stringify(reply_markup ?? '')),
  )
}

/** Opens the switches, switches one off after the question, and waits for the button that switches it on. */
async function switchesOff(button: string | RegExp, question: RegExp, then: string | RegExp): Promise<void> {
  await boss.sends('/admin')
  await boss.taps('🎚 Switches')
  await boss.taps(button)
  await boss.sees(question)
  await boss.taps('✅ Yes')
  await boss.seesButton(then)
}

it('during maintenance, which begins after a Yes, users cannot order or ask text models; operators can', async () => {
  const eva = await desk.newUser('Eva')
  await boss.sends('/admin')
  await boss.taps('🎚 Switches')
  await boss.taps('🛠 Begin maintenance')
  await boss.sees(/Stop all sales\?/)
  await boss.taps('✖ No')
  await boss.sees(/Stop all sales\?[\s\S]*✖ No$/)
  await eva.sends('/image a fox')
  await eva.taps(/Generate/)
  await eva.sees(isPicture)
  await eva.sends('/image an owl')
  await eva.sees(/an owl[\s\S]*Price: ₽5.28/)
  await switchesOff('🛠 Begin maintenance', /Stop all sales\?/, '✅ End maintenance')
  await eva.taps(/Generate/)
  await eva.isTold(/We’re doing maintenance/)
  await eva.sends('/chat Why is the sea blue?')
  await eva.sees(/Answers are paused/)
  await isAnswered(boss, '/chat Why is the sea blue?')
  await boss.sends('/image an owl')
  await boss.taps(/Generate/)
  await boss.sees(isPicture)
  await boss.taps('✅ End maintenance')
  await expect.poll(async () => (await boss.chat()).flatMap(labelsOf)).not.toContain('✅ End maintenance')
  await eva.taps(/Generate/)
  await expect.poll(async () => (await eva.chat()).filter(isPicture)).toHaveLength(2)
})

it('a model that is switched off is not on sale', async () => {
  const fred = await desk.newUser('Fred')
  await switchesOff(/🟢 Design/, /Stop selling Design\?/, /🔴 Design/)
  await fred.sends('/image a fox')
  expect((await fred.sees(/Price: /)).text).not.toContain('Design')
  await boss.taps(/🔴 Design/)
  await boss.seesButton(/🟢 Design/)
})

it('a text model that is switched off answers no more, and a person in its conversation is offered another', async () => {
  const rose = await desk.newUser('Rose')
  await isAnswered(rose, '/chat Why is the sea blue?')
  await switchesOff('🟢 Assistant', /Stop selling Assistant\?/, '🔴 Assistant')
  await rose.sends('/chat Why is the sky blue?')
  const offer = await rose.sees(/Assistant is switched off at the moment, so nothing was asked/)
  expect(JSON.stringify(offer.reply_markup)).not.toContain('Assistant')
  await rose.taps(/GPT · /)
  await isAnswered(rose, '/chat Why is the grass green?')
  await boss.taps('🔴 Assistant')
  await boss.seesButton('🟢 Assistant')
})

it('a promo code is created, redeemed and ended, each once', async () => {
  const [gina, vera] = [await desk.newUser('Gina'), await desk.newUser('Vera')]
  await desk.asks('/promo_add spring 100', /Code, amount, number of people/)
  const question = /Create the code SPRING: ₽100 for 5 people, until 2099-12-31\?|SPRING: ₽100 for each of 5/
  await desk.does('/promo_add spring 100₽ 5 2099-12-31', question, /SPRING: ₽100/)
  const another = /SPRING: ₽5 for each of 5 people, ₽25 in all\?/
  await desk.does('/promo_add SPRING 5 5', another, /The code SPRING already exists/)
  await gina.sends('/promo spring')
  await desk.hasBalance(gina, '₽600')
  const end = /End the code SPRING \(₽100, used 1 of 5\)\?/
  await desk.does('/promo_end spring', end, /The code SPRING has ended\./)
  await vera.sends('/promo spring')
  await vera.sees('This promo code has no uses left.')
  await desk.hasBalance(vera, '₽500')
  await desk.asks('/promo_end spring', /There is no code SPRING, or it has ended already/)
})

it('a broadcast goes to all users who can be reached, after a preview', async () => {
  const [hugo, blocked] = [await desk.newUser('Hugo'), await desk.newUser('Kurt')]
  await blocked.blocks()
  await desk.asks('/broadcast', /Send the message to broadcast/)
  await desk.asks('We have owls now', /Broadcast [a-z0-9]{10}: not started[\s\S]*left: \d+/)
  const copies = async () => (await hugo.chat()).filter(({ text }) => text === 'We have owls now')
  expect(await copies()).toEqual([])
  await sandbox.breaks('telegram', 'copyMessage', { kind: 'error', status: 429, retryAfter: 1 })
  await boss.taps('▶️ Start')
  await boss.sees(/Broadcast [a-z0-9]{10}: done[\s\S]*not reached: 1 ·/)
  await hugo.sees('We have owls now')
  expect(await copies()).toHaveLength(1)
  await hugo.taps('🔕 No more news')
  await hugo.isTold(/No more news/)
  await desk.asks('/broadcast', /Send the message to broadcast/)
  const preview = await desk.asks('And mice', /To: Everybody[\s\S]*left: \d+/)
  await boss.taps('Have paid')
  await boss.sees(/To: Have paid[\s\S]*left: 0/)
  await boss.taps('Everybody')
  await boss.sees(/To: Everybody[\s\S]*left: [1-9]/)
  await boss.taps('▶️ Start')
  await desk.seesBelow(preview, /: done[\s\S]*Sent: [1-9]/)
  expect((await hugo.chat()).filter(({ text }) => text === 'And mice')).toEqual([])
})

it('a broadcast repeats a message whose answer was lost', async () => {
  const users = [await desk.newUser('Lena'), await desk.newUser('Mark')]
  const news = await boss.sends('We have cats now')
  await sandbox.breaks('telegram', 'copyMessage', { kind: 'cut', after: false })
  await desk.asks('/broadcast', /cannot be copied/, { reply_to: news.message_id })
  await desk.asks('/broadcast', /not started/, { reply_to: news.message_id })
  await sandbox.breaks('telegram', 'copyMessage', { kind: 'cut', after: true })
  await boss.taps('▶️ Start')
  for (const one of users) await one.sees('We have cats now')
})

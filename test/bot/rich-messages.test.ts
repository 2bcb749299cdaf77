// Rich messages (Bot API 10.1) in place of texts: a formatted or pasted message is read wherever a text is read.

import { beforeEach, expect, it } from 'vitest'
import { newGroup } from '../support/users/group.ts'
import { turnsIn } from '../support/users/order.ts'
import { jpeg } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../support/users/user.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

const sandbox = await sharedSandbox({ credit: '100' })
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const paragraph = (...text: unknown[]) => ({ type: 'paragraph', text })
const rich = (...blocks: unknown[]) => ({ rich_message: { blocks } })
const said = (text: string) => rich(paragraph(text))
/** A command as Telegram marks it. */
const command = (name: string) => ({ type: 'bot_command', text: name, bot_command: name })
const picture = ({ photo }: SandboxMessage) => ({ type: 'photo', photo })

it('a question is asked with its lines, its links and its code', async () => {
  await anna.sendsContent(
    rich(
      { type: 'heading', size: 1, text: 'Help' },
      paragraph('what does ', { type: 'url', text: 'this page', url: 'https://a.org/' }, ' say? [short]'),
      { type: 'list', items: [{ label: '•', blocks: [paragraph('briefly')] }] },
      { type: 'pre', language: 'js', text: 'a()' },
    ),
  )
  await anna.sees(/short answer/)
  const [turn] = await turnsIn(sandbox, anna)
  expect(turn?.question).toBe(
    'Help\n\nwhat does [this page](https://a.org/) say? [short]\n\n• briefly\n\n```js\na()\n```',
  )
})

it('a command opens its card, also unmarked or in bold', async () => {
  await anna.sendsContent(rich(paragraph(command('/image'), ' a red fox')))
  await anna.sees(/Prompt: a red fox/)
  await anna.sendsContent(rich(paragraph('/image a ', { type: 'bold', text: 'blue' }, ' fox')))
  await anna.sees(/Prompt: a blue fox/)
  await anna.sendsContent(rich(paragraph({ type: 'bold', text: '/balance' })))
  await anna.sees(/Balance: ₽100/)
})

it('the prompt that is asked for after a command is taken', async () => {
  await anna.sends('/image')
  await anna.sees(/For example/)
  await anna.sendsContent(said('a blue fox'))
  await anna.sees(/Prompt: a blue fox/)
})

it('an amount and a promo code are taken', async () => {
  await anna.sends('/topup')
  await anna.sees('How much?')
  await anna.sendsContent(said('750'))
  await anna.sees('How would you like to pay ₽750?')
  await makePromos(sandbox.app.db, { code: 'RICH', amount: 50_00n, maxUses: 9, createdAt: new Date() })
  await anna.sends('/promo')
  await anna.sees('What’s your promo code?')
  await anna.sendsContent(said('rich'))
  await anna.sees(/₽50 added/)
})

it('a question about a picture that is in it is asked with the picture', async () => {
  const photo = await anna.sendsFile(await jpeg())
  await anna.sendsContent(rich(paragraph('what is on it?'), picture(photo)))
  await anna.taps(/^💬 Ask · /)
  await anna.sees(/looked at what you attached/)
  expect(await turnsIn(sandbox, anna)).toMatchObject([
    { question: 'what is on it?', files: [{ medium: 'image' }] },
  ])
})

it('a question about the first of several pictures says that the others are not taken', async () => {
  const photo = await anna.sendsFile(await jpeg())
  await anna.sendsContent(rich(paragraph('what is on it?'), picture(photo), picture(photo)))
  await anna.sees('I took only the first file of this message')
})

it('an edited question is asked again', async () => {
  const question = await anna.sendsContent(said('what is rain? [short]'))
  await anna.sees(/short answer/)
  await anna.edits(question, said('what is snow? [short]'))
  await anna.sees(/snow[\s\S]*short answer|short answer[\s\S]*snow/)
  expect((await turnsIn(sandbox, anna)).map((turn) => turn.question)).toEqual([
    'what is rain? [short]',
    'what is snow? [short]',
  ])
})

it('a reply to it, and a quotation of it, are asked with its words', async () => {
  const { boris: group, anna: one } = await newGroup(sandbox)
  const before = await group.sendsContent(said('Whales sing.'))
  const at = `@sandbox_generation_bot`
  await one.sends(`${at} why? [short]`, { reply_to: before.message_id })
  await one.sees(/short answer/)
  await one.sends(`${at} who? [short]`, { reply_to: before.message_id, quote: 'Whales' })
  await expect
    .poll(async () => (await turnsIn(sandbox, one)).map(({ question }) => question))
    .toEqual(['> Whales sing.\n\nwhy? [short]', '> Whales\n\nwho? [short]'])
})

it('a mention in a group is answered', async () => {
  const { anna: one } = await newGroup(sandbox)
  const bot = { type: 'mention', text: '@sandbox_generation_bot', username: 'sandbox_generation_bot' }
  await one.sendsContent(rich(paragraph(bot, ' what is hail? [short]')))
  await one.sees(/short answer/)
})

it('one with nothing that can be read is answered with what the bot accepts', async () => {
  await anna.sendsContent(rich({ type: 'hologram' }))
  await anna.sees(/Send me text, a picture/)
})

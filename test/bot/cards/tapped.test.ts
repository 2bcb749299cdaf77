// Which message is the card of a draft when the stored message id is not that of the tapped message.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())

beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const store = (cardMessageId: number | null) =>
  sandbox.app.db.update(drafts).set({ cardMessageId }).where(eq(drafts.chatId, anna.id))

const cards = async () =>
  (await anna.chat()).filter((message) => labelsOf(message).some((label) => label.startsWith('Generate')))

const generateOf = ({ reply_markup }: SandboxMessage): string => {
  const buttons = reply_markup?.inline_keyboard?.flat() ?? []
  return buttons.find(({ text }) => text.startsWith('Generate'))?.callback_data ?? ''
}

/** Sends a card between two other messages of the bot. @returns the card, and the message before and after it */
async function cardBetween() {
  await anna.sends('/balance')
  const before = await anna.sees('Balance')
  await anna.sends('/image a cat')
  const card = await anna.seesButton(/^Generate/)
  await anna.sends('/unknown')
  const after = await anna.sees('I don’t know this command')
  return { before, card, after }
}

it('a card can be ordered from before its message id is stored, and the previous card is removed', async () => {
  const { before } = await cardBetween()
  await store(before.message_id)
  await anna.taps(/^Generate/)
  await anna.sees((message) => message.photo !== undefined)
  expect((await anna.chat()).map((one) => one.message_id)).not.toContain(before.message_id)
})

it('a tapped card whose message id was never stored becomes the card of the draft', async () => {
  await cardBetween()
  await store(null)
  await anna.taps(/^Aspect ratio/)
  await anna.taps('16:9')
  await anna.seesButton(/^Aspect ratio: 16:9/)
  await anna.taps(/^Generate/)
  await anna.sees((message) => message.photo !== undefined)
  expect(await cards()).toEqual([])
})

it('a tap on a card older than the stored one is refused with a reference to the last card', async () => {
  const { card, after } = await cardBetween()
  await store(after.message_id)
  await anna.taps(/^Generate/)
  await anna.isTold('This is an old card. Use the last one.')
  expect(await cards()).toEqual([card])
})

it('a newer message without the tapped button does not become the card of the draft', async () => {
  const { card, after } = await cardBetween()
  await anna.tapsData(after.message_id, generateOf(card))
  await anna.isTold('This is an old card. Use the last one.')
  expect(await cards()).toEqual([card])
})

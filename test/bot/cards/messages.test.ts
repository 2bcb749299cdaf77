// The message of a card: which one is the card of a draft when the stored message id is not that of the tapped message, what happens when
// Telegram refuses to delete it, and a prompt that the model does not accept.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const store = (cardMessageId: number | null) =>
  sandbox.app.db.update(drafts).set({ cardMessageId }).where(eq(drafts.chatId, anna.id))
const cards = async () =>
  (await anna.chat()).filter((message) => labelsOf(message).some((label) => label.startsWith('Generate')))
const isOld = 'This is an old card. Use the last one.'

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

it('neither an older card nor a newer message without the tapped button is the card of the draft', async () => {
  const { card, after } = await cardBetween()
  const buttons = card.reply_markup?.inline_keyboard?.flat() ?? []
  const generate = buttons.find(({ text }) => text.startsWith('Generate'))?.callback_data ?? ''
  await anna.tapsData(after.message_id, generate)
  await anna.isTold(isOld)
  await store(after.message_id)
  await anna.taps(/^Generate/)
  await expect.poll(async () => (await anna.answers()).map(({ text }) => text)).toEqual([isOld, isOld])
  expect(await cards()).toEqual([card])
})

it.each([
  ['by its button', (user: SandboxUser) => user.taps('✖ Close')],
  ['by /cancel', (user: SandboxUser) => user.sends('/cancel')],
])('a card that Telegram does not delete loses its buttons when it is cancelled %s', async (_, cancels) => {
  await anna.sends('/image a fox')
  const card = await anna.seesButton(/^Generate/)
  const description = "Bad Request: message can't be deleted for everyone"
  await sandbox.breaks('telegram', 'deleteMessage', { kind: 'error', status: 400, description })
  await cancels(anna)
  const labels = async () =>
    (await anna.chat()).filter(({ message_id }) => message_id === card.message_id).flatMap(labelsOf)
  await expect.poll(labels).toEqual([])
})

describe('a dialogue of three speakers', () => {
  const crowd = 'Anna: hi\nBoris: hello\nVera: hey'
  let question: SandboxMessage
  beforeEach(async () => {
    await anna.sends(`/dialogue ${crowd}`)
    question = await anna.sees(/More than two speakers \(Anna, Boris, Vera\)/)
    expect(textOf(question)).toContain(crowd)
  })

  it('is refused in one message that repeats its text and asks for a correction', async () => {
    expect((await anna.chat()).filter(({ from }) => from?.is_bot === true)).toHaveLength(1)
    await anna.sends('Anna: hi\nBoris: hello')
    await anna.sees(/Boris: hello[\s\S]*Price/)
  })

  it('stays on its card for a correction, and becomes the text of another model', async () => {
    await anna.taps(/Settings first/)
    await anna.sees(/⚠️ More than two speakers \(Anna, Boris, Vera\)/)
    await anna.taps(/Script/)
    const again = await anna.sees(
      (message) => message.message_id > question.message_id && /\nScript\n/.test(textOf(message)),
    )
    expect(textOf(again)).toContain(crowd)
    await anna.taps(/^🎛 Model/)
    await anna.taps(/^Turbo voice/)
    await anna.sees(/Vera: hey[\s\S]*Price/)
  })
})

// The message of a card: which one is the card of a draft, what happens when Telegram refuses to delete it, a prompt that the model does
// not accept, and settings that are written around a prompt.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { parametersIn } from '../../../src/bot/cards/parameters.ts'
import { drafts } from '../../../src/db/schema.ts'
import { loadTexts } from '../../../src/texts.ts'
import { everythingSold } from '../../support/sold.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

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
  const before = await anna.asks('/balance', 'Balance')
  await anna.sends('/image a cat')
  const card = await anna.seesButton(/^Generate/)
  const after = await anna.asks('/unknown', 'I don’t know this command')
  return { before, card, after }
}

it('a card can be ordered from before its message id is stored, and the previous card is removed', async () => {
  const { before } = await cardBetween()
  await store(before.message_id)
  await anna.tapsFor(/^Generate/, (message) => message.photo !== undefined)
  expect((await anna.chat()).map((one) => one.message_id)).not.toContain(before.message_id)
})

it('a tapped card whose message id was never stored becomes the card of the draft', async () => {
  await cardBetween()
  await store(null)
  await anna.tapsAll(/^Aspect ratio/, '16:9')
  await anna.seesButton(/^Aspect ratio: 16:9/)
  await anna.tapsFor(/^Generate/, (message) => message.photo !== undefined)
  expect(await cards()).toEqual([])
})

it('neither an older card nor a newer message without the tapped button is the card of the draft', async () => {
  const { card, after } = await cardBetween()
  await anna.tapsData(after.message_id, dataOf(card, /^Generate/))
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
    question = await anna.asks(`/dialogue ${crowd}`, /More than two speakers \(Anna, Boris, Vera\)/)
    expect(textOf(question)).toContain(crowd)
  })

  it('is refused in one message that repeats its text and asks for a correction', async () => {
    expect((await anna.chat()).filter(({ from }) => from?.is_bot === true)).toHaveLength(1)
    await anna.asks('Anna: hi\nBoris: hello', /Boris: hello[\s\S]*Price/)
  })

  it('stays on its card for a correction, and becomes the text of another model', async () => {
    await anna.tapsFor(/Settings first/, /⚠️ More than two speakers \(Anna, Boris, Vera\)/)
    const again = await anna.tapsFor(
      /Script/,
      (message) => message.message_id > question.message_id && /\nScript\n/.test(textOf(message)),
    )
    expect(textOf(again)).toContain(crowd)
    await anna.tapsFor([/^🎛 Model/, /^Turbo voice/], /Vera: hey[\s\S]*Price/)
  })
})

describe('`/video 10s 16:9 720p a cat`:', () => {
  const texts = loadTexts()

  const found = (modelId: string, words: string) => {
    const model = everythingSold.catalog.find(modelId)
    if (!model) throw new Error(modelId)
    return parametersIn(texts, model, {}, words)
  }

  it('takes what is surely a setting from both ends, and leaves every other word in the prompt', () => {
    const reel = 'MODEL-VIDEO-REEL'
    const cases: [model: string, words: string, rest: string, answers: object][] = [
      [reel, '10s 16:9 720p a cat', 'a cat', { duration: 10, size: '1280x720' }],
      [reel, 'кот на крыше, 10 секунд', 'кот на крыше', { duration: 10 }],
      [reel, '7 samurai', '7 samurai', {}],
      [reel, 'a cat at 10 s past noon', 'a cat at 10 s past noon', {}],
      [reel, '99s a cat', '99s a cat', {}],
      [reel, '10s', '', { duration: 10 }],
      [reel, '5s 10s a cat', '10s a cat', { duration: 5 }],
      [reel, '5 stars', '5 stars', {}],
      ['MODEL-IMAGE-PHOTO', 'a cat 9x16', 'a cat', { aspectRatio: '9:16' }],
      ['MODEL-SPEECH-TURBO', '10s left', '10s left', {}],
    ]
    expect(
      cases.map(([model, words]) => [model, words, found(model, words).words, found(model, words).answers]),
    ).toEqual(cases)
  })

  it('the taken settings are told, and one tap makes them words again', async () => {
    const anna = await sandbox.user('Anna')
    await anna.asks('/video 10s a cat', /I took these settings from your words: Duration: 10\ss/)
    await anna.seesButton('Generate · ₽184.90')
    await anna.tapsFor('That’s part of the prompt', /Prompt: 10s a cat/)
    await anna.seesButton('Generate · ₽92.45')
  })

  it('a prompt that was changed since is not replaced', async () => {
    const boris = await sandbox.user('Boris', 'ru')
    await boris.asks('/video 10s кот', /взято в настройки: Длительность: 10\sс/)
    await boris.taps(/^✏️ Описание/)
    await boris.asks('пёс', /Описание: пёс/)
    await boris.hears('Это часть описания', /с тех пор изменилось/)
    await boris.seesButton('Создать · 184,90 ₽')
  })
})

// Cards: the message of a card, settings around a prompt, top-ups for a card above the balance, saved settings, and “Again” below a result.

import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parametersIn } from '../../../src/bot/cards/parameters.ts'
import { drafts, generations, switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { loadTexts } from '../../../src/texts.ts'
import { everythingSold } from '../../support/sold.ts'
import { groupOf } from '../../support/users/group.ts'
import { order, requestOf } from '../../support/users/order.ts'
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

it('a card that Telegram does not delete loses its buttons when it is cancelled', async () => {
  await anna.sends('/image a fox')
  const card = await anna.seesButton(/^Generate/)
  const description = "Bad Request: message can't be deleted for everyone"
  await sandbox.breaks('telegram', 'deleteMessage', { kind: 'error', status: 400, description })
  await anna.sends('/cancel')
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
    const [reel, dream] = ['MODEL-VIDEO-REEL', 'MODEL-VIDEO-DREAM'] as const
    const cases: [model: string, words: string, rest: string, answers: object][] = [
      [reel, '10s 16:9 720p a cat', 'a cat', { duration: 10, size: '1280x720' }],
      [reel, 'кот на крыше, 10 секунд', 'кот на крыше', { duration: 10 }],
      [reel, '7 samurai', '7 samurai', {}],
      [reel, 'a cat at 10 s past noon', 'a cat at 10 s past noon', {}],
      [reel, '99s a cat', '99s a cat', {}],
      [reel, '10s', '', { duration: 10 }],
      [reel, '5s 10s a cat', '10s a cat', { duration: 5 }],
      [reel, '5 stars', '5 stars', {}],
      ['MODEL-IMAGE-DESIGN', '1024x768 a cat', 'a cat', { exact_size: '1024x768' }],
      ['MODEL-IMAGE-DESIGN', 'a clock at 12:30', 'a clock at 12:30', {}],
      ['MODEL-IMAGE-DESIGN', 'a 2x2 grid of cats, 2x2', 'a 2x2 grid of cats, 2x2', {}],
      ['MODEL-IMAGE-PHOTO', 'a cat 9x16', 'a cat', { aspectRatio: '9:16' }],
      ['MODEL-SPEECH-TURBO', '10s left', '10s left', {}],
      [reel, 'вертикально, 10 секунд, танцующий кот', 'танцующий кот', { duration: 10, size: '1088x1920' }],
      [reel, 'Вертикальное видео: кот', 'кот', { size: '1088x1920' }],
      [reel, 'a cat, horizontal, for 8 seconds', 'a cat', { duration: 8, size: '1920x1088' }],
      [reel, 'кот в формате 9х16 на 10 секунд', 'кот', { duration: 10, size: '1088x1920' }],
      [reel, 'a cat, square video', 'a cat', { size: '1440x1440' }],
      [reel, 'vertical video', '', { size: '1088x1920' }],
      ...[
        'Red Square video',
        'mountain landscape video',
        'portrait video of grandma',
        'Вертикально взлетающий самолёт',
        'Horizontally striped shirt',
        'Жалюзи, вертикальные',
        'Кот, широкими видео',
        'Бомба взорвётся через 10 секунд',
        'a bell rings every 10s',
        `${' '.repeat(60_000)}b 10s`,
      ].map((words): [string, string, string, object] => [reel, words, words, {}]),
      [reel, 'на 8 секунд', '', { duration: 8 }],
      ['MODEL-IMAGE-DESIGN', 'Ковёр 200x300', 'Ковёр 200x300', {}],
      ['MODEL-IMAGE-DESIGN', 'how much is 256*300', 'how much is 256*300', {}],
      ['MODEL-IMAGE-DESIGN', 'a rug 300х256', 'a rug', { exact_size: '300х256' }],
      ['MODEL-SPEECH-TURBO', 'Подождите 2 секунды', 'Подождите 2 секунды', {}],
      [reel, 'vertical farm', 'vertical farm', {}],
      [reel, 'камера поднимается вертикально', 'камера поднимается вертикально', {}],
      ['MODEL-IMAGE-PHOTO', 'landscape, mountains', 'landscape, mountains', {}],
      [reel, 'кот 1920х1080 720п', 'кот 1920х1080', { size: '720p' }],
      [reel, 'кот 720х1280', 'кот', { size: '720x1280' }],
      ['MODEL-VIDEO-WAN', '1920x1080 a cat', 'a cat', { size: '1920x1080' }],
      [dream, 'a cat in 4k', 'a cat', { resolution: '4k' }],
      [dream, 'a 1280x720 cat', 'a 1280x720 cat', {}],
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

  it('words for a shape, pixels and Cyrillic units are values on a page, too', async () => {
    const boris = await sandbox.user('Boris', 'ru')
    await boris.opens('/video кот', /^Пропорции/)
    await boris.sends('вертикальное видео')
    await boris.tapsAll('Пропорции: 9:16')
    await boris.sends('квадрат')
    await boris.tapsAll('Пропорции: 1:1')
    await boris.sends('1280x720')
    await boris.seesButton('Пропорции: 16:9')
    await boris.tapsAll('⚙️ Ещё', 'Качество: 720p')
    await boris.asks('480п', /Качество: 480p/)
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

const isShort = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('💳 Top up'))
/** Sends a card of ₽264.10 to a user whose balance is 100 ₽. */
async function shortCard(user: SandboxUser): Promise<SandboxMessage> {
  await user.opens('/video a cat', '🎛 Model', /^Dream/)
  return user.sees(isShort)
}
const isInvoice = (message: SandboxMessage) => message.invoice !== undefined

it('a paid payment link is removed, and the card that waited for the money is sent again', async () => {
  const boris = await sandbox.user('Boris', 'en', { credit: '100' })
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
  const emil = await sandbox.user('Emil', 'en', { credit: '100' })
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

const { db } = sandbox.app
afterEach(async () => void (await db.delete(switches)))

const switchOff = async (...ids: string[]) => {
  const rows = ids.map((id) => ({ name: modelSwitch(id), since: new Date(), operatorId: 1 }))
  await db.insert(switches).values(rows)
}

it('a double tap orders once, also when the request now has another value of the operator', async () => {
  const anna = await sandbox.user('Anna')
  const id = await order(sandbox, anna, '/image a fox')
  await anna.taps(/^⋯/)
  const result = await anna.seesButton(/^🔁 Again · /)
  const [{ request } = { request: {} }] = await db.select().from(generations).where(eq(generations.id, id))
  const formerly = Object.assign({}, request, { formerly: 'sent' })
  await db.update(generations).set({ request: formerly }).where(eq(generations.id, id))
  const again = dataOf(result, /Again/)
  const taps = () => anna.tapsData(result.message_id, again)
  await Promise.all([taps(), taps()])
  await expect.poll(async () => (await anna.answers()).length).toBeGreaterThanOrEqual(4)
  expect(await db.$count(generations, eq(generations.chatId, anna.chatId))).toBe(2)
  await db.update(generations).set({ request }).where(eq(generations.id, id))
})

describe('when the model of the result has been switched off,', () => {
  it('“Again” opens a card of another model and orders nothing', async () => {
    const anna = await sandbox.user('Anna', 'ru')
    await order(sandbox, anna, '/image a fox')
    await switchOff('MODEL-IMAGE-DESIGN')
    await anna.tapsFor([/^⋯/, /^🔁 Ещё раз · /], /⚠️ Модель «Дизайн» сейчас недоступна, вместо неё «Фото»/)
    await anna.sees(/^🖼 Картинка · Фото[\s\S]*a fox[\s\S]*Цена/)
    expect(await db.$count(generations, eq(generations.chatId, anna.chatId))).toBe(1)
    expect((await anna.answers()).filter(({ text }) => /изменились/.test(text ?? ''))).toEqual([])
  })

  it('“Change” and “Again” open a card, which says when no other model can replace it', async () => {
    const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
    for (const one of [anna, boris]) await order(sandbox, one, '/image a fox')
    await switchOff('MODEL-IMAGE-DESIGN')
    await anna.tapsFor(/^✏️/, /Photo[\s\S]*a fox[\s\S]*Price/)
    await switchOff('MODEL-IMAGE-PHOTO')
    await boris.tapsFor([/^⋯/, /^🔁 Again · /], /a fox[\s\S]*This model is unavailable/)
  })

  it('“Again” names the settings that the other model lacks', async () => {
    const anna = await sandbox.user('Anna')
    await anna.opens('/video a cat', '🎛 Model', /^Dream/, '⚙️ More', 'Loop: off')
    await anna.seesButton('Loop: on')
    await requestOf(sandbox, anna)
    await switchOff('MODEL-VIDEO-DREAM')
    await anna.tapsFor(
      /^🔁 Again · /,
      /Dream isn’t available right now[\s\S]*No longer fits, so I reset it: Loop/,
    )
  })
})

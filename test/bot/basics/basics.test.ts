// /start, prices, the legal texts, commands that the bot does not know, messages that it cannot use, the flood limit, and a Telegram that
// does not answer.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { similarCommand } from '../../../src/bot/basics/fallback.ts'
import { createBuckets } from '../../../src/bot/basics/recognise.ts'
import { generations, switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { loadTexts } from '../../../src/texts.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { newGroup } from '../../support/users/group.ts'
import { openSandbox, sharedSandbox, type TestSandbox, withoutLinks } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
afterEach(async () => void (await sandbox.app.db.delete(switches)))

const isPhoto = (message: SandboxMessage) => message.photo !== undefined

it('a new user sees the welcome credit, a button for each product on sale, and the price of the example', async () => {
  const anna = await sandbox.user('Anna', 'ru')
  const shown = await anna.asks('/start', /Здравствуйте, Anna!/)
  expect(shown.text).toMatch(/500\s₽ в подарок уже на балансе: это 94 картинки или 5 видео\./)
  const [example, ...others] = labelsOf(shown)
  expect(example).toMatch(/^▶️ Попробовать · \d+,\d\d\s₽$/)
  expect(others.map((label) => label.replace(/,00|\s/g, ''))).toEqual([
    '🖼Картинка:5₽',
    '🎬Видео:92₽',
    '🗣Озвучка:<1₽',
    '👥Диалог:7₽',
    '🎵Музыка:7₽',
    '🧊3D:192₽',
    '💬Вопрос:<1₽',
    '💳Пополнить',
  ])
})

it('a tap on the example at an outdated price opens a card and orders nothing', async () => {
  const clara = await sandbox.user('Clara')
  const shown = await clara.asks('/start', /Hello, Clara!/)
  await clara.tapsData(shown.message_id, 'bx:1')
  await clara.isTold(/price|changed/i)
  await clara.sees((message) => labelsOf(message).some((label) => label.startsWith('Generate')))
  expect((await clara.chat()).some(isPhoto)).toBe(false)
})

it('a button of /start does the same as its command', async () => {
  const dora = await sandbox.user('Dora')
  await dora.opens('/start', /^🎬 Video/)
  await dora.sees(/Prompt/)
  await dora.asks('a cat', /Prompt: a cat/)
  await dora.tapsFor(/^💬 Question/, /send your question/)
})

it('/start after a block names the paid results that could not be delivered, and their orders no longer look unfinished', async () => {
  const vera = await sandbox.user('Vera')
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 503 }, 999)
  await vera.opens('/image a fox', /^Generate/)
  const waiting = await vera.sees(/has not answered since/)
  await vera.blocks()
  sandbox.faults.clear()
  const isHers = and(eq(generations.chatId, vera.id), eq(generations.delivery, 'undeliverable'))
  await expect.poll(() => sandbox.app.db.$count(generations, isHers)).toBe(1)
  await vera.blocks(false)
  await vera.asks('/start', /A paid result could not be delivered. It is kept for you in \/history/)
  const told = await vera.sees(/Done, ₽5.28 charged, but I couldn’t deliver/)
  expect(told.message_id).toBe(waiting.message_id)
  await vera.asks('/history', /done but not delivered/)
})

it('a model that an operator switches off disappears from /start and /help at once', async () => {
  await sandbox.app.db
    .insert(switches)
    .values({ name: modelSwitch('MODEL-MUSIC'), since: new Date(), operatorId: 1 })
  const emil = await sandbox.user('Emil')
  const shown = await emil.asks('/start', /Hello, Emil!/)
  expect([shown.text?.includes('music'), labelsOf(shown).some((label) => label.includes('Music'))]).toEqual([
    false,
    false,
  ])
  const help = await emil.asks('/help', /What I can do/)
  expect([help.text?.includes('/music'), help.text?.includes('/topup')]).toEqual([false, true])
})

it('/prices has the least price of every model, and a tap opens the card of one; /balance says how far the money goes', async () => {
  const anna = await sandbox.user('Anna')
  const { text = '' } = await anna.asks('/prices', /^Prices/)
  expect(text.split('\n').slice(2, 12)).toEqual([
    '🖼 Picture · Design — from ₽5.28',
    '🖼 Picture · Photo — from ₽5.28',
    '🎬 Video · Reel — from ₽55.47 (from pictures, from videos)',
    '🎬 Video · Wan — from ₽13.21 (from pictures, from videos)',
    '🎬 Video · Dream — from ₽264.10 (from pictures, from videos, up to 4K)',
    '🗣 Speech — ₽0.04 per 1,000 characters',
    '👥 Dialogue — ₽6.65 per 1,000 characters',
    '🎵 Music — from ₽6.60',
    '🧊 3D — from ₽128',
    '💬 Question · Assistant — ≈ ₽0.71 an answer',
  ])
  expect(text).toContain('Choose who answers questions: /chat')
  await anna.tapsFor(/^🎬 Video · Wan/, /Wan/)
  await anna.asks('/balance', /Balance: ₽500\nEnough for 94 pictures or 5 videos\./)
})

it('the same in Russian, without a model that an operator has stopped', async () => {
  const boris = await sandbox.user('Boris', 'ru')
  await boris.asks('/models', /🎬 Видео · Рил — от 55,47[\s\S]*🗣 Озвучка — \S+\s₽ за 1000 знаков\n👥 Диалог/)
  await sandbox.app.db.insert(switches).values({ name: modelSwitch('MODEL-VIDEO-REEL'), since: new Date() })
  await boris.hears('🎬 Видео · Рил', /больше не работает/)
  await boris.sends('/prices')
  await boris.seesButton('🎬 Видео · Ван')
  expect((await boris.chat()).at(-1)?.text).not.toContain('Рил')
})

const commands =
  'image video speech dialogue music model3d chat new balance history help paysupport support'.split(' ')

it('an unknown command is answered with the one command that it resembles or means', () => {
  const rows = `images image, imag image, img image, iamge image, vid video, vidoe video, video2 video, speach speech, dlg dialogue,
    musik music, model model3d, chatt chat, hist history, sup support, 3d model3d, draw image, ai chat`
  for (const [typed = '', command] of rows.split(/,\s+/).map((row) => row.split(' ')))
    expect([typed, similarCommand(typed, commands)]).toEqual([typed, command])
})

it('no command is suggested when none or two resemble it, or when it is not offered', () => {
  const unknown = ['', 'i', 'im', 'foo', 'weather', 'x'.repeat(4000)]
  expect(unknown.filter((typed) => similarCommand(typed, commands))).toEqual([])
  expect(similarCommand('mine', ['mint', 'mind'])).toBeUndefined()
  expect(similarCommand('pay', ['image'])).toBeUndefined()
  expect(similarCommand('image', [])).toBeUndefined()
})

it('the words of an unknown command open the card of the suggested one by a tap', async () => {
  const anna = await sandbox.user('Anna', 'ru')
  await anna.opens('/видео кот на крыше', '/video кот на крыше')
  await anna.sees(/Описание: кот на крыше/)
  await anna.asks('/viedo', /Может быть, \/video\?/)
  await anna.asks('/favorites', /Может быть, \/favourites\?/)
})

describe('A message of a kind that the bot cannot use:', () => {
  const accepted = /Send me text, a picture/

  /** Waits until all earlier updates are handled, and counts what the bot said before. */
  const answersOf = async (user: SandboxUser) => {
    await user.asks('/settings', 'Язык / Language')
    return (await user.chat()).filter(({ from }) => from?.is_bot).length - 1
  }

  it('each message of such a kind gets one answer', async () => {
    const contents = [
      { contact: { phone_number: '+79990000000', first_name: 'Vera' } },
      { location: { latitude: 55.75, longitude: 37.62 } },
      { gift: { gift: { id: '1' } } },
      { giveaway: { winner_count: 1 } },
      { paid_media: { star_count: 1, paid_media: [] } },
      { users_shared: { request_id: 1, users: [] } },
      { chat_shared: { request_id: 1, chat_id: 1 } },
      { boost_added: { boost_count: 1 } },
      { checklist: { title: 'To do', tasks: [] } },
      { story: { id: 1 } },
      { dice: { emoji: '🎲', value: 1 } },
      // A kind that Telegram will add.
      { hologram: {} },
    ]
    const anna = await sandbox.user('Anna')
    for (const [at, content] of contents.entries()) {
      await anna.seesBelow(await anna.sendsContent(content), accepted)
      expect((await anna.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(at + 1)
    }
  })

  it('a pinned message, a timer, a background and a new title need no answer', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sendsContent({ pinned_message: { message_id: 1, date: 0, chat: { id: 1 } } })
    await anna.sendsContent({ message_auto_delete_timer_changed: { message_auto_delete_time: 5 } })
    await anna.sendsContent({ chat_background_set: { type: {} } })
    await anna.sendsContent({ new_chat_title: 'We' })
    expect(await answersOf(anna)).toBe(0)
  })

  it('in a group, only one that is meant for the bot is answered', async () => {
    const { anna } = await newGroup(sandbox, { admin: true })
    await anna.sendsContent({ story: { id: 1 } })
    expect(await answersOf(anna)).toBe(0)
    const { message_id } = await anna.sees('Язык / Language')
    await anna.sendsContent({ story: { id: 1 } }, { reply_to: message_id })
    await anna.sees(accepted)
  })
})

describe('The flood limit:', () => {
  const takes = (take: (person: number) => string, times: number) =>
    Array.from({ length: times }, () => take(1))

  it('a burst of thirty passes, the next is answered, the rest are dropped; other users are not affected', () => {
    const clock = handClock()
    const take = createBuckets(clock)
    expect(takes(take, 33)).toEqual([...Array(30).fill('go'), 'tell', 'drop', 'drop'])
    expect(take(2)).toBe('go')
    clock.advance(30_000)
    // After a silence the whole burst passes again, and the limit is explained again.
    expect(takes(take, 31)).toEqual([...Array(30).fill('go'), 'tell'])
  })

  it('one update a second always passes, also after the clock was set back by an hour', () => {
    const clock = handClock()
    const take = createBuckets(clock)
    takes(take, 31)
    for (let second = 0; second < 200; second += 1) {
      if (second === 100) {
        clock.advance(-3_600_000)
        take(1)
      }
      clock.advance(1000)
      expect(takes(take, 2)).toEqual(['go', 'drop'])
    }
  })

  it('a user over the limit is told once, and their payment is still credited', async () => {
    const anna = await sandbox.user('Anna')
    await anna.opens('/topup 100', /Stars/)
    const invoice = await anna.sees((message) => message.invoice !== undefined)
    // The updates are so many and simultaneous that a slow machine, too, cannot handle them within the limit.
    await Promise.all(Array.from({ length: 100 }, () => anna.sends('/balance')))
    await anna.sees('Too fast')
    expect(await anna.pays(invoice)).toMatchObject({ ok: true })
    await anna.sees(/₽100 added/)
    expect((await anna.transcript()).match(/Too fast/g)).toHaveLength(1)
  })
})

describe('While Telegram is away,', () => {
  it.each([
    ['the connection is cut', { kind: 'cut' }],
    ['a server in between answers 502 with a page', { kind: 'garbage' }],
  ])('a command is answered once, later, when %s', async (_, fault) => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('telegram', 'sendMessage', fault)
    await anna.asks('/balance', /^Balance: /)
    expect((await anna.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
  })

  it('a tap takes effect although it cannot be answered, and its page is shown later when the edit fails', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/image a cat')
    await sandbox.breaks('telegram', 'answerCallbackQuery', { kind: 'cut' }, 9)
    await sandbox.breaks('telegram', 'editMessageText', { kind: 'cut' })
    await boris.tapsFor('⚙️ More', /⚙️ More/)
  })
})

describe('An installation of an operator:', () => {
  let folder: string
  let own: TestSandbox
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'installation-'))
    const sold = { 'MODEL-MUSIC': { enabled: false }, textModels: [] }
    await writeFile(join(folder, 'c.json'), JSON.stringify(sold))
    await mkdir(join(folder, 'texts'))
    await writeFile(join(folder, 'texts/ru.ftl'), 'legal-terms = Наша оферта: { $contact }\n')
    own = await openSandbox('postgres', {
      SUPPORT_CONTACT: '@help_<me>',
      TEXTS_DIR: join(folder, 'texts'),
      CATALOG_FILE: join(folder, 'c.json'),
      WELCOME_CREDIT: '0',
      TOPUP_ROUBLES_PER_STAR: '',
      TOPUP_RUB_PROVIDER_TOKEN: '',
      ...withoutLinks,
    })
  })
  afterAll(async () => {
    await own.stop()
    await rm(folder, { recursive: true })
  })

  it("the legal texts have the operator's contact and own words; an own text with an unknown key fails the start", async () => {
    const people = { ru: await own.user('Anna', 'ru'), en: await own.user('Boris') }
    const texts = [
      ['ru', '/terms', /^Наша оферта: @help_<me>$/],
      ['ru', '/support', /Поддержка[\s\S]*@help_<me>/],
      ['en', '/paysupport', /Questions about payments[\s\S]*@help_<me>/],
      ['en', '/terms', /Terms[\s\S]*@help_<me>/],
      ['en', '/privacy', /Personal data[\s\S]*\/delete_me[\s\S]*@help_<me>/],
    ] as const
    for (const [language, command, wanted] of texts) await people[language].asks(command, wanted)
    await writeFile(join(folder, 'texts/en.ftl'), 'legal-termz = Ours\n')
    expect(() => loadTexts(join(folder, 'texts'))).toThrow(/legal-termz/)
    const anna = await sandbox.user('Anna')
    await anna.asks('/paysupport', /Where to write: the operator has not given a contact/)
  })

  it('without text models, top-ups and credit /start and /help promise none of them', async () => {
    const fiona = await own.user('Fiona')
    const shown = await fiona.asks('/start', /Hello, Fiona!/)
    expect(labelsOf(shown).map((label) => label.replace(/: .*/, ''))).toEqual(
      '🖼 Picture|🎬 Video|🗣 Speech|👥 Dialogue|🧊 3D'.split('|'),
    )
    expect(shown.text).not.toMatch(/music|top up|🎁/i)
    expect((await fiona.asks('/help', /What I can do/)).text).not.toMatch(/topup|\/chat|\/music/)
  })
})

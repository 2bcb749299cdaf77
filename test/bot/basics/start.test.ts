// /start: the products on sale as buttons, the balance, and an example that one tap orders at the shown price.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { openSandbox, sharedSandbox, withoutLinks } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage } from '../../support/users/user.ts'

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

it('one tap orders the example for the price on its button; a second tap orders nothing', async () => {
  const boris = await sandbox.user('Boris')
  const shown = await boris.asks('/start', /Hello, Boris!/)
  const [label = ''] = labelsOf(shown)
  const data = shown.reply_markup?.inline_keyboard?.[0]?.[0]?.callback_data ?? ''
  await boris.taps(label)
  await boris.tapsData(shown.message_id, data)
  await boris.isTold(/Already/)
  await boris.sees(isPhoto)
  const price = /\d+[.,]\d\d/.exec(label)?.[0] ?? ''
  await boris.sees((message) => isPhoto(message) && (message.caption ?? '').includes(price))
  expect((await boris.chat()).filter(isPhoto)).toHaveLength(1)
  const now = (await boris.chat()).find(({ message_id }) => message_id === shown.message_id)
  expect(now && labelsOf(now)).not.toContain(label)
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

it('without text models, top-ups and credit /start promises none of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bot-catalog-'))
  await writeFile(
    join(folder, 'c.json'),
    JSON.stringify({ 'MODEL-MUSIC': { enabled: false }, textModels: [] }),
  )
  const bare = await openSandbox('postgres', {
    CATALOG_FILE: join(folder, 'c.json'),
    WELCOME_CREDIT: '0',
    TOPUP_ROUBLES_PER_STAR: '',
    TOPUP_RUB_PROVIDER_TOKEN: '',
    ...withoutLinks,
  })
  const fiona = await bare.user('Fiona')
  const shown = await fiona.asks('/start', /Hello, Fiona!/)
  expect(labelsOf(shown).map((label) => label.replace(/: .*/, ''))).toEqual(
    '🖼 Picture|🎬 Video|🗣 Speech|👥 Dialogue|🧊 3D'.split('|'),
  )
  expect(shown.text).not.toMatch(/music|top up|🎁/i)
  expect((await fiona.asks('/help', /What I can do/)).text).not.toMatch(/topup|\/chat|\/music/)
  await bare.stop()
  await rm(folder, { recursive: true })
})

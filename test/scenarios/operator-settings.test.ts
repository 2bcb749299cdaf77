// What operators write into CATALOG_FILE: fixed values, which the card does not show, defaults, which users can change, variants of models,
// unknown and changed prices, synchronous models, and addresses for uploads. And limits of orders.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSeen } from '../../src/db/inspect.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { freshUrl } from '../support/database/database.ts'
import { bossId } from '../support/users/desk.ts'
import { requestOf } from '../support/users/order.ts'
import { ordered, song } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage } from '../support/users/user.ts'

let folder: string
let sandbox: TestSandbox
let database: string
const catalogFile = async (catalog: object) => {
  const path = join(folder, `${Object.keys(catalog).join('-')}.json`)
  await writeFile(path, JSON.stringify(catalog))
  return { CATALOG_FILE: path }
}

const voices = [
  { id: 'a', label: { ru: 'Анна', en: 'Anna' }, gender: 'female', language: 'Russian' },
  { id: 'b', label: 'Bob', gender: 'male', sample: '' },
  { id: 'c', language: 'French' },
]
const gpt = { id: 'TEXT-GPT', family: 'gpt', rates: { input: '165', output: '1320' } }
const gemini = { ...gpt, id: 'TEXT-GEMINI', family: 'gemini' }

const storage = 'https://storage.example'
const presign = `console.log('${storage}/presigned/' + process.argv[1])`

const sample = readFileSync('src/sandbox/gateway/files/speech-2.mp3')
const cdn = createServer((_, res) => res.setHeader('content-type', 'audio/mpeg').end(sample))
beforeAll(async () => {
  await once(cdn.listen(0, '127.0.0.1'), 'listening')
  Object.assign(voices[1] ?? {}, {
    sample: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/bob.mp3`,
  })
  folder = await mkdtemp(join(tmpdir(), 'bot-catalog-'))
  const catalog = {
    'MODEL-VIDEO-REEL': {
      request: { resolution: '720p', 'safety.mode': 'fast', uploadEndpoint: `${storage}/{generation}.mp4` },
    },
    'MODEL-VIDEO-REEL.fast': { label: 'Reel Fast', rates: { second: '10' } },
    'MODEL-VIDEO-WAN': { uploadCommand: [process.execPath, '-e', presign, '{generation}'] },
    'MODEL-IMAGE-PHOTO.ultra': {
      label: { en: 'Photo Ultra', ru: 'Фото Ultra' },
      rates: { image: '9.90' },
      limits: { numberOfImages: 2, prompt: 30 },
      without: ['imageSize', 'personGeneration'],
    },
    'MODEL-TTS-DIALOGUE': {
      names: { 'speakers.voice': 'voice_name', 'turns.text': 'content' },
      voices: [{ id: 'Kore' }, { id: 'Zephyr' }],
    },
    'MODEL-VIDEO-DREAM': { rates: { second: null } },
    'MODEL-3D-TEXT': {
      vendor: 'acme',
      options: {
        animation_action_id: [
          { value: 12, label: { en: 'Jump' } },
          { value: 40, label: 'Wave' },
        ],
      },
    },
    'MODEL-IMAGE-DESIGN': { request: { async: false, response_format: 'b64_json' } },
    'MODEL-SPEECH-TURBO': { request: { async: false }, voices, defaults: { 'voice_setting.voice_id': 'a' } },
    textModels: [{ ...gemini, abilities: ['code'], request: { temperature: 0.3 } }],
  }
  database = await freshUrl('postgres')
  sandbox = await openSandbox('postgres', {
    ...(await catalogFile(catalog)),
    ADMIN_IDS: String(bossId),
    CONCURRENT_GENERATIONS: '1',
    DAILY_SPEND_CAP: '250',
    DATABASE_URL: database,
  })
})
afterAll(async () => {
  await sandbox.stop()
  cdn.close()
  await rm(folder, { recursive: true })
})

const isSound = ({ voice, audio }: SandboxMessage) => voice !== undefined || audio !== undefined
const hasField = (card: Parameters<typeof labelsOf>[0], label: string) =>
  labelsOf(card).some((one) => one.startsWith(label))

it('a fixed value is sent, and its field is not on the card; each order has an address for its upload', async () => {
  const anna = await sandbox.user('Anna')
  const card = await anna.asks('/video a cat in the rain', /Price: ₽92.45/)
  expect(JSON.stringify(card.reply_markup)).not.toContain(':o:size')
  expect(hasField(card, 'Duration')).toBe(true)
  expect(await requestOf(sandbox, anna)).toMatchObject({
    resolution: '720p',
    safety: { mode: 'fast' },
    uploadEndpoint: expect.stringMatching(/^https:\/\/storage\.example\/[a-z0-9]{10}\.mp4$/),
  })
  await anna.opens('/video a dog', '🎛 Model', /^Wan/)
  expect(await requestOf(sandbox, anna, 'Generate · ₽99.05')).toMatchObject({
    uploadEndpoint: expect.stringMatching(/^https:\/\/storage\.example\/presigned\/[a-z0-9]{10}$/),
  })
})

it('a variant of a model is offered beside it, with its own name, price, limits and id at the gateway', async () => {
  const fedor = await sandbox.user('Фёдор', 'ru')
  await fedor.opens('/image a lighthouse at night', '🎛 Модель', /^Фото Ultra/)
  const card = await fedor.sees(/Фото Ultra[\s\S]*9,90/)
  expect(hasField(card, 'Качество')).toBe(false)
  expect(labelsOf(await fedor.tapsFor(/^Сколько/, (message) => hasField(message, '● 1')))).not.toContain('3')
  await fedor.taps('2')
  const body = await requestOf(sandbox, fedor, /^Создать/)
  expect(body).toMatchObject({ model: 'MODEL-IMAGE-PHOTO.ultra', numberOfImages: 2 })
  expect(body).not.toHaveProperty('imageSize')
  await fedor.opens('/image a prompt of more than thirty characters', '🎛 Модель', /^Фото Ultra/)
  await fedor.sees(/Слишком длинно[\s\S]* 30/)
})

it('a command opens the variant that its user ordered last', async () => {
  const clara = await sandbox.user('Clara')
  await clara.opens('/video a cat', '🎛 Model', /^Reel Fast/)
  await requestOf(sandbox, clara)
  await clara.asks('/video a dog', /Reel Fast[\s\S]*Prompt: a dog/)
})

it('fields that the document does not show are sent under the names that the operator writes', async () => {
  const hugo = await sandbox.user('Hugo')
  await hugo.sends('/dialogue Anna: The tide is in.\nBoris: Then we wait.')
  await hugo.tapsFor(/^Generate/, isSound)
  expect((await ordered(sandbox)).at(-1)).toMatchObject({
    speakers: [
      { speaker_id: 'Anna', voice_name: 'Kore' },
      { speaker_id: 'Boris', voice_name: 'Zephyr' },
    ],
    turns: [
      { speaker_id: 'Anna', content: 'The tide is in.' },
      { speaker_id: 'Boris', content: 'Then we wait.' },
    ],
  })
})

it('a default is on the card, and a voice that the user picks replaces it', async () => {
  const vera = await sandbox.user('Вера', 'ru')
  await vera.opens('/speech Доброе утро', 'Голос: Анна')
  const known = ['● 👩 Анна · Русский', '👨 Bob', 'c · Французский']
  expect(labelsOf(await vera.seesButton('👨 Bob'))).toEqual(expect.arrayContaining(known))
  await vera.taps('👨 Bob')
  await vera.seesButton('Голос: Bob')
  await vera.tapsFor(/^Создать/, isSound)
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ voice_setting: { voice_id: 'b' } })
})

it('the sample of a voice is heard by one tap', async () => {
  const zoe = await sandbox.user('Zoe')
  await zoe.opens('/speech Good evening', 'Voice: Anna', '▶️ Bob')
  await zoe.sees((message) => message.caption === 'Bob' && isSound(message))
})

it('motions that the operator names are buttons, and /prices has the vendor', async () => {
  const ira = await sandbox.user('Ira')
  await ira.asks('/prices', /3D — from ₽128 \(acme\)/)
  await ira.opens('/model3d a robot', /^Rigging/, /^Animation/, '⚙️ More', /^Motion/, 'Wave')
  await ira.seesButton(/^Motion.*Wave/)
  await ira.taps(/Back/)
  expect(await requestOf(sandbox, ira)).toMatchObject({ animation_action_id: 40 })
})

it('pictures inside the answer of a synchronous model are delivered with their originals, and only those are charged', async () => {
  const boris = await sandbox.user('Boris')
  await boris.opens('/image a fox [partial]', /^How many/, '3', 'Generate · ₽15.84')
  await boris.sees(/₽10.56 charged, ₽5.28 returned/)
  expect((await boris.chat()).filter((message) => message.photo)).toHaveLength(2)
  const { document } = await boris.tapsFor([/^⋯/, /Originals/], (message) => message.document !== undefined)
  expect(document?.mime_type).toBe('image/png')
  await boris.asks('/balance', '₽489.44')
})

it('a result goes into the next order by its id at the gateway, which its operator reads with the vendor and the seed', async () => {
  const lena = await sandbox.user('Lena')
  await lena.opens('/image a heron at dawn', /^Generate/, /Animate/)
  await lena.asks('It takes off', /It takes off/)
  const body = await requestOf(sandbox, lena)
  expect(body).toMatchObject({ inputs: { frameImages: [expect.stringMatching(/^[\da-f-]{36}$/)] } })
  const boss = await createUser(sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  await boss.opens(`/user ${lena.id}`, '🖼 Orders')
  const id = JSON.stringify(body).match(/frameImages":\["([\da-f-]{36})/)?.[1]
  expect([...(await readSeen(database)).keys()].toSorted()).toEqual(['resultId', 'speakers'])
  await boss.sees(new RegExp(`Vendor: sandbox\nResults: ${id}\nSeeds: \\d+`))
})

it('a model without a price cannot be ordered, and the card says so', async () => {
  const ivan = await sandbox.user('Ivan')
  await ivan.opens('/video a cat', '🎛 Model', /^Dream/)
  const shown = await ivan.sees(/The price of this model is unknown/)
  expect(labelsOf(shown).join()).not.toContain('Generate')
})

it('a wrong setting prevents the start', async () => {
  const wrong = {
    'MODEL-3D-TEXT': { options: { animation_action_id: [{ value: 700, label: 'x' }], mode: [] } },
  }
  await expect(openSandbox('postgres', await catalogFile(wrong))).rejects.toThrow(
    /"options\.animation_action_id" cannot have 700: correct it[\s\S]*"options" cannot name "mode"/,
  )
})

it('when no model hears, the bot says what it can do with a voice message instead', async () => {
  const hanna = await sandbox.user('Hanna')
  const { name, bytes } = await song()
  const told = 'No model here can listen to voice messages: please write instead.'
  await hanna.attaches({ kind: 'voice', name, bytes }, '', told)
  await hanna.attaches(await song(), '/chat what is it?', /^I can’t listen to sounds/)
})

it('an order above a limit is refused with the limit and advice, and moves no money', async () => {
  const anna = await sandbox.user('Anna')
  await anna.opens('/video a cat [stuck]', 'Generate · ₽92.45')
  await anna.sees(/Drawing|Filming|Recording/)
  await anna.opens('/speech Good morning', 'Generate · ₽0.01')
  await anna.isTold(/1 order/)
  await anna.asks('/balance', 'Balance: ₽407.55')
  await sandbox.post('/api/gateway/release', {})
  await anna.sees('₽92.45 charged')
  await anna.opens('/video a dog', /^Duration/, '10 s', 'Generate · ₽184.90')
  await anna.isTold('up to ₽250 a day; today you’ve used ₽92.45, and ₽157.55 is left')
  await anna.tapsFor('Generate · ₽0.01', '₽0.01 charged')
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, gateway: { difference: 0 } })
})

describe('a price that changed after the card was sent', () => {
  let dataDir: string
  let database: string
  let sandbox: Sandbox
  const start = async (settings: object, port = 0) => {
    const file = join(dataDir, 'catalog.json')
    await writeFile(file, JSON.stringify({ 'MODEL-VIDEO-REEL': settings }))
    sandbox = await startSandbox({
      port,
      dataDir,
      speed: 40,
      log: silentLog,
      env: { CATALOG_FILE: file, DATABASE_URL: database },
    })
    return sandbox
  }
  beforeAll(async () => {
    database = await freshUrl('postgres')
    dataDir = await mkdtemp(join(tmpdir(), 'bot-sandbox-'))
  })
  afterEach(() => sandbox.stop())
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })

  it('is shown again with its parts, the new price is held, and “Again” charges no other one', async () => {
    const { url } = await start({})
    const anna = await createUser(url, { first_name: 'Anna', language_code: 'en' })
    await anna.asks('/video a cat', 'Price: ₽92.45 (5 s × ₽18.49)')
    const boris = await createUser(url, { first_name: 'Boris', language_code: 'en' })
    await boris.opens('/video a cat', 'Generate · ₽92.45')
    await boris.tapsFor(/^⋯/, (message) => labelsOf(message).includes('🔁 Again · ₽92.45'))
    await sandbox.stop()

    const surcharges = [{ when: { 'settings.audio': true }, add: '2', per: 'second' }]
    await start({ multiplier: '1.2', rounding: '1', surcharges }, Number(new URL(url).port))
    await anna.hears('Generate · ₽92.45', 'The price or the settings have changed')
    await anna.sees('Price: ₽111 (5 s × ₽22.188, rounded up to ₽1)')
    await anna.tapsFor('Sound: off', 'Price: ₽121 (5 s × ₽22.188 + Sound ₽10, rounded up to ₽1)')
    await anna.tapsFor('Generate · ₽121', '₽121 charged')
    await anna.asks('/balance', '₽379')
    await boris.hears('🔁 Again · ₽92.45', 'The price or the settings have changed')
    await boris.seesButton('Generate · ₽111')
    await boris.asks('/balance', '₽407.55')
  })
})

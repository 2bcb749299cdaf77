// Forms with special rules: a song with own lyrics, a dialogue with too many speakers, effects that the gateway lists, a bot without a
// public address, and models that answer synchronously.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loggingTo } from '../support/runtime/log.ts'
import { jpeg, ordered, song } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage } from '../support/users/user.ts'

/** The gateway makes real files, on a machine that may be busy. */
const resultMs = 60_000
const credit = { WELCOME_CREDIT: '2000' }
const dataOf = (message: SandboxMessage, label: RegExp) =>
  message.reply_markup?.inline_keyboard?.flat().find(({ text }) => label.test(text))?.callback_data ?? ''

describe('with a public address', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', credit)
  })
  afterAll(async () => {
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true })
    await sandbox.stop()
  })

  it('a song with own lyrics asks for its style and its title', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/music la la la')
    await anna.sees(/Price: ₽6.60/)
    await anna.taps('My own lyrics: off')
    await anna.taps('✅ Keep this text')
    expect(labelsOf(await anna.sees(/Lyrics: la la la[\s\S]*Still needed: Style/)).join()).not.toContain(
      'Generate',
    )
    await anna.taps('✏️ Style')
    await anna.sends('surf rock')
    expect(labelsOf(await anna.sees(/Still needed: Title/)).join()).not.toContain('Generate')
    await anna.taps('✏️ Title')
    await anna.sends('The sea')
    await anna.taps('Generate · ₽6.60')
    await anna.sees((message) => message.audio !== undefined, resultMs)
    const body = {
      customMode: true,
      instrumental: false,
      prompt: 'la la la',
      style: 'surf rock',
      title: 'The sea',
    }
    expect((await ordered(sandbox)).at(-1)).toMatchObject(body)
  })

  it('own lyrics are asked for when they are switched on, at their own limit, and do not replace the description unasked', async () => {
    const lena = await sandbox.user('Lena', 'ru')
    await lena.sends('/music песня о море')
    await lena.taps('Свои слова: выкл.')
    const question = await lena.sees(/Слова песни\nТо, что будут петь, до 5 000 знаков[\s\S]*песня о море/)
    expect(labelsOf(question)).toEqual(['✅ Оставить этот текст', '✖ Отмена'])
    await lena.sends('ля '.repeat(1700))
    await lena.sees(/Слишком длинно: 5 099 знаков, а можно не больше 5 000/)
    await lena.sends('ля '.repeat(300))
    const card = await lena.sees(/Слова песни: ля ля[\s\S]*Осталось указать: Стиль/)
    expect(labelsOf(card)).toEqual(expect.arrayContaining(['Свои слова: вкл.', '✏️ Слова песни']))
  })

  it('own lyrics stay off when their question is cancelled', async () => {
    const mira = await sandbox.user('Mira')
    await mira.sends('/music a song about the sea')
    await mira.taps('My own lyrics: off')
    await mira.sees(/What is going to be sung/)
    await mira.taps('✖ Cancel')
    await mira.isTold(/Question cancelled/)
    const card = await mira.seesButton('My own lyrics: off')
    expect(card.text).toContain('Description: a song about the sea')
    expect(labelsOf(card)).toContain('Generate · ₽6.60')
  })

  it('music without vocals does not ask for lyrics', async () => {
    const nora = await sandbox.user('Nora')
    await nora.sends('/music the sea')
    await nora.taps('Vocals: yes')
    await nora.taps('My own style: off')
    const card = await nora.sees(/Still needed: Style/)
    expect(labelsOf(card)).toContain('✏️ Words (not sung)')
  })

  it('the guide asks for own lyrics after the step that switches them on', async () => {
    const olga = await sandbox.user('Olga')
    await olga.sends('/music')
    await olga.sees(/step 1 of[\s\S]*Description[\s\S]*up to 500 characters/)
    await olga.sends('a song about the sea')
    const own = await olga.sees(/My own lyrics/)
    expect(labelsOf(own)).toEqual(expect.arrayContaining(['Yes', '● No', 'Skip · No ›']))
    await olga.taps('Yes')
    const step = await olga.sees(
      /Lyrics\nWhat is going to be sung, up to 5,000 characters[\s\S]*a song about the sea/,
    )
    await olga.sends('la '.repeat(300))
    const vocals = await olga.sees(
      ({ message_id, text }) => message_id > step.message_id && /Vocals/.test(text ?? ''),
    )
    expect(labelsOf(vocals)).toEqual(expect.arrayContaining(['● Yes', 'No', 'Skip · Yes ›']))
    await olga.sends('no')
    await olga.sees(/step 4 of[\s\S]*Style/)
    await olga.taps('‹ Back')
    await olga.seesButton('● No')
    await olga.taps('Yes')
    // A song with lyrics needs its style and its title, so these steps cannot be skipped.
    const style = await olga.sees(/step 4 of[\s\S]*Style/)
    expect(labelsOf(style)).toEqual(['‹ Back', '✅ Show the card'])
    await olga.taps('✅ Show the card')
    await olga.sees(/Lyrics: la la[\s\S]*Still needed: Style/)
  })

  it('lyrics that are too long for a description are kept, and fit again when own lyrics are switched on', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/music a song')
    await boris.taps('My own lyrics: off')
    await boris.sees(/What is going to be sung/)
    await boris.sends('la '.repeat(300))
    await boris.sees(/la la la[\s\S]*Still needed: Style/)
    await boris.taps('My own lyrics: on')
    const short = await boris.sees(/la la la[\s\S]*Too long for this: 899 characters, at most 500/)
    expect(labelsOf(short).join()).not.toContain('Generate')
    await boris.taps('My own lyrics: off')
    await boris.sees(/la la la[\s\S]*Still needed: Style/)
  })

  it('a dialogue of three speakers is refused with an explanation of the format', async () => {
    const clara = await sandbox.user('Clara')
    await clara.sends('/dialogue Anna: hello\nBob: bye\nCarl: what?')
    await clara.sees(/More than two speakers \(Anna, Bob, Carl\)/)
    const { message_id: said } = await clara.sends('Anna: hello\nBob: bye\nCarl: what?')
    await clara.sees(({ message_id, text }) => message_id > said && /More than two/.test(text ?? ''))
    await clara.sends('Anna: hello\nBob: bye\nanna: what?')
    await clara.seesButton('Anna: voice Kore')
    await clara.taps('Bob: voice Puck')
    expect((await clara.sees(/Bob: voice\n\nChoose a voice/)).text).not.toContain('Second voice')
    await clara.taps('‹ Back')
    await clara.sees(/Price: ₽6.65 \(minimum for 1,000 characters\)/)
  })

  it("several effects can be picked from the gateway's list or typed", async () => {
    const dora = await sandbox.user('Dora')
    await dora.sends('/video a cat')
    await dora.taps('🎛 Model')
    await dora.taps(/^Dream/)
    await dora.taps('⚙️ More settings')
    await dora.taps(/Effects/)
    await dora.taps('Zoom in')
    await dora.taps('Handheld')
    await dora.seesButton('● Handheld')
    await dora.taps('● Zoom in')
    await dora.seesButton('Zoom in')
    await dora.taps('✏️ Other…')
    await dora.sends('crane_up, crane_up , handheld')
    await dora.taps('Generate · ₽264.10')
    await dora.sees((message) => message.video !== undefined, resultMs)
    expect((await ordered(sandbox)).at(-1)).toMatchObject({
      concepts: [{ key: 'crane_up' }, { key: 'handheld' }],
    })
  })

  it('a text file with bytes that the database cannot store is accepted without these bytes', async () => {
    const eva = await sandbox.user('Eva')
    await eva.sends('/video')
    await eva.sees(/Prompt/)
    await eva.sendsFile({ kind: 'document', name: 'a.txt', bytes: Buffer.from('a\0 cat') })
    await eva.sees(/step 2 of/)
    await eva.taps('✅ Show the card')
    await eva.sees(/Prompt: a cat/)
  })

  it('the internal address of a file is refused as a typed prompt', async () => {
    const fred = await sandbox.user('Fred')
    await fred.sends('/video https://media.invalid/data?file=x&mime=y')
    await fred.sees(/doesn’t fit/)
  })

  it('a field that the operator has set cannot be asked for by a forged tap', async () => {
    const gleb = await sandbox.user('Gleb')
    await gleb.sends('/video a cat')
    const card = await gleb.sees(/Price/)
    const forged = `${dataOf(card, /Prompt/).replace(/:a:.*$/, '')}:a:webhookURL`
    await gleb.tapsData(card.message_id, forged)
    await gleb.sends('/balance')
    await gleb.sees(/Balance: ₽2,000.00/)
    expect(await gleb.transcript()).not.toContain('Callback address')
  })
})

describe('with a long list of effects', () => {
  it('the page offers as many as a keyboard can have, and the rest can be typed', async () => {
    const sandbox = await openSandbox('postgres', credit)
    const data = Array.from({ length: 300 }, (_, i) => ({ key: `effect_${i}`, name: `Effect ${i}` }))
    await sandbox.breaks('gateway', 'concepts', { kind: 'garbage', body: JSON.stringify({ data }) })
    const anna = await sandbox.user('Anna')
    await anna.sends('/video a cat')
    await anna.taps('🎛 Model')
    await anna.taps(/^Dream/)
    await anna.taps('⚙️ More settings')
    await anna.taps(/Effects/)
    await anna.taps('Effect 7')
    const page = await anna.seesButton('● Effect 7')
    expect(labelsOf(page)).toContain('✏️ Other…')
    await sandbox.stop()
  })
})

describe('without a public address', () => {
  const log = loggingTo()
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox('postgres', { ...credit, PUBLIC_URL: '' }, undefined, log)
  })
  afterAll(() => sandbox.stop())

  it('pictures are sent inside the request', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/video a cat')
    await boris.taps('📎 Frames')
    await boris.sendsFile(await jpeg())
    await boris.taps('✅ That’s all')
    await boris.seesButton('Frames: 🖼')
    await boris.taps('Generate · ₽92.45')
    await boris.sees((message) => message.video !== undefined, resultMs)
  })

  it('pictures that are too large together are refused before money is held, and the card names the limit', async () => {
    const dora = await sandbox.user('Dora')
    await dora.sends('/video a cat')
    await dora.taps('📎 Frames')
    const { bytes: start } = await jpeg()
    const bytes = Buffer.concat([start, Buffer.alloc(9 * 1024 * 1024)])
    for (const name of ['1.jpg', '2.jpg', '3.jpg']) await dora.sendsFile({ kind: 'document', name, bytes })
    await dora.sees(/Got it: 3/)
    await dora.taps('✅ That’s all')
    const card = await dora.sees(/The pictures are 28 MB together, and one order takes 20 MB/)
    expect(labelsOf(card).join()).not.toContain('Generate')
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true })
  })

  it('music, which requires a callback address, is not offered, and the log names the missing setting', async () => {
    expect(log.said('models not offered: they require a callback address')).toEqual([
      expect.objectContaining({
        level: 'warn',
        models: ['MODEL-MUSIC'],
        needed: 'PUBLIC_URL, or a callback address in "request" of CATALOG_FILE',
      }),
    ])
    const emil = await sandbox.user('Emil')
    await emil.sends('/music a song about the sea')
    await emil.sees(/don’t know this command/)
    await emil.sends('/help')
    expect((await emil.sees(/How it works/)).text).not.toContain('/music')
  })

  it('a character with a voice, which needs a link, cannot be ordered, and the card says why', async () => {
    const clara = await sandbox.user('Clara')
    await clara.sends('/video @cat sings')
    await clara.taps('⚙️ More settings')
    await clara.taps('📎 References')
    await clara.sendsFile(await jpeg(), '@cat')
    await clara.sendsFile(await song(), '@cat')
    await clara.sees(/Got it: 2/)
    await clara.taps('✅ That’s all')
    const card = await clara.sees(/One of the files cannot be passed/)
    expect(labelsOf(card).join()).not.toContain('Generate')
  })
})

describe('with synchronous models', () => {
  let sandbox: TestSandbox
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'))
    const file = join(folder, 'catalog.json')
    const request = { async: false }
    const voices = [
      { id: 'a', label: { ru: 'Анна', en: 'Anna' }, gender: 'female', language: 'Russian' },
      { id: 'b', label: 'Bob', gender: 'male' },
      { id: 'c', language: 'French' },
      { id: 'd' },
    ]
    const design = { request: { ...request, response_format: 'b64_json' } }
    await writeFile(
      file,
      JSON.stringify({ 'MODEL-IMAGE-DESIGN': design, 'MODEL-SPEECH-TURBO': { request, voices } }),
    )
    sandbox = await openSandbox('postgres', { ...credit, CATALOG_FILE: file })
  })
  afterAll(async () => {
    expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true })
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })

  it('pictures inside the answer are delivered, and so are their originals', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/image a fox')
    await anna.taps('Generate · ₽5.28')
    await anna.sees((message) => message.photo !== undefined, resultMs)
    await anna.taps(/What next/)
    await anna.taps(/Originals/)
    const { document } = await anna.sees((message) => message.document !== undefined, resultMs)
    expect(document?.mime_type).toBe('image/png')
    await anna.sends('/balance')
    await anna.sees('₽1,994.72')
  })

  it('two of three ordered pictures arrive: two are delivered and charged', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/image a fox [partial]')
    await boris.taps(/^Pictures/)
    await boris.taps('3')
    await boris.taps('Generate · ₽15.84')
    await boris.sees(/₽10.56 charged, ₽5.28 returned/)
    expect((await boris.chat()).filter((message) => message.photo)).toHaveLength(2)
  })

  it('voices show their gender and language where these are known', async () => {
    const vera = await sandbox.user('Вера', 'ru')
    await vera.sends('/speech Доброе утро')
    await vera.taps(/^Голос/)
    const known = ['👩 Анна · Русский', '👨 Bob', 'c · Французский', 'd']
    expect(labelsOf(await vera.seesButton('👨 Bob'))).toEqual(expect.arrayContaining(known))
    await vera.taps('👩 Анна · Русский')
    await vera.seesButton('Голос: Анна')
  })

  it('speech is delivered as a voice message', async () => {
    const clara = await sandbox.user('Clara')
    await clara.sends('/speech Good morning! The weather is fine today.')
    await clara.taps(/^Generate/)
    const { voice } = await clara.sees((message) => message.voice !== undefined, resultMs)
    expect(voice?.duration).toBeGreaterThan(1)
  })
})

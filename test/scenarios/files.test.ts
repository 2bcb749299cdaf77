// Pictures, videos and sounds that users send, or only name by a link or an id of the gateway: with a command, before a command, in answer to a
// question, and by mistake. They are what their bytes say, measured before money is held. Also without a public address, or as links.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { switches } from '../../src/db/schema.ts'
import { modelSwitch } from '../../src/sales/sales.ts'
import { clip, colored, makeWav, sine } from '../support/media/media-files.ts'
import { requestOf } from '../support/users/order.ts'
import { dataUri, film, jpeg, png, song } from '../support/users/pictures.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { type FileToSend, labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })
afterEach(async () => void (await sandbox.app.db.delete(switches)))

const red = [200, 30, 30] as const
const jpegUri = expect.stringMatching(/^data:image\/jpeg;base64,/)
const pngUri = expect.stringMatching(/^data:image\/png;base64,/)

it('a picture that is sent with the command becomes a frame', async () => {
  const anna = await sandbox.user('Anna')
  const picture = await jpeg(red)
  await anna.attaches(picture, '/video a cat surfing', /Reel[\s\S]*Prompt: a cat surfing/)
  await anna.seesButton('Frames: 🖼')
  const request = await requestOf(sandbox, anna, 'Generate · ₽92.45')
  expect(request).toMatchObject({ positivePrompt: 'a cat surfing' })
  expect(JSON.stringify(request)).toContain(dataUri('image/jpeg', picture).slice(0, 1900))
})

it('a picture that is sent alone becomes a frame by its offer, or by a command in reply', async () => {
  const clara = await sandbox.user('Clara')
  const { message_id } = await clara.sendsFile(await png())
  const question = await clara.sees('What should I do with this picture?')
  expect(labelsOf(question)).toEqual([
    '🎬 Animate the photo · ₽92.45',
    '🗣 Make it talk',
    '🧊 3D texture',
    expect.stringMatching(/^🖼 Something like it · ≈ ₽\d/),
    expect.stringMatching(/^💬 Ask about it · ≈ ₽\d/),
  ])
  await clara.tapsFor(/^🎬 Animate/, /Frames: 🖼[\s\S]*Prompt/)
  expect((await clara.chat()).some(({ text }) => text?.startsWith('What should I do'))).toBe(false)
  await clara.asks('a mouse', /Prompt: a mouse/)
  await clara.seesButton('Frames: 🖼')
  await clara.asks('/video a dog', /Prompt: a dog/, { reply_to: message_id })
  await clara.seesButton('Frames: 🖼')
})

const offers = async (user: SandboxUser) =>
  (await user.chat()).filter(({ text }) => /^(🖼 What should I do|📎 From the album)/.test(text ?? ''))
/** Waits until all earlier updates of the chat are handled: they are handled in order, and a later command is answered. */
const isDone = async (user: SandboxUser) => {
  await user.asks('/balance', /^Balance/)
}
const sendsAlbum = async (user: SandboxUser, caption: string) => {
  const album = `album-${user.id}-${caption.length}`
  await user.sendsFile(await jpeg(red), caption, { album })
  for (let others = 0; others < 2; others += 1) await user.sendsFile(await jpeg(red), '', { album })
  await isDone(user)
}

it('an album is asked about once, even if the offer was used before its other files arrived', async () => {
  const users = [await sandbox.user('Paul'), await sandbox.user('Rita')] as const
  const part = await jpeg(red)
  for (const user of users) await user.sendsFile(part, '', { album: `album-${user.id}` })
  const [, rita] = users
  await rita.tapsFor(/^🎬 Animate/, /For example/)
  await rita.sends('/cancel')
  for (const user of users) await user.sendsFile(part, '', { album: `album-${user.id}` })
  for (const user of users) await isDone(user)
  expect([await offers(users[0]), await offers(rita)]).toMatchObject([[{}], []])
})

it('an album of two pictures becomes the first and the last frame of a video', async () => {
  const tina = await sandbox.user('Tina')
  for (const caption of ['/video morph', ''])
    await tina.sendsFile(await jpeg(caption ? red : [30, 30, 200]), caption, { album: 'tina' })
  expect(labelsOf(await tina.sees(/From the album I have 2 files/))).toEqual(
    '🎞 First and last frame · ₽92.45|👥 References for a video · ₽92.45|1|2'.split('|'),
  )
  await tina.tapsFor(/^🎞/, /Prompt: morph/)
  const { inputs } = await requestOf(sandbox, tina, 'Generate · ₽92.45')
  expect(inputs).toMatchObject({ frameImages: [jpegUri, jpegUri] })
  expect(new Set(Object.values(inputs ?? {}).flat()).size).toBe(2)
})

it('an album is used as references, as one picture of it, or in a question, which takes the first and says so', async () => {
  const ulla = await sandbox.user('Ulla')
  await sendsAlbum(ulla, '/video')
  await ulla.sees(/From the album I have 3 files/)
  await ulla.tapsFor(/^👥/, /References: 3 × 🖼[\s\S]*Prompt/)
  await sendsAlbum(ulla, '/model3d chair')
  await ulla.tapsFor('3', /Prompt: chair\n[^\n]*: 🖼/)
  const vera = await sandbox.user('Vera')
  await sendsAlbum(vera, 'compare these photos')
  const answer = await vera.sees(/the short answer/)
  const told = (await vera.chat()).filter(({ text }) => text?.startsWith('📎 From an album'))
  expect(told).toMatchObject([{ text: expect.stringMatching(/question/) }])
  expect(told[0]?.message_id).toBeLessThan(answer.message_id)
  expect(await offers(vera)).toEqual([])
})

it('a sound becomes the voice of a video, and goes to the gateway as a link', async () => {
  const eva = await sandbox.user('Eva')
  await eva.attaches(await song(), '/video@sandbox_generation_bot a singing cat', /Voice: 🎵/)
  const audio = expect.stringMatching(/\/app\/files\/.*\.mp3$/)
  expect(await requestOf(sandbox, eva)).toMatchObject({ inputs: { audio } })
})

it('a picture or a sound below /image opens no card until its use is chosen, which keeps the words', async () => {
  const gleb = await sandbox.user('Gleb')
  const files = [
    [await song(), /image can’t use a sound/],
    [await jpeg(), /can’t edit photos yet/],
  ] as const
  for (const [file, why] of files) {
    await gleb.attaches(file, '/image make it anime', why)
    expect(await gleb.transcript()).not.toContain('Generate')
  }
  await gleb.tapsFor(/^🎬/, /Reel[\s\S]*Prompt: make it anime/)
  await gleb.attaches(await jpeg(), '/image make it anime', /can’t edit photos yet/)
  await gleb.tapsFor(/^🖼 Draw a new one/, /Design[\s\S]*: make it anime/)
  const faye = await sandbox.user('Faye')
  await faye.attaches(await film(), '/video@some_other_bot a cat', (message) => message.from?.is_bot === true)
  expect(await faye.transcript()).not.toContain('Price')
})

it('a picture in place of the prompt is kept as a frame, and one in place of a promo code or a name is refused', async () => {
  const greta = await sandbox.user('Greta')
  await greta.asks('/video', /For example/)
  await greta.attaches(await jpeg(), '', /Got it for “Frames”\. Now I need the words/)
  await greta.asks('a wave', /Prompt: a wave/)
  await greta.seesButton('Frames: 🖼')
  const isRefused = async () => {
    await greta.attaches(await jpeg(), '', /Now I need the words/)
  }
  await greta.asks('/promo', /What’s your promo code/)
  await isRefused()
  await greta.opens('/image a fox', '⚙️ More', '📌 Presets', /Save as a preset/)
  await isRefused()
  await greta.asks('Foxes', /Saved as “Foxes”/)
})

it('the question for frames explains a wrong medium, takes positions, and can be opened again', async () => {
  const kate = await sandbox.user('Kate')
  await kate.opens('/video a cat', '📎 Frames')
  await kate.sees(/Frames[\s\S]*Send a/)
  await kate.attaches(await song(), '', /I need a picture here/)
  await kate.attaches(await jpeg(), 'in the middle', /says where the frame goes/)
  await kate.sendsFile(await jpeg(red), 'last')
  await kate.attaches(await jpeg(), '', /Got it: 2 of 8/)
  const twice = await kate.attaches(await jpeg(), 'the last frame', /what you sent before/)
  expect(labelsOf(twice)).toEqual(['✅ That’s all'])
  await kate.tapsAll('✅ That’s all', /^Frames: 🖼 last/, '📎 Add more')
  await kate.attaches(await png(), '', /Got it: 3 of 8/)
  await kate.taps('✅ That’s all')
  await kate.seesButton('Frames: 🖼 last, 2 × 🖼')
  const frameImages = [{ image: jpegUri, frame: 'last' }, jpegUri, pngUri]
  expect(await requestOf(sandbox, kate)).toMatchObject({ inputs: { frameImages } })
})

it('a picture becomes the frame that its caption names, on a card of its own; other words are the prompt', async () => {
  const nina = await sandbox.user('Nina')
  await nina.asks('/video a sunset 10s', /Prompt: a sunset/)
  await nina.sendsFile(await jpeg(), 'last frame')
  await nina.tapsFor(/^🎬 Animate/, /For example/)
  await nina.asks('the tide', /Prompt: the tide/)
  const frameImages = [{ image: jpegUri, frame: 'last' }]
  const wanted = { positivePrompt: 'the tide', duration: 5, inputs: { frameImages } }
  expect(await requestOf(sandbox, nina)).toMatchObject(wanted)
  await nina.attaches(await jpeg(), 'the waves move', /What should I do with this picture/)
  await nina.tapsFor(/^🎬 Animate/, /Prompt: the waves move/)
  await nina.seesButton('Frames: 🖼')
  await nina.sendsFile({ kind: 'video', name: 'film.mp4', bytes: await clip('1920x1088.mp4') }, 'last')
  await nina.tapsFor(/^🎬 A video/, /Prompt: last/)
  const lists = ['MODEL-VIDEO-REEL', 'MODEL-VIDEO-WAN']
  const off = lists.map((id) => ({ name: modelSwitch(id), since: new Date(), operatorId: 1 }))
  await sandbox.app.db.insert(switches).values(off)
  await nina.attaches(await jpeg(), '3', /What should I do with this picture/)
  await nina.tapsFor(/^🎬 Animate/, /Prompt: 3\n/)
  await nina.attaches(await jpeg(), '-1', /What should I do with this picture/)
  await nina.tapsFor(/^🎬 Animate/, /Last frame: 🖼/)
})

it('a number that other answers lower is told with its new value, not as reset', async () => {
  const lena = await sandbox.user('Lena')
  await lena.opens('/video a cat 15s', /^🎛/, /^Wan/, '⚙️ More', '📎 Sample pictures')
  const lowered = /More isn’t possible here, so now: Duration: 10 s\n[\s\S]*1 of 30/
  await lena.attaches(await jpeg(), '', lowered)
  await lena.opens('/model3d a cube', '⚙️ More', /Polygons/)
  await lena.asks('20000', /Polygons: 20,000/)
  await lena.tapsAll('⚙️ More', /^Mesh/)
  await lena.hears('Smart', 'More isn’t possible here, so now: Polygons: 15,000')
})

describe('Measured:', () => {
  const file = (kind: string, name: string, bytes: Uint8Array, mime?: string): FileToSend => ({
    kind,
    name,
    bytes,
    ...(mime === undefined ? {} : { mime }),
  })
  const lowResolution = /resolution is too low.*1920 × 1080.*send it as a file/s

  it('a video is measured however it is sent: a small one is refused, and a large one is continued', async () => {
    const anna = await sandbox.user('Anna')
    const small = await clip('480x848.mp4')
    for (const kind of ['video', 'document', 'animation'])
      await anna.attaches(file(kind, 'film.mp4', small), `/video a cat as ${kind}`, lowResolution)
    await anna.tapsFor('🎬 A video from the words alone', /Prompt: a cat as animation/)
    await anna.tapsFor('🎬 Change it by words · ₽99.05', /Wan[\s\S]*: 🎬/)
    expect(await anna.transcript()).not.toContain('Continue a video: 🎬')
    await anna.attaches(
      file('document', 'film.mp4', await clip('1920x1088.mp4')),
      '/video a dog',
      /Prompt: a dog[\s\S]*Continue a video: 🎬/,
    )
  })

  it('a sound that is too long is refused however it is sent', async () => {
    const clara = await sandbox.user('Clara')
    await clara.opens('/video a cat', '⚙️ More', '📎 References')
    await clara.sees(/References[\s\S]*Send/)
    const wav = makeWav(17, sine(300), { rate: 8000 })
    const unknown = file('document', 'song.bin', wav, 'application/octet-stream')
    for (const one of [file('audio', 'song.wav', wav), file('document', 'song.wav', wav), unknown]) {
      await clara.attaches(one, '', /at most 15 seconds/)
    }
  })

  it('a picture in HEIC becomes a frame in JPEG', async () => {
    const heic = await readFile(join(import.meta.dirname, '../support/media/halves.heic'))
    const dora = await sandbox.user('Dora')
    await dora.sendsFile(file('document', 'IMG_1.HEIC', heic, 'image/heic'), '/video a cat')
    await dora.seesButton('Frames: 🖼')
    expect(await requestOf(sandbox, dora)).toMatchObject({ inputs: { frameImages: [jpegUri] } })
  })

  it('a picture that models cannot take is refused at once with the formats that fit', async () => {
    const fits = /Models can’t see this picture[\s\S]*JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF/
    const psd = Buffer.from('8BPS\0\x01\0\0\0\0\0\0', 'latin1')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    for (const [bytes, caption] of [
      [psd, '/video a cat'],
      [svg, ''],
      [heic, 'what is it?'],
    ] as const) {
      const fred = await sandbox.user('Fred')
      await fred.attaches(file('document', 'picture', bytes, 'image/png'), caption, fits)
      if (caption.startsWith('/')) await fred.seesButton('🎬 A video from the words alone')
      await fred.asks('/balance', 'Balance: ₽2,000')
    }
  })
})

const id = '6e6e0b5c-8f1f-4f0a-9a5e-0d2d7a1c2b3d'
const files: Record<string, Buffer> = {
  '/film.mp4': await clip('1920x1088.mp4'),
  '/phone.mp4': await clip('480x848.mp4'),
  '/cat.png': await colored(320, 240, [200, 30, 30]).png().toBuffer(),
  '/long.wav': makeWav(17, sine(300), { rate: 8000 }),
  '/page': Buffer.from('<!doctype html><title>My film</title>'),
}
/** The paths that were asked for, with the parts that were wanted. */
const asked: string[] = []
const server = createServer((req, res) => {
  const { pathname } = new URL(req.url ?? '/', 'http://files')
  asked.push(`${pathname} ${req.headers.range ?? 'whole'}`)
  const bytes = files[pathname]
  if (pathname === '/inside') return void res.writeHead(302, { location: 'http://10.0.0.1/film.mp4' }).end()
  res.writeHead(bytes ? 200 : 404).end(bytes)
})

let base = ''
let linked: TestSandbox
let unlinked: TestSandbox
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  base = `http://${host}`
  const env = { WELCOME_CREDIT: '2000', PRIVATE_LINK_HOSTS: host }
  linked = await openSandbox('postgres', { ...env, PICTURES_AS: 'links' })
  unlinked = await openSandbox('postgres', { ...env, PUBLIC_URL: '' })
})
afterAll(async () => {
  for (const one of [linked, unlinked]) expect(await one.get('/api/audit')).toMatchObject({ clean: true })
  await linked.stop()
  await unlinked.stop()
  server.closeAllConnections()
  server.close()
})

const hidden = (words: string, text: string, url: string) => ({
  text,
  entities: [{ type: 'text_link', url, offset: text.indexOf(words), length: words.length }],
})

/** Opens the question for a file of the video that is described. */
async function asksFor(user: SandboxUser, field: string, model?: RegExp): Promise<void> {
  if (model) {
    await user.tapsAll(/^🎛/, model)
  }
  await user.tapsAll('⚙️ More', `📎 ${field}`)
}

describe('a typed link', () => {
  it('becomes the reference of a video, larger than a bot can download, also in the next order', async () => {
    const anna = await linked.user('Anna')
    await anna.sends('/video a cat @film')
    await asksFor(anna, 'Reference video')
    await anna.sees(
      /Reference video[\s\S]*Send a video here, or a direct link[\s\S]*Over 20 MB, only as a link/,
    )
    await anna.asks(`@film ${base}/film.mp4?part=1`, /Reference video: 🎬 127\.0\.0\.1 @film/)
    const request = {
      positivePrompt: 'a cat @film',
      inputs: { referenceVideos: [{ type: 'reference', video: `${base}/film.mp4?part=1`, tag: '@film' }] },
    }
    expect(await requestOf(linked, anna)).toMatchObject(request)
    expect(await requestOf(linked, anna, /^🔁 Again/)).toMatchObject(request)
  })

  it('becomes the texture of a 3D model, where an id does not fit', async () => {
    const boris = await linked.user('Boris')
    await boris.sends('/model3d a cube')
    await asksFor(boris, 'Texture sample')
    await boris.asks(id, /A file ID won’t work here/)
    await boris.asks(`${base}/cat.png`, /Texture sample: 🖼 127\.0\.0\.1/)
    expect(await requestOf(linked, boris)).toMatchObject({ texture_image: `${base}/cat.png` })
  })

  it('that does not fit is refused with what to do', async () => {
    const inga = await linked.user('Inga')
    await inga.sends('/video a cat')
    await asksFor(inga, 'Reference video')
    const refusals: readonly (readonly [string, RegExp])[] = [
      [`${base}/phone.mp4`, /resolution is too low/],
      [`${base}/cat.png`, /I need a video here/],
      [`${base}/page`, /opens a page or another file/],
      [`${base}/missing.mp4`, /didn’t open/],
      [`${base}/inside`, /isn’t on the open internet/],
      ['http://192.168.0.1/film.mp4', /isn’t on the open internet/],
      ['https://api.telegram.org/file/bot1:A/film.mp4', /isn’t on the open internet/],
      [`${base}/film.mp4 ${base}/phone.mp4`, /Send one link per message/],
    ]
    for (const [words, why] of refusals) await inga.asks(words, why)
    await inga.sends('/video a cat')
    await asksFor(inga, 'References')
    await inga.asks(`${base}/long.wav`, /Too long: at most 15 seconds/)
    expect(asked).toContain('/long.wav bytes=0-262143')
  })
})

it('a hidden link becomes the frame that its words name', async () => {
  const dora = await linked.user('Dora')
  await dora.opens('/video a cat', '📎 Frames')
  await dora.sendsContent(hidden('this picture', 'last this picture', `${base}/cat.png`))
  await dora.taps('✅ That’s all')
  await dora.seesButton(/^Frames: 🖼 127.0.0.1/)
  const request = await requestOf(linked, dora)
  expect(request).toMatchObject({ inputs: { frameImages: [{ frame: 'last', image: expect.any(String) }] } })
  expect(JSON.stringify(request)).toContain(`${base}/cat.png`)
})

it('an id of the gateway becomes the sound of a video, or the picture and the voice of a character', async () => {
  const eva = await linked.user('Eva')
  await eva.sends('/video a cat')
  await asksFor(eva, 'Your own sound', /^Wan/)
  await eva.asks(id.toUpperCase(), /Your own sound: 🎵 6e6e0b5c/)
  expect(await requestOf(linked, eva)).toMatchObject({ inputs: { audio: id } })
  const fred = await linked.user('Fred')
  await fred.sends('/video @cat sings')
  await asksFor(fred, 'References')
  await fred.asks(`@cat ${id}`, /1 of/)
  await fred.asks(`@cat voice ${id}`, /2 of/)
  await fred.tapsFor('✅ That’s all', /References: 🖼 6e6e0b5c\S* @cat, 🎵 6e6e0b5c\S* @cat/)
  const character = { type: 'image', images: [id], tag: '@cat', audio: id }
  expect(await requestOf(linked, fred)).toMatchObject({ inputs: { referenceImages: [character] } })
})

describe('without a public address', () => {
  it('a link is taken where a file cannot be passed on', async () => {
    const ivan = await unlinked.user('Ivan')
    await ivan.opens('/video a cat', /^🎛/, /^Dream/, '📎 First frame')
    await ivan.attaches(await jpeg(), '', /can’t pass the file itself on[\s\S]*send me a direct link/)
    await ivan.sends(`${base}/cat.png`)
    await ivan.seesButton('First frame: 🖼 127.0.0.1')
    const keyframes = { frame0: { type: 'image', url: `${base}/cat.png` } }
    expect(await requestOf(unlinked, ivan)).toMatchObject({ keyframes })
  })

  it('pictures that are too large together are refused before money is held, and the card names the limit', async () => {
    const dora = await unlinked.user('Dora')
    await dora.opens('/video a cat', '📎 Frames')
    const { bytes: start } = await jpeg()
    const bytes = Buffer.concat([start, Buffer.alloc(7 * 1024 * 1024)])
    for (const name of ['1.jpg', '2.jpg', '3.jpg']) await dora.sendsFile({ kind: 'document', name, bytes })
    await dora.sees(/Got it: 3/)
    const card = await dora.tapsFor(
      '✅ That’s all',
      /The pictures are 22 MB together, and one order takes 20 MB/,
    )
    expect(labelsOf(card).join()).not.toContain('Generate')
  })

  it('a character with a voice, which needs a link, cannot be ordered, and music is not offered', async () => {
    const clara = await unlinked.user('Clara')
    await clara.sends('/video @cat sings')
    await asksFor(clara, 'References')
    await clara.sendsFile(await jpeg(), '@cat')
    await clara.attaches(await song(), '@cat', /Got it: 2/)
    const card = await clara.tapsFor('✅ That’s all', /One of the files can’t be passed/)
    expect(labelsOf(card).join()).not.toContain('Generate')
    await clara.asks('/music a song about the sea', /don’t know this command/)
    expect((await clara.asks('/help', /How it works/)).text).not.toContain('/music')
  })
})

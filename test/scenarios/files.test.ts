// Pictures, videos and sounds that users send: with a command, before a command, in answer to a question, and by mistake. They are what their
// bytes say: measured before money is held, and turned into what models take.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clip, makeWav, sine } from '../support/media/media-files.ts'
import { requestOf } from '../support/users/order.ts'
import { dataUri, film, jpeg, png, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { type FileToSend, labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

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
  await kate.tapsAll('✅ That’s all', /^Frames: 🖼 last/, '📎 Add more')
  await kate.attaches(await png(), '', /Got it: 3 of 8/)
  await kate.taps('✅ That’s all')
  await kate.seesButton('Frames: 🖼 last, 2 × 🖼')
  const frameImages = [{ image: jpegUri, frame: 'last' }, jpegUri, pngUri]
  expect(await requestOf(sandbox, kate)).toMatchObject({ inputs: { frameImages } })
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

// Files of users are what their bytes say, however they are sent: measured before money is held, and turned into what models take.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clip, colored, makeWav, sine } from '../support/media/media-files.ts'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { FileToSend, SandboxUser } from '../support/users/user.ts'

const resultMs = 60_000
const sandbox = await sharedSandbox({ credit: '2000' })

const file = (kind: string, name: string, bytes: Uint8Array, mime?: string): FileToSend => ({
  kind,
  name,
  bytes,
  ...(mime === undefined ? {} : { mime }),
})
const lowResolution = /resolution is too low.*1920 × 1080.*send it as a file/s

it('a video is measured however it is sent: a small one is refused, and a large one is continued', async () => {
  const anna = await sandbox.user('Anna')
  for (const kind of ['video', 'document', 'animation']) {
    const { message_id: sent } = await anna.sendsFile(
      file(kind, 'film.mp4', await clip('480x848.mp4')),
      `/video a cat as ${kind}`,
    )
    await anna.sees(({ message_id, text = '' }) => message_id > sent && lowResolution.test(text))
  }
  await anna.taps('🎬 A video from the words alone')
  await anna.sees(/Prompt: a cat as animation/)
  expect(await anna.transcript()).not.toContain('Continue a video: 🎬')
  await anna.sendsFile(file('document', 'film.mp4', await clip('1920x1088.mp4')), '/video a dog')
  await anna.sees(/Prompt: a dog[\s\S]*Continue a video: 🎬/)
})

it('a video that a program calls something else is a video all the same', async () => {
  const vlad = await sandbox.user('Vlad')
  await vlad.sendsFile(file('document', 'film', await clip('1920x1088.mp4'), 'text/plain'), 'what is it?')
  await vlad.seesButton('🎬 A video')
  await vlad.sends('/video a cat')
  await vlad.taps('📎 Frames')
  await vlad.sendsFile(file('document', 'film', await clip('480x848.mp4'), 'image/png'))
  await vlad.sees(/I need a picture here/)
})

it('a sound that is too long is refused however it is sent', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a cat')
  await clara.taps('⚙️ More')
  await clara.taps('📎 References')
  await clara.sees(/References[\s\S]*Send/)
  const wav = makeWav(17, sine(300), { rate: 8000 })
  const unknown = file('document', 'song.bin', wav, 'application/octet-stream')
  for (const one of [file('audio', 'song.wav', wav), file('document', 'song.wav', wav), unknown]) {
    const { message_id: sent } = await clara.sendsFile(one)
    await clara.sees(({ message_id, text = '' }) => message_id > sent && /at most 15 seconds/.test(text))
  }
})

/** The first frame of the last order, as the gateway got it. */
async function frameOf(user: SandboxUser, sent: FileToSend) {
  await user.sendsFile(sent, '/video a cat')
  await user.seesButton('Frames: 🖼')
  await user.taps('Generate · ₽92.45')
  await user.sees((message) => message.video !== undefined, resultMs)
  const { inputs } = z
    .object({ inputs: z.object({ frameImages: z.array(z.string()) }) })
    .parse((await ordered(sandbox)).at(-1))
  const [, mime, base64 = ''] = /^data:([^;]+);base64,(.+)$/.exec(inputs.frameImages[0] ?? '') ?? []
  return { mime, head: Buffer.from(base64.slice(0, 1600), 'base64') }
}

describe('a picture', () => {
  it('in HEIC becomes a frame in JPEG', async () => {
    const heic = await readFile(join(import.meta.dirname, '../support/media/halves.heic'))
    const dora = await sandbox.user('Dora')
    const { mime, head } = await frameOf(dora, file('document', 'IMG_1.HEIC', heic, 'image/heic'))
    expect([mime, head.subarray(0, 3).toString('hex')]).toEqual(['image/jpeg', 'ffd8ff'])
  })

  it('becomes a frame upright, without the place where it was taken', async () => {
    const turned = await colored(160, 80, [200, 30, 30])
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const eva = await sandbox.user('Eva')
    const { head } = await frameOf(eva, file('document', 'cat.jpg', turned))
    const facts = await sharp(head, { failOn: 'none' }).metadata()
    expect([facts.width, facts.height, facts.orientation, facts.exif]).toEqual([
      80,
      160,
      undefined,
      undefined,
    ])
  })

  it('that models cannot take is refused at once with the formats that fit', async () => {
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
      await fred.sendsFile(file('document', 'picture', bytes, 'image/png'), caption)
      await fred.sees(fits)
      if (caption.startsWith('/')) await fred.seesButton('🎬 A video from the words alone')
      await fred.sends('/balance')
      await fred.sees('Balance: ₽2,000')
    }
  })
})

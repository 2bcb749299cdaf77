// Files of users are what their bytes say, however they are sent: measured before money is held, and turned into what models take.

import assert from 'node:assert/strict'
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

describe('a video', () => {
  it.each(['video', 'document', 'animation'])('that is too small is refused as a %s', async (kind) => {
    const anna = await sandbox.user('Anna')
    await anna.sendsFile(file(kind, 'film.mp4', await clip('480x848.mp4')), '/video a cat')
    await anna.sees(lowResolution)
    await anna.taps('🎬 A video from the words alone')
    await anna.sees(/Prompt: a cat/)
    expect(await anna.transcript()).not.toContain('Continue a video: 🎬')
  })

  it.each(['video', 'document'])('that is large enough is taken as a %s', async (kind) => {
    const boris = await sandbox.user('Boris')
    await boris.sendsFile(file(kind, 'film.mp4', await clip('1920x1088.mp4')), '/video a cat')
    await boris.sees(/Prompt: a cat[\s\S]*Continue a video: 🎬/)
  })
})

describe('a video that a program calls something else', () => {
  it.each(['application/octet-stream', 'text/plain', 'image/png'])(
    '%s, is a video all the same',
    async (mime) => {
      const vlad = await sandbox.user('Vlad')
      await vlad.sendsFile(file('document', 'film', await clip('1920x1088.mp4'), mime), 'what is it?')
      await vlad.seesButton('🎬 A video')
      await vlad.sends('/video a cat')
      await vlad.taps('📎 Frames')
      await vlad.sendsFile(file('document', 'film', await clip('480x848.mp4'), mime))
      await vlad.sees(/I need a picture here/)
    },
  )
})

describe('a sound', () => {
  const wav = makeWav(17, sine(300), { rate: 8000 })
  it.each([
    ['an audio file', file('audio', 'song.wav', wav)],
    ['a document', file('document', 'song.wav', wav)],
    ['a document of another type', file('document', 'song.bin', wav, 'application/octet-stream')],
  ])('that is too long is refused as %s', async (_, sent) => {
    const clara = await sandbox.user('Clara')
    await clara.sends('/video a cat')
    await clara.taps('⚙️ More settings')
    await clara.taps('📎 References')
    await clara.sees(/References[\s\S]*Send/)
    await clara.sendsFile(sent)
    await clara.sees(/Too long: at most 15 seconds/)
  })
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

  it.each([
    ['a PSD', Buffer.from('8BPS\0\x01\0\0\0\0\0\0', 'latin1')],
    ['a drawing in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a raw file of a camera', Buffer.from('II*\0\x10\0\0\0CR\x02\0', 'latin1')],
    ['a broken HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['a BMP', Buffer.from(`BM${'\0'.repeat(60)}`, 'latin1')],
  ])('that models cannot take, %s, is refused at once with the formats that fit', async (_, bytes) => {
    const fits = /Models cannot see this picture[\s\S]*JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF/
    const fred = await sandbox.user('Fred')
    await fred.sendsFile(file('document', 'picture', bytes, 'image/png'), '/video a cat')
    await fred.sees(fits)
    await fred.seesButton('🎬 A video from the words alone')
    const gleb = await sandbox.user('Gleb')
    await gleb.sendsFile(file('document', 'picture', bytes, 'image/jpeg'))
    assert(await gleb.sees(fits))
    const hugo = await sandbox.user('Hugo')
    await hugo.sendsFile(file('document', 'picture', bytes, 'image/jpeg'), 'what is it?')
    await hugo.sees(fits)
  })
})

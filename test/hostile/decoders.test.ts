// Decompression bombs and absurd numbers for every decoder: facts of media, pictures, documents, 3D models and compressed answers.
// test/media/bombs.long.test.ts and test/media/garbage.fuzz.test.ts contain more cases.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { pdfText } from '../../src/bot/chat/words.ts'
import {
  fitPhoto,
  imageThumbnail,
  isGlb,
  probeAudio,
  probeVideo,
  wholeSeconds,
} from '../../src/media/convert.ts'
import { drawGlb } from '../../src/media/glb/picture.ts'
import { encodeVoice } from '../../src/media/opus.ts'
import { probeImage } from '../../src/media/pictures.ts'
import { readWav } from '../../src/media/wav.ts'
import { createDownloads } from '../../src/orders/deliver/download.ts'
import { clip, colored, makeMp3, makeWav, sine } from '../support/media/media-files.ts'
import { endless, granules, models, mp4s, pdfs, pictures, sounds } from './tables/decoders.ts'

/** A short time limit in milliseconds; the limits in production are tens of times longer. */
const briefly = 150

describe('reading size and duration', () => {
  const all = async (bytes: Buffer, timeoutMs?: number) => ({
    ...(await probeVideo(bytes, timeoutMs)),
    ...(await probeAudio(bytes, timeoutMs)),
  })
  let mp4: Buffer
  let mp3: Buffer
  let ogg: Buffer
  beforeAll(async () => {
    const wav = readWav(makeWav(0.1, sine(300)))
    assert(wav)
    mp4 = await clip('640x640.mp4')
    mp3 = await makeMp3(1)
    ogg = Buffer.from(await encodeVoice(wav))
  })

  it.each(Object.entries(mp4s))(
    'of an MP4 with %s succeeds or ends as listed',
    async (_, [{ after, at, hex }, found]) => {
      const bytes = Buffer.from(mp4)
      bytes.write(hex, bytes.indexOf(after) + at, 'hex')
      const facts = await all(bytes)
      if (found === 'nothing') return expect(facts).toEqual({})
      expect(facts).toMatchObject({ width: 640, height: 640, container: 'mp4' })
      expect(facts.duration).toBeLessThanOrEqual(86_400)
    },
  )

  it.each(Object.entries(sounds))('of %s succeeds or ends as listed', async (_, [made, found]) => {
    const { seconds = 0 } = await all(made(mp3))
    expect(seconds > 0 ? 'facts' : 'nothing').toBe(found)
  })

  it.each(granules)(
    'of an OGG whose last sample has the number %s gives the listed duration',
    async (position, duration) => {
      const bytes = Buffer.from(ogg)
      bytes.write(position, bytes.lastIndexOf('OggS') + 6, 'hex')
      const { seconds } = (await probeAudio(bytes)) ?? {}
      const told = seconds === undefined ? 'none' : seconds > 1e9 ? 'absurd' : 'usual'
      expect([told, wholeSeconds(seconds ?? 1) <= 86_400]).toEqual([duration, true])
    },
  )

  it.each(Object.entries(endless))('of %s is given up at the time limit', async (_, bytes) => {
    expect(await probeAudio(bytes, briefly)).toBeUndefined()
  })
})

describe('a picture', () => {
  it.each(Object.entries(pictures))('is shown or refused as listed if it is %s', async (_, [made, shown]) => {
    const base = () => colored(60, 40, [1, 2, 3])
    const [png, jpeg, webp] = await Promise.all([
      base().png().toBuffer(),
      base().jpeg().toBuffer(),
      base().webp().toBuffer(),
    ])
    const bytes = made({ png, jpeg, webp })
    const [facts, photo, preview] = [
      await probeImage(bytes),
      await fitPhoto(bytes),
      await imageThumbnail(bytes),
    ]
    const isShown = facts !== undefined && photo !== undefined
    expect([isShown, preview !== undefined]).toEqual([shown !== 'not a picture', shown === 'shown'])
  })
})

describe('a PDF', () => {
  it.each(Object.entries(pdfs))('with %s gives the listed text or none', async (_, [bytes, text]) => {
    expect(await pdfText(bytes, text === undefined ? briefly : undefined)).toBe(text)
  })
})

describe('a 3D model', () => {
  it.each(Object.entries(models))('%s is drawn or refused as listed', async (_, [bytes, outcome]) => {
    const drawn = isGlb(bytes) ? await drawGlb(bytes, 32).catch(() => undefined) : undefined
    expect(drawn ? 'drawn' : 'refused').toBe(outcome)
  })
})

describe('a compressed answer', () => {
  const bomb = Buffer.alloc(5_000_000)
  const small = Buffer.from('glTF....')

  /** @returns the downloaded file; undefined when it is too large */
  async function unpack(body: Buffer, encoding: string): Promise<Buffer | undefined> {
    const server = createServer((_, res) => res.writeHead(200, { 'content-encoding': encoding }).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const gatewayUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const downloads = createDownloads({ gatewayUrl, maxBytes: 100_000 })
    const downloaded = await downloads.get(`${gatewayUrl}/a.bin`)
    await downloads.close()
    server.close()
    return downloaded.ok ? downloaded.bytes : undefined
  }

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('in %s is unpacked up to the size limit', async (encoding, pack) => {
    expect(await unpack(pack(bomb), encoding)).toBeUndefined()
    expect(await unpack(pack(small), encoding)).toEqual(small)
    const cut = pack(small).subarray(0, 6)
    expect(await unpack(cut, encoding)).toEqual(cut)
  })

  it.each(['', ' ', 'identity', 'gzip, gzip', 'compress', 'constructor', '__proto__', 'x'.repeat(8000)])(
    'stays unchanged in the encoding %j, which is not supported',
    async (encoding) => expect(await unpack(small, encoding)).toEqual(small),
  )
})

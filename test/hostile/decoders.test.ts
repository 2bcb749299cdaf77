// Decompression bombs and absurd numbers for every decoder: facts of media, pictures, documents, 3D models and compressed answers.
// test/media/bombs.long.test.ts and test/media/garbage.fuzz.test.ts contain more cases.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { readPdf } from '../../src/bot/chat/words.ts'
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

const textOf = async (...given: Parameters<typeof readPdf>) => (await readPdf(...given))?.text || undefined

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

  it('of an MP4 with absurd numbers succeeds or ends as listed', async () => {
    for (const [name, [{ after, at, hex }, found]] of Object.entries(mp4s)) {
      const bytes = Buffer.from(mp4)
      bytes.write(hex, bytes.indexOf(after) + at, 'hex')
      const { duration = 0, ...facts } = await all(bytes)
      const expected = found === 'nothing' ? {} : { width: 640, height: 640, container: 'mp4' }
      expect([name, facts]).toMatchObject([name, expected])
      expect([name, Object.keys(facts).length > 0]).toEqual([name, found === 'facts'])
      expect(duration).toBeLessThanOrEqual(86_400)
    }
  })

  it('of other containers succeeds or ends as listed', async () => {
    for (const [name, [made, found]] of Object.entries(sounds)) {
      const { seconds = 0 } = await all(made(mp3))
      expect([name, seconds > 0 ? 'facts' : 'nothing']).toEqual([name, found])
    }
  })

  it('of an OGG with an absurd number of its last sample gives the listed duration', async () => {
    for (const [position, duration] of granules) {
      const bytes = Buffer.from(ogg)
      bytes.write(position, bytes.lastIndexOf('OggS') + 6, 'hex')
      const { seconds } = (await probeAudio(bytes)) ?? {}
      const told = seconds === undefined ? 'none' : seconds > 1e9 ? 'absurd' : 'usual'
      expect([position, told, wholeSeconds(seconds ?? 1) <= 86_400]).toEqual([position, duration, true])
    }
  })

  it('that never ends is given up at the time limit', async () => {
    for (const bytes of Object.values(endless)) expect(await probeAudio(bytes, briefly)).toBeUndefined()
  })
})

it('pictures are shown or refused as listed', async () => {
  const base = colored(60, 40, [1, 2, 3])
  const [png, jpeg, webp] = await Promise.all([
    base.clone().png().toBuffer(),
    base.clone().jpeg().toBuffer(),
    base.clone().webp().toBuffer(),
  ])
  for (const [name, [made, shown]] of Object.entries(pictures)) {
    const bytes = made({ png, jpeg, webp })
    const [facts, photo, preview] = [
      await probeImage(bytes),
      await fitPhoto(bytes),
      await imageThumbnail(bytes),
    ]
    const isShown = facts !== undefined && photo !== undefined
    const expected = [name, shown !== 'not a picture', shown === 'shown']
    expect([name, isShown, preview !== undefined]).toEqual(expected)
  }
})

it('PDFs give the listed text or none', async () => {
  for (const [name, [bytes, text]] of Object.entries(pdfs))
    expect([name, await textOf(bytes, text === undefined ? briefly : undefined)]).toEqual([name, text])
})

it('3D models are drawn or refused as listed', async () => {
  for (const [name, [bytes, outcome]] of Object.entries(models)) {
    const drawn = isGlb(bytes) ? await drawGlb(bytes, 32).catch(() => undefined) : undefined
    expect([name, drawn ? 'drawn' : 'refused']).toEqual([name, outcome])
  }
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

  it('is unpacked up to the size limit', async () => {
    const packers = {
      gzip: gzipSync,
      'x-gzip': gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: zstdCompressSync,
    }
    for (const [encoding, pack] of Object.entries(packers)) {
      const cut = pack(small).subarray(0, 6)
      const unpacked = [pack(bomb), pack(small), cut].map((body) => unpack(body, encoding))
      expect([encoding, ...(await Promise.all(unpacked))]).toEqual([encoding, undefined, small, cut])
    }
  })

  it('stays unchanged in an encoding that is not supported', async () => {
    for (const encoding of ['', ' ', 'identity', 'gzip, gzip', 'compress', '__proto__', 'x'.repeat(8000)])
      expect([encoding, await unpack(small, encoding)]).toEqual([encoding, small])
  })
})

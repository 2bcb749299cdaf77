// Probing videos, converting them to MP4, and their thumbnails.

import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { withMedia } from '../../src/media/container.ts'
import { probeAudio, probeVideo, toMp4, videoThumbnail } from '../../src/media/convert.ts'
import { findFfmpeg } from '../../src/media/decoders.ts'
import { probeImage } from '../../src/media/pictures.ts'
import { clip, fixture, pixelOf } from '../support/media/media-files.ts'

const hasFfmpeg = await findFfmpeg()
const orSkipped = (name: string) => (hasFfmpeg ? name : `${name} (skipped: no ffmpeg here)`)

const video = (format: 'MP4' | 'MOV' | 'WEBM', sound = true) =>
  fixture(`video-0-square-5${sound ? '-sound' : ''}.${format.toLowerCase()}`)

async function codecs(bytes: Buffer) {
  const found = await withMedia(bytes, async (input) => ({
    video: await (await input.getPrimaryVideoTrack())?.getCodec(),
    audio: await (await input.getPrimaryAudioTrack())?.getCodec(),
    seconds: await input.computeDuration(),
  }))
  assert(found)
  return found
}

/** The boxes of an MP4 in their order. */
function boxes(bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at))) {
    names.push(bytes.toString('latin1', at + 4, at + 8))
  }
  return names
}

it('a probe says the size, the duration and the container, and opens no playlists', async () => {
  for (const format of ['MP4', 'MOV', 'WEBM'] as const) {
    const bytes = await video(format)
    const facts = { width: 360, height: 360, duration: 5, container: format.toLowerCase() }
    expect(await probeVideo(bytes)).toMatchObject(facts)
    expect(await probeAudio(bytes)).toBeUndefined()
  }
  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n'
  expect(await probeVideo(Buffer.from(playlist))).toBeUndefined()
  expect(await toMp4(Buffer.from(playlist))).toBeUndefined()
})

describe('MP4', () => {
  async function isMade(from: Buffer, expected: object) {
    const mp4 = await toMp4(from)
    assert(mp4)
    expect(await probeVideo(mp4)).toMatchObject({ width: 360, height: 360, duration: 5, container: 'mp4' })
    expect(await codecs(mp4)).toEqual(expected)
    expect(boxes(mp4).indexOf('moov')).toBeLessThan(boxes(mp4).indexOf('mdat'))
  }

  it('made from MOV has the same packets, with and without sound, and its header before them', async () => {
    for (const sound of [true, false]) {
      const mov = await video('MOV', sound)
      await isMade(mov, { ...(await codecs(mov)), seconds: expect.closeTo(5, 1) })
    }
  })

  it.skipIf(!hasFfmpeg)(
    orSkipped('made from WebM is encoded by ffmpeg, with the same duration and size'),
    async () => isMade(await video('WEBM'), { video: 'avc', audio: 'aac', seconds: expect.closeTo(5, 0) }),
  )

  it('is not made from bytes that are not a video, from a truncated video, or after the timeout', async () => {
    expect(await toMp4(Buffer.from('a cat'))).toBeUndefined()
    const webm = await video('WEBM')
    expect(await toMp4(webm.subarray(0, 300))).toBeUndefined()
    expect(await toMp4(webm, 1)).toBeUndefined()
  })
})

it.skipIf(!hasFfmpeg)(
  orSkipped('a thumbnail of a video is small, keeps the proportions, and shows the video'),
  async () => {
    const thumbnail = await videoThumbnail(await clip('480x848.mp4'))
    assert(thumbnail)
    const facts = { width: expect.closeTo(181, -1), height: 320, format: 'jpeg' }
    expect(await probeImage(thumbnail)).toMatchObject(facts)
    expect(thumbnail.length).toBeLessThan(200_000)
    expect(Math.max(...(await pixelOf(thumbnail, 90, 160)))).toBeGreaterThan(60)
  },
)

it('a thumbnail is not made from bytes that are no whole video', async () => {
  for (const bytes of [Buffer.from('a cat'), (await clip('640x640.mp4')).subarray(0, 100)])
    expect(await videoThumbnail(bytes)).toBeUndefined()
})

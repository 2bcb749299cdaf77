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

describe('a probe', () => {
  it.each([
    ['MP4', 'mp4'],
    ['MOV', 'mov'],
    ['WEBM', 'webm'],
  ] as const)('of %s says the size, the duration and the container', async (format, container) => {
    const bytes = await video(format)
    expect(await probeVideo(bytes)).toMatchObject({ width: 360, height: 360, duration: 5, container })
    expect(await probeAudio(bytes)).toBeUndefined()
  })

  it('does not open playlists', async () => {
    const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n'
    expect(await probeVideo(Buffer.from(playlist))).toBeUndefined()
    expect(await toMp4(Buffer.from(playlist))).toBeUndefined()
  })
})

describe('MP4', () => {
  it.each([true, false])(
    'made from MOV has the same packets (sound: %s), and its header before them',
    async (sound) => {
      const mov = await video('MOV', sound)
      const mp4 = await toMp4(mov)
      assert(mp4)
      expect(await probeVideo(mp4)).toMatchObject({ width: 360, height: 360, duration: 5, container: 'mp4' })
      expect(await codecs(mp4)).toEqual({ ...(await codecs(mov)), seconds: expect.closeTo(5, 1) })
      expect(boxes(mp4).indexOf('moov')).toBeLessThan(boxes(mp4).indexOf('mdat'))
    },
  )

  it.skipIf(!hasFfmpeg)(
    orSkipped('made from WebM is encoded by ffmpeg, with the same duration and size'),
    async () => {
      const mp4 = await toMp4(await video('WEBM'))
      assert(mp4)
      expect(await probeVideo(mp4)).toMatchObject({ width: 360, height: 360, duration: 5, container: 'mp4' })
      expect(await codecs(mp4)).toEqual({ video: 'avc', audio: 'aac', seconds: expect.closeTo(5, 0) })
      expect(boxes(mp4).indexOf('moov')).toBeLessThan(boxes(mp4).indexOf('mdat'))
    },
    60_000,
  )

  it('is not made from bytes that are not a video, from a truncated video, or after the timeout', async () => {
    expect(await toMp4(Buffer.from('a cat'))).toBeUndefined()
    const webm = await video('WEBM')
    expect(await toMp4(webm.subarray(0, 300))).toBeUndefined()
    expect(await toMp4(webm, 1)).toBeUndefined()
  })
})

describe('a thumbnail of a video', () => {
  it.skipIf(!hasFfmpeg)(orSkipped('is small, keeps the proportions, and shows the video'), async () => {
    const thumbnail = await videoThumbnail(await clip('480x848.mp4'))
    assert(thumbnail)
    expect(await probeImage(thumbnail)).toMatchObject({
      width: expect.closeTo(181, -1),
      height: 320,
      format: 'jpeg',
    })
    expect(thumbnail.length).toBeLessThan(200_000)
    expect(Math.max(...(await pixelOf(thumbnail, 90, 160)))).toBeGreaterThan(60)
  })

  it('is undefined for bytes that are not a video', async () => {
    expect(await videoThumbnail(Buffer.from('a cat'))).toBeUndefined()
    expect(await videoThumbnail((await clip('640x640.mp4')).subarray(0, 100))).toBeUndefined()
  })
})

// Probing images, and making photos and thumbnails that Telegram accepts.

import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fitPhoto, imageThumbnail } from '../../src/media/convert.ts'
import { probeImage } from '../../src/media/pictures.ts'
import { bomb, colored, pixelOf } from '../support/media/media-files.ts'

const green = [40, 160, 60] as const
const png = (width: number, height: number) => colored(width, height, green).png().toBuffer()

/** Noise, which cannot be compressed. */
function noise(width: number, height: number) {
  const pixels = randomFillSync(Buffer.alloc(width * height * 3))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

describe('a probe', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('recognises %s', async (format) => {
    const bytes = await colored(30, 20, green).toFormat(format).toBuffer()
    expect(await probeImage(bytes)).toEqual({ width: 30, height: 20, format })
  })

  it('gives the size as it is displayed, after the rotation', async () => {
    const turned = await colored(30, 20, green).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    expect(await probeImage(turned)).toEqual({ width: 20, height: 30, format: 'jpeg' })
  })

  it.each([
    ['a GIF', colored(30, 20, green).gif().toBuffer()],
    [
      'an SVG',
      Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    ],
    ['text', Promise.resolve(Buffer.from('a cat'))],
  ])('does not recognise %s', async (_, bytes) => {
    expect(await probeImage(await bytes)).toBeUndefined()
  })
})

it('an image with too many pixels for the memory is not opened', async () => {
  const bytes = await bomb(16_000, 8000)
  expect([await probeImage(bytes), await fitPhoto(bytes)]).toEqual([undefined, undefined])
})

describe('a photo', () => {
  it.each(['png', 'jpeg'] as const)('of type %s is unchanged', async (format) => {
    const bytes = await colored(200, 10, green).toFormat(format).toBuffer()
    expect(await fitPhoto(bytes)).toEqual({ bytes, width: 200, height: 10, changed: false })
  })

  it.each([
    [5000, 5000],
    [9523, 477],
  ])('of %ix%i is unchanged', async (width, height) => {
    expect(await fitPhoto(await png(width, height))).toMatchObject({ width, height, changed: false })
  })

  it.each([
    [9001, 1000],
    [500, 9600],
  ])('of %ix%i is scaled down in proportion', async (width, height) => {
    const photo = await fitPhoto(await png(width, height))
    expect(photo?.changed).toBe(true)
    const facts = photo && (await probeImage(photo.bytes))
    expect(facts).toEqual({ width: photo?.width, height: photo?.height, format: 'jpeg' })
    expect((photo?.width ?? 0) + (photo?.height ?? 0)).toBeLessThanOrEqual(10_000)
    expect((photo?.width ?? 0) + (photo?.height ?? 0)).toBeGreaterThan(9990)
    expect((photo?.width ?? 0) / (photo?.height ?? 1)).toBeCloseTo(width / height, 2)
  })

  it('of more than 10 MB is compressed more', async () => {
    const large = await noise(1900, 1900).png({ compressionLevel: 0 }).toBuffer()
    const tighter = await fitPhoto(large)
    expect(tighter).toMatchObject({ width: 1900, height: 1900, changed: true })
  }, 60_000)

  it('of WebP becomes a JPEG, with white for transparent parts', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 }
    const webp = await sharp({ create: { width: 20, height: 10, channels: 4, background: clear } })
      .webp()
      .toBuffer()
    const photo = await fitPhoto(webp)
    expect(photo).toMatchObject({ width: 20, height: 10, changed: true })
    expect(photo && (await pixelOf(photo.bytes, 5, 5))).toEqual([255, 255, 255])
  })

  it.each([
    [210, 10],
    [10, 201],
  ])('is not made from an image of %ix%i, whose sides differ too much', async (width, height) => {
    expect(await fitPhoto(await png(width, height))).toBeUndefined()
  })

  it('is undefined for bytes that are not an image', async () => {
    expect(await fitPhoto(Buffer.from('a cat'))).toBeUndefined()
    const broken = (await noise(300, 300).webp().toBuffer()).subarray(0, 2000)
    expect(await fitPhoto(broken)).toBeUndefined()
  })
})

describe('a thumbnail of an image', () => {
  it.each([
    [2000, 1000, 320, 160],
    [1000, 2000, 160, 320],
    [64, 32, 64, 32],
  ])('of %ix%i is %ix%i', async (width, height, thumbWidth, thumbHeight) => {
    const thumbnail = await imageThumbnail(await png(width, height))
    expect(thumbnail && (await probeImage(thumbnail))).toEqual({
      width: thumbWidth,
      height: thumbHeight,
      format: 'jpeg',
    })
  })

  it('is undefined for bytes that are not an image', async () => {
    expect(await imageThumbnail(Buffer.from('a cat'))).toBeUndefined()
  })
})

// Probing images, making photos and thumbnails that Telegram accepts, and pictures for models that see them.

import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { isTakenPicture } from '../../src/catalog/field.ts'
import { fitPhoto, inOrders, inQuestions, pictureForModel, probePicture } from '../../src/media/convert.ts'
import { probeImage } from '../../src/media/pictures.ts'
import { bomb, colored, pixelOf } from '../support/media/media-files.ts'

const green = [40, 160, 60] as const
const png = (width: number, height: number) => colored(width, height, green).png().toBuffer()
const clear = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'

/** Noise, which cannot be compressed. */
function noise(width: number, height: number) {
  const pixels = randomFillSync(Buffer.alloc(width * height * 3))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

it('a probe recognises PNG, JPEG and WebP, with the size as it is displayed, and nothing else', async () => {
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const bytes = await colored(30, 20, green).toFormat(format).toBuffer()
    expect(await probeImage(bytes)).toEqual({ width: 30, height: 20, format })
  }
  const turned = await colored(30, 20, green).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  expect(await probeImage(turned)).toEqual({ width: 20, height: 30, format: 'jpeg' })
  for (const bytes of [await colored(30, 20, green).gif().toBuffer(), Buffer.from(svg), Buffer.from('a cat')])
    expect(await probeImage(bytes)).toBeUndefined()
})

it('an image with too many pixels for the memory is not opened', async () => {
  const bytes = await bomb(16_000, 8000)
  const opened = [await probeImage(bytes), await fitPhoto(bytes), await pictureForModel(bytes, inQuestions)]
  expect(opened).toEqual([undefined, undefined, undefined])
})

describe('a photo', () => {
  it('is unchanged if Telegram takes it', async () => {
    for (const format of ['png', 'jpeg'] as const) {
      const bytes = await colored(200, 10, green).toFormat(format).toBuffer()
      expect(await fitPhoto(bytes)).toEqual({ bytes, width: 200, height: 10, changed: false })
    }
  })

  it('of more than 10 000 pixels in both sides together is scaled down in proportion', async () => {
    const photo = await fitPhoto(await png(500, 9600))
    assert(photo)
    const { width, height } = photo
    expect([await probeImage(photo.bytes), photo.changed]).toEqual([{ width, height, format: 'jpeg' }, true])
    expect([width + height <= 10_000, width + height > 9990]).toEqual([true, true])
    expect(width / height).toBeCloseTo(500 / 9600, 2)
  })

  it('of more than 10 MB is compressed more', async () => {
    const large = await noise(1900, 1900).png({ compressionLevel: 0 }).toBuffer()
    expect(await fitPhoto(large)).toMatchObject({ width: 1900, height: 1900, changed: true })
  })

  it('of WebP becomes a JPEG, with white for transparent parts', async () => {
    const photo = await fitPhoto(await clear(20, 10).webp().toBuffer())
    expect(photo).toMatchObject({ width: 20, height: 10, changed: true })
    expect(photo && (await pixelOf(photo.bytes, 5, 5))).toEqual([255, 255, 255])
  })

  it('is not made when the sides differ too much, nor of bytes that are no whole image', async () => {
    const broken = (await noise(300, 300).webp().toBuffer()).subarray(0, 2000)
    for (const bytes of [await png(210, 10), await png(10, 201), Buffer.from('a cat'), broken])
      expect(await fitPhoto(bytes)).toBeUndefined()
  })
})

describe('a picture for a model', () => {
  it('stays as it is when it is small, and becomes a JPEG of at most 2048 pixels when it is not', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = await colored(320, 240, green).toFormat(format).toBuffer()
      expect(await pictureForModel(bytes, inQuestions)).toEqual({ bytes, mime: `image/${format}` })
    }
    const heavy = noise(1000, 1000).png({ compressionLevel: 0 })
    for (const image of [colored(2400, 1200, green).png(), heavy]) {
      const seen = await pictureForModel(await image.toBuffer(), inQuestions)
      const { width, height, format } = await sharp(seen?.bytes).metadata()
      expect([seen?.mime, format, Math.max(width, height) <= 2048, width >= 1000]).toEqual([
        'image/jpeg',
        'jpeg',
        true,
        true,
      ])
    }
  })

  it.each([
    ['small', 64, 32],
    ['large', 2400, 600],
  ])('is turned upright and loses the place where it was taken when it is %s', async (_, width, height) => {
    const bytes = await colored(width, height, green)
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(bytes).metadata()).orientation).toBe(6)
    for (const limits of [inQuestions, inOrders]) {
      const seen = await sharp((await pictureForModel(bytes, limits))?.bytes).metadata()
      expect(seen.height).toBe(seen.width * (width / height))
      expect([seen.orientation, seen.exif]).toEqual([undefined, undefined])
    }
  })

  it('is converted from HEIC', async () => {
    const bytes = await readFile(join(import.meta.dirname, '../support/media/halves.heic'))
    const seen = await pictureForModel(bytes, inOrders)
    assert(seen)
    expect([seen.mime, await probePicture(bytes)]).toEqual(['image/jpeg', { width: 128, height: 64 }])
    const [left, right] = [await pixelOf(seen.bytes, 20, 32), await pixelOf(seen.bytes, 108, 32)]
    expect([left[0] > left[2] + 100, right[2] > right[0] + 100]).toEqual([true, true])
  })

  it('keeps its transparency', async () => {
    const seen = await pictureForModel(await clear(3000, 100).png().toBuffer(), inQuestions)
    expect(seen?.mime).toBe('image/webp')
    expect((await sharp(seen?.bytes).stats()).isOpaque).toBe(false)
  })

  it('is converted from TIFF, AVIF and GIF, and cannot be made of other formats', async () => {
    for (const format of ['tiff', 'avif', 'gif'] as const) {
      const bytes = await colored(64, 48, green).toFormat(format).toBuffer()
      const seen = await pictureForModel(bytes, inQuestions)
      expect(seen?.mime).toMatch(/^image\/(jpeg|webp)$/)
      expect(await sharp(seen?.bytes).metadata()).toMatchObject({ width: 64, height: 48 })
      expect(isTakenPicture(`image/${format}`)).toBe(true)
    }
    for (const [mime, content] of [
      ['image/svg+xml', svg],
      ['image/bmp', 'BM\x1a\0\0\0\0\0\0\0'],
      ['image/cr2', 'II*\0\x10\0\0\0CR\x02\0'],
      ['image/psd', '8BPS\0\x01'],
    ] as const) {
      expect(await pictureForModel(Buffer.from(content, 'latin1'), inQuestions)).toBeUndefined()
      expect([mime, isTakenPicture(mime)]).toEqual([mime, false])
    }
    const broken = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    expect(await pictureForModel(broken, inQuestions)).toBeUndefined()
  })
})

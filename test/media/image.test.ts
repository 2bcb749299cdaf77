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

  it('of more than 10 000 pixels in both sides together is scaled down in proportion', async () => {
    const [width, height] = [500, 9600]
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

const blue = [30, 30, 200] as const

describe('a picture for a model', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('stays as it is when it is a small %s', async (format) => {
    const bytes = await colored(320, 240, blue).toFormat(format).toBuffer()
    expect(await pictureForModel(bytes, inQuestions)).toEqual({ bytes, mime: `image/${format}` })
  })

  it.each([
    ['too many pixels', colored(5000, 2500, blue).png()],
    [
      'too many bytes',
      sharp(randomFillSync(Buffer.alloc(1000 * 1000 * 3)), {
        raw: { width: 1000, height: 1000, channels: 3 },
      }).png(),
    ],
  ])('with %s becomes a JPEG of at most 2048 pixels', async (_, image) => {
    const bytes = await image.toBuffer()
    const seen = await pictureForModel(bytes, inQuestions)
    expect(seen?.mime).toBe('image/jpeg')
    const { width, height, format } = await sharp(seen?.bytes).metadata()
    expect([format, Math.max(width, height) <= 2048, width >= 1000]).toEqual(['jpeg', true, true])
  })

  it.each([
    ['small', 64, 32],
    ['large', 4096, 1024],
  ])('is turned upright and loses the place where it was taken when it is %s', async (_, width, height) => {
    const bytes = await colored(width, height, blue)
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
    const background = { r: 0, g: 0, b: 0, alpha: 0 }
    const bytes = await sharp({ create: { width: 3000, height: 100, channels: 4, background } })
      .png()
      .toBuffer()
    const seen = await pictureForModel(bytes, inQuestions)
    expect(seen?.mime).toBe('image/webp')
    expect((await sharp(seen?.bytes).stats()).isOpaque).toBe(false)
  })

  it.each(['tiff', 'avif', 'gif'] as const)('is converted from %s', async (format) => {
    const bytes = await colored(64, 48, blue).toFormat(format).toBuffer()
    const seen = await pictureForModel(bytes, inQuestions)
    expect(seen?.mime).toMatch(/^image\/(jpeg|webp)$/)
    expect(await sharp(seen?.bytes).metadata()).toMatchObject({ width: 64, height: 48 })
    expect(isTakenPicture(`image/${format}`)).toBe(true)
  })

  it.each([
    ['SVG', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['BMP', 'image/bmp', 'BM\x1a\0\0\0\0\0\0\0'],
    ['a raw file of a camera', 'image/cr2', 'II*\0\x10\0\0\0CR\x02\0'],
    ['PSD', 'image/psd', '8BPS\0\x01'],
  ])('cannot be made of %s', async (_, mime, content) => {
    expect(await pictureForModel(Buffer.from(content, 'latin1'), inQuestions)).toBeUndefined()
    expect(isTakenPicture(mime)).toBe(false)
  })

  it.each([
    ['a broken HEIC', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['one with too many pixels', () => bomb(16_000, 8000)],
  ])('cannot be made of %s', async (_, made) => {
    expect(await pictureForModel(await made(), inQuestions)).toBeUndefined()
  })
})

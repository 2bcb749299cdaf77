// Pictures for models that see them: small, and in a format that every vendor reads.

import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { mayBeSeen, pictureForModel } from '../../src/media/vision.ts'
import { colored } from '../support/media/media-files.ts'

const blue = [30, 30, 200] as const

describe('a picture for a model', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('stays as it is when it is a small %s', async (format) => {
    const bytes = await colored(320, 240, blue).toFormat(format).toBuffer()
    expect(await pictureForModel(bytes)).toEqual({ bytes, mime: `image/${format}` })
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
    const seen = await pictureForModel(bytes)
    expect(seen?.mime).toBe('image/jpeg')
    const { width, height, format } = await sharp(seen?.bytes).metadata()
    expect([format, Math.max(width, height) <= 2048, width >= 1000]).toEqual(['jpeg', true, true])
  })

  it('is shown upright after it was reduced', async () => {
    const bytes = await colored(4096, 1024, blue).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height, orientation } = await sharp((await pictureForModel(bytes))?.bytes).metadata()
    expect([width, height, orientation ?? 1]).toEqual([512, 2048, 1])
  })

  it('keeps its transparency', async () => {
    const background = { r: 0, g: 0, b: 0, alpha: 0 }
    const bytes = await sharp({ create: { width: 3000, height: 100, channels: 4, background } })
      .png()
      .toBuffer()
    const seen = await pictureForModel(bytes)
    expect(seen?.mime).toBe('image/webp')
    expect((await sharp(seen?.bytes).stats()).isOpaque).toBe(false)
  })

  it.each(['tiff', 'avif', 'gif'] as const)('is converted from %s', async (format) => {
    const seen = await pictureForModel(await colored(64, 48, blue).toFormat(format).toBuffer())
    expect(seen?.mime).toMatch(/^image\/(jpeg|webp)$/)
    expect(await sharp(seen?.bytes).metadata()).toMatchObject({ width: 64, height: 48 })
    expect(mayBeSeen(`image/${format}`)).toBe(true)
  })

  it.each([
    ['SVG', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['HEIC', 'image/heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['BMP', 'image/bmp', 'BM\x1a\0\0\0\0\0\0\0'],
    ['PSD', 'image/psd', '8BPS\0\x01'],
  ])('cannot be made of %s', async (_, mime, content) => {
    expect(await pictureForModel(Buffer.from(content, 'latin1'))).toBeUndefined()
    expect(mayBeSeen(mime)).toBe(false)
  })

  it.each([
    ['a broken picture', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['one with too many pixels', () => colored(9000, 9000, blue).png().toBuffer()],
  ])('cannot be made of %s', async (_, made) => {
    expect(await pictureForModel(await made())).toBeUndefined()
  })
})

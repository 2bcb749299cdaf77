// A photo that is still too large for Telegram after stronger compression.

import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { fitPhoto } from '../../src/media/convert.ts'

it('a photo of more than 10 MB at the strongest compression is scaled down', async () => {
  const raw = { width: 4500, height: 4500, channels: 3 } as const
  const noise = sharp(randomBytes(raw.width * raw.height * 3), { raw })
  const smaller = await fitPhoto(await noise.jpeg({ quality: 95 }).toBuffer())
  expect(smaller?.changed).toBe(true)
  expect(smaller?.bytes.length).toBeLessThanOrEqual(10_000_000)
  expect(smaller?.bytes.length).toBeGreaterThan(6_000_000)
})

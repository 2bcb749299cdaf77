// Pictures: a scene is drawn as SVG for the requested frame, then rasterised.

import assert from 'node:assert/strict'
import sharp from 'sharp'
import { artifactRandom } from '../../random.ts'
import type { ImageSpec } from '../artifact-spec.ts'
import { scenes } from './scenes.ts'

export function makePicture({ format, width, height, variant }: ImageSpec): Promise<Buffer> {
  const picture = sharp(Buffer.from(drawingOf(width, height, variant))).removeAlpha()
  if (format === 'JPG') return picture.jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer()
  return picture.png({ compressionLevel: 6 }).toBuffer()
}

/** The short side is 1000 units, so that objects keep their proportions; ratios beyond 4:1 are cropped from the middle. */
function drawingOf(width: number, height: number, variant: number): string {
  const scene = scenes[variant]
  assert(scene, `there is no picture ${variant}`)
  const ratio = Math.min(4, Math.max(1 / 4, width / height))
  const view = {
    width: Math.round(1000 * Math.max(1, ratio)),
    height: Math.round(1000 * Math.max(1, 1 / ratio)),
  }
  const body = scene({ ...view, random: artifactRandom(variant) })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${view.width} ${view.height}" preserveAspectRatio="xMidYMid slice">${body}</svg>`
}

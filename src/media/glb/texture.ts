// Decodes textures into mipmaps and samples them with interpolation.

import type { Texture as GltfTexture, TextureInfo } from '@gltf-transform/core'
import sharp from 'sharp'
import { isPhotograph } from '../image.ts'
import { imageOptions, imageTimeout } from '../pictures.ts'
import { clamp, mix, u8 } from './numbers.ts'
import { type CoordinateMatrix, matrixOf } from './texture-transform.ts'

interface Level {
  readonly width: number
  readonly height: number
  /** RGBA. */
  readonly pixels: Uint8Array
}

/** Mipmap levels, from full size down to one pixel. */
export type Picture = readonly [Level, ...Level[]]

const clampToEdge = 33_071
const mirroredRepeat = 33_648

/** The wrapping of coordinates beyond the edge. */
type Wrap = (coordinate: number) => number

export interface Texture {
  readonly picture: Picture
  readonly wrapU: Wrap
  readonly wrapV: Wrap
  readonly matrix: CoordinateMatrix | undefined
}

const wraps: Readonly<Record<number, Wrap>> = {
  [clampToEdge]: (coordinate) => clamp(coordinate, 0, 1),
  [mirroredRepeat]: (coordinate) => {
    const within = Math.abs(coordinate) % 2
    return within > 1 ? 2 - within : within
  },
}
const repeat: Wrap = (coordinate) => coordinate - Math.floor(coordinate)

export function textureOf(picture: Picture | undefined, info: TextureInfo | null): Texture | undefined {
  if (!picture || !info) return undefined
  return {
    picture,
    wrapU: wraps[info.getWrapS()] ?? repeat,
    wrapV: wraps[info.getWrapT()] ?? repeat,
    matrix: matrixOf(info),
  }
}

/** Decodes a texture; undefined when that is impossible: the surface is then drawn without the texture. */
export async function decode(texture: GltfTexture, pixelsMax: number): Promise<Picture | undefined> {
  const image = Buffer.from(texture.getImage() ?? [])
  if (!isPhotograph(image) && image.toString('latin1', 4, 12) !== 'ftypavif') return undefined
  try {
    const { data, info } = await sharp(image, imageOptions)
      .resize({ width: pixelsMax, height: pixelsMax, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .timeout(imageTimeout)
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 4) return undefined
    return withSmaller({ width: info.width, height: info.height, pixels: data })
  } catch {
    return undefined
  }
}

function withSmaller(full: Level): Picture {
  const levels: [Level, ...Level[]] = [full]
  for (let level = full; level.width > 1 || level.height > 1; ) {
    level = halve(level)
    levels.push(level)
  }
  return levels
}

function halve({ width, height, pixels }: Level): Level {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) }
  const result = new Uint8Array(half.width * half.height * 4)
  const right = width > 1 ? 4 : 0
  const below = height > 1 ? width * 4 : 0
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const from = (y * (below ? 2 : 1) * width + x * (right ? 2 : 1)) * 4
      const to = (y * half.width + x) * 4
      for (let channel = 0; channel < 4; channel += 1) {
        const at = from + channel
        const four = u8(pixels, at) + u8(pixels, at + right) + u8(pixels, at + below)
        result[to + channel] = (four + u8(pixels, at + right + below) + 2) >> 2
      }
    }
  }
  return { ...half, pixels: result }
}

/** A sampled colour. One object is reused for all samples. Channels range from 0 to 255. */
export interface Texel {
  r: number
  g: number
  b: number
  a: number
}

/** @param detail the mipmap level; 0 is full size */
export function sample(
  { picture, wrapU, wrapV, matrix }: Texture,
  u: number,
  v: number,
  detail: number,
  into: Texel,
) {
  const { width, height, pixels } = picture[clamp(Math.round(detail), 0, picture.length - 1)] ?? picture[0]
  const x = wrapU(matrix ? matrix.uu * u + matrix.uv * v + matrix.u0 : u) * width - 0.5
  const y = wrapV(matrix ? matrix.vu * u + matrix.vv * v + matrix.v0 : v) * height - 0.5
  const left = Math.floor(x)
  const top = Math.floor(y)
  const row = clamp(top, 0, height - 1) * width
  const nextRow = clamp(top + 1, 0, height - 1) * width
  const column = clamp(left, 0, width - 1)
  const nextColumn = clamp(left + 1, 0, width - 1)
  const [a, b] = [(row + column) * 4, (row + nextColumn) * 4]
  const [c, d] = [(nextRow + column) * 4, (nextRow + nextColumn) * 4]
  const read = (channel: number) =>
    mix(
      mix(u8(pixels, a + channel), u8(pixels, b + channel), x - left),
      mix(u8(pixels, c + channel), u8(pixels, d + channel), x - left),
      y - top,
    )
  into.r = read(0)
  into.g = read(1)
  into.b = read(2)
  into.a = read(3)
}

// The surface of a mesh: the base colour of its material and the texture of that colour. Other properties of glTF materials are not drawn.

import type { Texture as GltfTexture, Material } from '@gltf-transform/core'
import sharp from 'sharp'
import { z } from 'zod'
import { photographExtension } from '../format.ts'
import { imageOptions, imageTimeout } from '../pictures.ts'

export interface Texture {
  readonly width: number
  readonly height: number
  /** RGBA. */
  readonly pixels: Buffer
}

/** Where a texture is on a mesh, by the extension KHR_texture_transform; files use it for parts of a common picture. */
type Placement = z.output<typeof placementShape>

const pair = z.tuple([z.number(), z.number()])
const placementShape = z.object({
  offset: pair.catch([0, 0]),
  rotation: z.number().catch(0),
  scale: pair.catch([1, 1]),
  texCoord: z.int().nonnegative().catch(0),
})

export interface Surface {
  /** RGBA, as shown. */
  readonly color: readonly number[]
  readonly texture: Texture | undefined
  readonly placement: Placement
  /** The alpha below which nothing is drawn; blended surfaces are dithered. */
  readonly cutoff: number | 'blend' | undefined
}

/** The surface of a mesh without a material. */
const plain: Surface = {
  color: [0.9, 0.9, 0.9, 1],
  texture: undefined,
  placement: placementShape.parse({ texCoord: 0 }),
  cutoff: undefined,
}

/** A linear value as it is shown. Pictures are in such values too: the product of two of them is the product of the linear ones, as shown. */
export const shown = (linear: number): number => Math.max(0, linear) ** (1 / 2.2)

/** The most textures, a limit for memory: this many small ones take as much memory as a few large ones. */
const texturesMax = 128
/** Pixels of the longer side; more than these the preview does not show. */
const sides = { few: 1024, many: 512 }

/** Each texture is decoded once. */
export async function readSurfaces(materials: ReadonlySet<Material>) {
  const used = new Set([...materials].flatMap((material) => material.getBaseColorTexture() ?? []))
  const textures = new Map<GltfTexture, Texture | undefined>()
  for (const texture of [...used].slice(0, texturesMax)) {
    textures.set(texture, await decode(texture, used.size > 32 ? sides.many : sides.few))
  }
  const surfaces = new Map([...materials].map((material) => [material, surfaceOf(material, textures)]))
  return (material: Material | null): Surface => (material && surfaces.get(material)) ?? plain
}

function surfaceOf(material: Material, textures: ReadonlyMap<GltfTexture, Texture | undefined>): Surface {
  const texture = material.getBaseColorTexture()
  const info = material.getBaseColorTextureInfo()
  const alpha = material.getAlphaMode()
  const said = z.record(z.string(), z.unknown()).safeParse(info?.getExtras().placement).data
  return {
    color: material.getBaseColorFactor().map((value, channel) => (channel < 3 ? shown(value) : value)),
    texture: texture ? textures.get(texture) : undefined,
    placement: placementShape.parse({ texCoord: info?.getTexCoord() ?? 0, ...said }),
    cutoff: alpha === 'MASK' ? material.getAlphaCutoff() : alpha === 'BLEND' ? 'blend' : undefined,
  }
}

/** Decodes a texture; undefined when that is impossible: the surface is then drawn without the texture. */
async function decode(texture: GltfTexture, side: number): Promise<Texture | undefined> {
  const image = Buffer.from(texture.getImage() ?? [])
  if (!photographExtension(image) && image.toString('latin1', 4, 12) !== 'ftypavif') return undefined
  try {
    const { data, info } = await sharp(image, imageOptions)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .timeout(imageTimeout)
      .raw()
      .toBuffer({ resolveWithObject: true })
    return info.channels === 4 ? { width: info.width, height: info.height, pixels: data } : undefined
  } catch {
    return undefined
  }
}

/** Applies the placement of the texture to its coordinates. */
export function placed(coordinates: Float32Array, { offset, rotation, scale }: Placement): Float32Array {
  const [sin, cos] = [Math.sin(rotation), Math.cos(rotation)]
  const result = new Float32Array(coordinates.length)
  for (let at = 0; at < coordinates.length; at += 2) {
    const [u, v] = [(coordinates[at] ?? 0) * scale[0], (coordinates[at + 1] ?? 0) * scale[1]]
    result[at] = cos * u + sin * v + offset[0]
    result[at + 1] = cos * v - sin * u + offset[1]
  }
  return result
}

// The extension KHR_texture_transform, which the library does not read: it shifts, scales and rotates the coordinates of one texture. Files
// use it for parts of a common picture and for repeated patterns.

import type { GLTF, TextureInfo } from '@gltf-transform/core'
import { z } from 'zod'

/** A matrix of two rows: u becomes `uu * u + uv * v + u0`. */
const matrix = z.object({
  uu: z.number(),
  uv: z.number(),
  u0: z.number(),
  vu: z.number(),
  vv: z.number(),
  v0: z.number(),
})
export type CoordinateMatrix = Readonly<z.output<typeof matrix>>

const pair = z.tuple([z.number(), z.number()])
const extension = z.object({
  offset: pair.default([0, 0]),
  rotation: z.number().default(0),
  scale: pair.default([1, 1]),
  texCoord: z.int().nonnegative().exactOptional(),
})

/** Copies the transforms of a material to the extras of its textures, which the library keeps. */
export function withTransforms(material: GLTF.IMaterial): GLTF.IMaterial {
  const { pbrMetallicRoughness: pbr, emissiveTexture } = material
  return {
    ...material,
    ...(emissiveTexture ? { emissiveTexture: withTransform(emissiveTexture) } : {}),
    ...(pbr ? { pbrMetallicRoughness: pbrWithTransforms(pbr) } : {}),
  }
}

function pbrWithTransforms(pbr: GLTF.IMaterialPbrMetallicRoughness): GLTF.IMaterialPbrMetallicRoughness {
  const { baseColorTexture: color, metallicRoughnessTexture: metal } = pbr
  return {
    ...pbr,
    ...(color ? { baseColorTexture: withTransform(color) } : {}),
    ...(metal ? { metallicRoughnessTexture: withTransform(metal) } : {}),
  }
}

function withTransform(info: GLTF.ITextureInfo): GLTF.ITextureInfo {
  const { data } = extension.safeParse(info.extensions?.KHR_texture_transform)
  if (!data) return { ...info, extras: {} }
  const { offset, rotation, scale, texCoord = info.texCoord ?? 0 } = data
  const [sin, cos] = [Math.sin(rotation), Math.cos(rotation)]
  const extras: CoordinateMatrix = {
    ...{ uu: cos * scale[0], uv: sin * scale[1], u0: offset[0] },
    ...{ vu: -sin * scale[0], vv: cos * scale[1], v0: offset[1] },
  }
  return { ...info, texCoord, extras: { ...extras } }
}

/** The transform of a texture, if it has one. */
export const matrixOf = (info: TextureInfo): CoordinateMatrix | undefined =>
  matrix.safeParse(info.getExtras()).data

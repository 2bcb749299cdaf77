// Converts the materials of a file to surfaces; each texture is decoded once.

import type { Texture as GltfTexture, Material } from '@gltf-transform/core'
import type { Surface } from './scene.ts'
import { decode, type Picture, textureOf } from './texture.ts'

/**
 * The surface of a mesh without a material: the default of glTF, except that it is not metallic, since metal is not what such files mean.
 */
const plain: Surface = {
  color: [0.8, 0.8, 0.8, 1],
  colorTexture: undefined,
  emission: [0, 0, 0],
  emissionTexture: undefined,
  metallic: 0,
  roughness: 0.7,
  metalTexture: undefined,
  cutoff: undefined,
}

export async function readSurfaces(materials: ReadonlySet<Material>) {
  const pictures = await readPictures(materials)
  const surfaces = new Map([...materials].map((material) => [material, surfaceOf(material, pictures)]))
  return (material: Material | null): Surface => (material && surfaces.get(material)) ?? plain
}

/** The most textures, a limit for memory: this many of the smallest size take as much memory as a few of the largest. */
const texturesMax = 128

async function readPictures(materials: ReadonlySet<Material>): Promise<Map<GltfTexture, Picture>> {
  const used = new Set([...materials].flatMap(texturesOf))
  const pixelsMax = used.size > 32 ? 512 : used.size > 8 ? 1024 : 2048
  const pictures = new Map<GltfTexture, Picture>()
  for (const texture of [...used].slice(0, texturesMax)) {
    const picture = await decode(texture, pixelsMax)
    if (picture) pictures.set(texture, picture)
  }
  return pictures
}

const texturesOf = (material: Material): GltfTexture[] =>
  [
    material.getBaseColorTexture(),
    material.getEmissiveTexture(),
    material.getMetallicRoughnessTexture(),
  ].filter((texture) => texture !== null)

function surfaceOf(material: Material, pictures: ReadonlyMap<GltfTexture, Picture>): Surface {
  const pictureOf = (texture: GltfTexture | null) => (texture ? pictures.get(texture) : undefined)
  const alpha = material.getAlphaMode()
  return {
    color: material.getBaseColorFactor(),
    colorTexture: textureOf(pictureOf(material.getBaseColorTexture()), material.getBaseColorTextureInfo()),
    emission: material.getEmissiveFactor(),
    emissionTexture: textureOf(pictureOf(material.getEmissiveTexture()), material.getEmissiveTextureInfo()),
    metallic: material.getMetallicFactor(),
    roughness: material.getRoughnessFactor(),
    metalTexture: textureOf(
      pictureOf(material.getMetallicRoughnessTexture()),
      material.getMetallicRoughnessTextureInfo(),
    ),
    cutoff: alpha === 'MASK' ? material.getAlphaCutoff() : alpha === 'BLEND' ? 'blend' : undefined,
  }
}

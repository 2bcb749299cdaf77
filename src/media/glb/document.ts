// Opens a GLB. Extensions that only refine a look are passed over even when the file calls them required; one that packs
// the shape (Draco, meshopt) makes it unreadable.

import { type Document, Logger, WebIO } from '@gltf-transform/core'
import { z } from 'zod'

const passedOver = /^(KHR_materials_\w+|KHR_lights_punctual|KHR_mesh_quantization|EXT_texture_(webp|avif))$/
/** Numbers in all accessors together, more than a file of the greatest size holds: one without bytes may claim any. */
const numbersMax = 50_000_000
const numbersIn: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
}
/** What the JSON says of itself is as foreign as the rest. */
const accessor = z.object({ count: z.int().nonnegative(), type: z.string() })

const pictureExtension = z.object({ source: z.number().int().nonnegative() })

/** Throws when it can not be read. */
export async function openGlb(bytes: Buffer): Promise<Document> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT))
  const { json, resources } = await io.binaryToJSON(bytes)
  const accessors = z.array(accessor).parse(json.accessors ?? [])
  const numbers = accessors.reduce((total, { count, type }) => total + count * (numbersIn[type] ?? 16), 0)
  if (numbers > numbersMax) throw new Error('the file claims too many numbers')
  const extensionsRequired = json.extensionsRequired?.filter((name) => !passedOver.test(name)) ?? []
  // The library reads pictures where glTF without extensions has them.
  const textures = json.textures?.map((texture) => {
    const { EXT_texture_webp, EXT_texture_avif } = texture.extensions ?? {}
    const extended = pictureExtension.safeParse(EXT_texture_webp ?? EXT_texture_avif)
    return extended.success ? { ...texture, source: extended.data.source } : texture
  })
  return io.readJSON({ json: { ...json, extensionsRequired, ...(textures ? { textures } : {}) }, resources })
}

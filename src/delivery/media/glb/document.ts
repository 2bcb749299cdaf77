// Opens a GLB. Extensions that only refine a look are passed over even when the file calls them required; one that packs
// the shape (Draco, meshopt) makes it unreadable.

import { type Document, Logger, WebIO } from '@gltf-transform/core'
import { z } from 'zod'

const passedOver = /^(KHR_materials_\w+|KHR_lights_punctual|KHR_mesh_quantization|EXT_texture_(webp|avif))$/
/** Of all accessors together: an accessor without bytes may claim any number of zeros. */
const elementsMax = 25_000_000

const pictureExtension = z.object({ source: z.number().int().nonnegative() })

/** Throws when it can not be read. */
export async function openGlb(bytes: Buffer): Promise<Document> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT))
  const { json, resources } = await io.binaryToJSON(bytes)
  const elements = (json.accessors ?? []).reduce((total, { count }) => total + count, 0)
  if (!(elements <= elementsMax)) throw new Error('the file claims too many elements')
  const extensionsRequired = json.extensionsRequired?.filter((name) => !passedOver.test(name)) ?? []
  // The library reads pictures where glTF without extensions has them.
  const textures = json.textures?.map((texture) => {
    const { EXT_texture_webp, EXT_texture_avif } = texture.extensions ?? {}
    const extended = pictureExtension.safeParse(EXT_texture_webp ?? EXT_texture_avif)
    return extended.success ? { ...texture, source: extended.data.source } : texture
  })
  return io.readJSON({ json: { ...json, extensionsRequired, ...(textures ? { textures } : {}) }, resources })
}

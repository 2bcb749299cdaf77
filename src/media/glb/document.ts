// Opens a GLB. Extensions that only refine the appearance are ignored even if the file requires them; a compressed geometry (Draco,
// meshopt) cannot be read.

import { type Document, Logger, WebIO } from '@gltf-transform/core'
import { z } from 'zod'
import { withTransforms } from './texture-transform.ts'

const passedOver =
  /^(KHR_materials_\w+|KHR_lights_punctual|KHR_mesh_quantization|KHR_texture_transform|EXT_texture_(webp|avif))$/
/** The most numbers in all accessors together; more than the largest file can contain. An accessor without data can claim any count. */
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
/** The checked properties of an accessor; the JSON is untrusted. */
const accessor = z.object({ count: z.int().nonnegative(), type: z.string() })

const pictureExtension = z.object({ source: z.number().int().nonnegative() })

/** @throws Error when the file cannot be read */
export async function openGlb(bytes: Buffer): Promise<Document> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT))
  const { json, resources } = await io.binaryToJSON(bytes)
  const accessors = z.array(accessor).parse(json.accessors ?? [])
  const numbers = accessors.reduce((total, { count, type }) => total + count * (numbersIn[type] ?? 16), 0)
  if (numbers > numbersMax) throw new Error('the file claims too many numbers')
  const extensionsRequired = json.extensionsRequired?.filter((name) => !passedOver.test(name)) ?? []
  // The library reads the image of a texture only from the place that glTF defines without extensions.
  const textures = json.textures?.map((texture) => {
    const { EXT_texture_webp, EXT_texture_avif } = texture.extensions ?? {}
    const extended = pictureExtension.safeParse(EXT_texture_webp ?? EXT_texture_avif)
    return extended.success ? { ...texture, source: extended.data.source } : texture
  })
  const materials = json.materials?.map(withTransforms)
  const read = { ...(textures ? { textures } : {}), ...(materials ? { materials } : {}) }
  return io.readJSON({ json: { ...json, extensionsRequired, ...read }, resources })
}

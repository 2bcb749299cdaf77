// Reads the default scene of a GLB as triangles. The file is untrusted: what it claims is checked before memory is taken for it.

import {
  type Accessor,
  type Document,
  type Texture as GltfTexture,
  Logger,
  type Material,
  MathUtils,
  type mat4,
  type Node,
  Primitive,
  WebIO,
} from '@gltf-transform/core'
import sharp from 'sharp'
import { z } from 'zod'
import { photographExtension } from '../../runtime/file-format.ts'
import { imageOptions, imageTimeout } from '../pictures.ts'

export interface Mesh {
  /** Three numbers per point. */
  readonly points: Float32Array
  readonly normals: Float32Array | undefined
  /** Two numbers per point. */
  readonly coordinates: Float32Array | undefined
  /** RGBA per point, as shown. */
  readonly colors: Float32Array | undefined
  /** Three indices of points per triangle. */
  readonly corners: Uint32Array
  readonly surface: Surface
}

/** Extensions that only refine the appearance are ignored even if the file requires them. */
const passedOver = /^(KHR_materials_\w+|KHR_lights_punctual|KHR_mesh_quantization|EXT_texture_(webp|avif))$/
const trianglesMax = 2_000_000
const pointsMax = 3_000_000
/** The most numbers in all accessors together; more than the largest file can contain. An accessor without data can claim any count. */
const numbersMax = 50_000_000
const numbersIn: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9 }
const accessor = z.object({ count: z.int().nonnegative(), type: z.string() })
const pictureExtension = z.object({ source: z.int().nonnegative() })

/** @throws Error when the file cannot be read: Draco and meshopt are not supported */
async function openGlb(bytes: Buffer): Promise<Document> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT))
  const { json, resources } = await io.binaryToJSON(bytes)
  const accessors = z.array(accessor).parse(json.accessors ?? [])
  const numbers = accessors.reduce((total, { count, type }) => total + count * (numbersIn[type] ?? 16), 0)
  if (numbers > numbersMax) throw new Error('the file claims too many numbers')
  json.extensionsRequired = json.extensionsRequired?.filter((name) => !passedOver.test(name)) ?? []
  // The library knows no extensions: it gets the source of a picture where glTF has it without one.
  for (const texture of json.textures ?? []) {
    const { EXT_texture_webp, EXT_texture_avif } = texture.extensions ?? {}
    const { data } = pictureExtension.safeParse(EXT_texture_webp ?? EXT_texture_avif)
    if (data) texture.source = data.source
  }
  return io.readJSON({ json, resources })
}

interface Placed {
  readonly node: Node
  readonly primitive: Primitive
}

/** @throws Error when the file cannot be read, or has more triangles or points than are drawn */
export async function readMeshes(bytes: Buffer, view: mat4): Promise<Mesh[]> {
  const root = (await openGlb(bytes)).getRoot()
  const scene = root.getDefaultScene() ?? root.listScenes()[0]
  const all: Placed[] = []
  scene?.traverse((node) => {
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) all.push({ node, primitive })
  })
  const corners = all.reduce((total, { primitive }) => total + cornersOf(primitive), 0)
  if (corners > trianglesMax * 3) throw new Error('too many triangles')
  // A mesh with few triangles but many instances could fill the memory with points.
  const points = all.reduce((total, { primitive }) => total + pointsOf(primitive), 0)
  if (points > pointsMax) throw new Error('too many points')
  const materials = all.map(({ primitive }) => primitive.getMaterial())
  const surfaceOf = await readSurfaces(new Set(materials.filter((material) => material !== null)))
  return all.flatMap((one) => readMesh(one, surfaceOf(one.primitive.getMaterial()), view) ?? [])
}

const pointsOf = (primitive: Primitive): number => primitive.getAttribute('POSITION')?.getCount() ?? 0

const cornersOf = (primitive: Primitive): number => primitive.getIndices()?.getCount() ?? pointsOf(primitive)

function readMesh({ node, primitive }: Placed, surface: Surface, view: mat4): Mesh | undefined {
  const points = numbersOf(primitive.getAttribute('POSITION'), 'VEC3')
  if (!points) return undefined
  const count = points.length / 3
  const corners = trianglesOf(primitive, count)
  if (!corners || corners.some((corner) => corner >= count)) return undefined
  const matrices = [...placeOf(node), view]
  const normals = numbersOf(primitive.getAttribute('NORMAL'), 'VEC3', count)
  return {
    points: matrices.reduce((moved, matrix) => transform(matrix, moved, 1), points),
    normals: normals && matrices.reduce((turned, matrix) => transform(matrix, turned, 0), normals),
    coordinates: numbersOf(primitive.getAttribute(`TEXCOORD_${surface.texCoord}`), 'VEC2', count),
    colors: colorsOf(primitive.getAttribute('COLOR_0'), count),
    corners,
    surface,
  }
}

/** The numbers of an attribute; undefined when the attribute is missing or its count differs from that of the points. */
function numbersOf(accessor: Accessor | null, type: string, count?: number): Float32Array | undefined {
  const array = accessor?.getArray()
  if (!accessor || !array || accessor.getType() !== type) return undefined
  if (count !== undefined && accessor.getCount() !== count) return undefined
  if (array instanceof Float32Array) return array
  if (!accessor.getNormalized()) return Float32Array.from(array)
  const component = accessor.getComponentType()
  return Float32Array.from(array, (value) => MathUtils.decodeNormalizedInt(value, component))
}

function colorsOf(accessor: Accessor | null, count: number): Float32Array | undefined {
  const colors = numbersOf(accessor, accessor?.getType() === 'VEC3' ? 'VEC3' : 'VEC4', count)
  if (!colors) return undefined
  const width = colors.length / count
  return new Float32Array(count * 4).map((_, at) => {
    const channel = at % 4
    const value = channel < width ? (colors[(at >> 2) * width + channel] ?? 0) : 1
    return channel < 3 ? shown(value) : value
  })
}

/** The triangles of a primitive, whose two sides are drawn alike; undefined for points, lines, strips and fans. */
function trianglesOf(primitive: Primitive, count: number): Uint32Array | undefined {
  if (primitive.getMode() !== Primitive.Mode.TRIANGLES) return undefined
  const indices = primitive.getIndices()?.getArray()
  const order = indices ? Uint32Array.from(indices) : Uint32Array.from({ length: count }, (_, index) => index)
  return order.subarray(0, order.length - (order.length % 3))
}

/**
 * The matrices that bring a mesh into the scene, in their order. A mesh with a skin is not placed by its node; as a whole, by the first bone
 * of the skin, it stands upright and is as large as it is meant to be, which is enough for a preview.
 */
function placeOf(node: Node): mat4[] {
  const skin = node.getSkin()
  const [bone] = skin?.listJoints() ?? []
  if (!bone) return [node.getWorldMatrix()]
  const bind: mat4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  skin?.getInverseBindMatrices()?.getElement(0, bind)
  return [bind, bone.getWorldMatrix()]
}

/** @param w 1 for points, 0 for directions: their lengths, and their angles under non-uniform scaling, are not exact */
function transform(m: mat4, values: Float32Array, w: 0 | 1): Float32Array {
  const result = new Float32Array(values.length)
  for (let at = 0; at < values.length; at += 3) {
    const [x = 0, y = 0, z = 0] = [values[at], values[at + 1], values[at + 2]]
    result[at] = m[0] * x + m[4] * y + m[8] * z + m[12] * w
    result[at + 1] = m[1] * x + m[5] * y + m[9] * z + m[13] * w
    result[at + 2] = m[2] * x + m[6] * y + m[10] * z + m[14] * w
  }
  return result
}

// The surface of a mesh: the base colour of its material and the texture of that colour. Other properties of glTF materials are not drawn.

export interface Texture {
  readonly width: number
  readonly height: number
  /** RGBA. */
  readonly pixels: Buffer
}

interface Surface {
  /** RGBA, as shown. */
  readonly color: readonly number[]
  readonly texture: Texture | undefined
  /** The set of coordinates with which the texture is on a mesh. */
  readonly texCoord: number
  /** The alpha below which nothing is drawn; blended surfaces are drawn unless they are hardly visible. */
  readonly cutoff: number | undefined
}

/** The surface of a mesh without a material. */
const plain: Surface = {
  color: [0.9, 0.9, 0.9, 1],
  texture: undefined,
  texCoord: 0,
  cutoff: undefined,
}

/** A linear value as it is shown. Pictures are in such values too: the product of two of them is the product of the linear ones, as shown. */
const shown = (linear: number): number => Math.max(0, linear) ** (1 / 2.2)

/** The most textures, a limit for memory: this many small ones take as much memory as a few large ones. */
const texturesMax = 128
/** Pixels of the longer side; more than these the preview does not show. */
const sides = { few: 1024, many: 512 }

/** Each texture is decoded once. */
async function readSurfaces(materials: ReadonlySet<Material>) {
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
  const alpha = material.getAlphaMode()
  return {
    color: material.getBaseColorFactor().map((value, channel) => (channel < 3 ? shown(value) : value)),
    texture: texture ? textures.get(texture) : undefined,
    texCoord: material.getBaseColorTextureInfo()?.getTexCoord() ?? 0,
    cutoff: alpha === 'MASK' ? material.getAlphaCutoff() : alpha === 'BLEND' ? 0.1 : undefined,
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

// Computes the properties of a triangle at one pixel: position in the world, normal and material.

import type { Camera } from './camera.ts'
import { clamp, f32, u32 } from './numbers.ts'
import type { Mesh } from './scene.ts'
import { sample, type Texel, type Texture } from './texture.ts'

/** The properties of one pixel. One object is reused for all pixels, so that nothing is allocated. Colours are linear. */
export interface Fragment {
  x: number
  y: number
  z: number
  normalX: number
  normalY: number
  normalZ: number
  red: number
  green: number
  blue: number
  alpha: number
  glowRed: number
  glowGreen: number
  glowBlue: number
  metallic: number
  roughness: number
}

/** A projected mesh: x, y and nearness of each point. */
export interface Seen {
  readonly mesh: Mesh
  readonly seen: Float32Array
}

/** The vertices of the triangle, as indices of points, and their barycentric weights at the pixel. */
interface Corners {
  a: number
  b: number
  c: number
  shareA: number
  shareB: number
  shareC: number
}

const linear = Float32Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
)
const toLinear = (value: number): number => {
  const whole = Math.floor(value)
  return f32(linear, whole) + (f32(linear, Math.min(255, whole + 1)) - f32(linear, whole)) * (value - whole)
}

export const emptyFragment = (): Fragment => ({
  ...{ x: 0, y: 0, z: 0, normalX: 0, normalY: 0, normalZ: 0 },
  ...{ red: 0, green: 0, blue: 0, alpha: 1, glowRed: 0, glowGreen: 0, glowBlue: 0 },
  ...{ metallic: 0, roughness: 1 },
})

const corners: Corners = { a: 0, b: 0, c: 0, shareA: 0, shareB: 0, shareC: 0 }
const texel: Texel = { r: 0, g: 0, b: 0, a: 0 }

/** @param triangle the index within its mesh */
export function fragmentAt(
  camera: Camera,
  one: Seen,
  triangle: number,
  x: number,
  y: number,
  into: Fragment,
) {
  locate(one, triangle, x, y)
  const { mesh } = one
  into.x = blend(mesh.points, 3, 0)
  into.y = blend(mesh.points, 3, 1)
  into.z = blend(mesh.points, 3, 2)
  face(camera, mesh, into)
  paint(one, into)
}

/** Only the alpha, which decides whether the triangle is drawn at the pixel. */
export function alphaAt(one: Seen, triangle: number, x: number, y: number): number {
  locate(one, triangle, x, y)
  const { surface, coordinates, colors } = one.mesh
  const alpha = surface.color[3] * (colors ? blend(colors, 4, 3) : 1)
  if (!surface.colorTexture || !coordinates) return alpha
  read(surface.colorTexture, coordinates, one)
  return (alpha * texel.a) / 255
}

/** Finds the weights of the corners at a pixel, with perspective correction: weights on the screen differ from those on the triangle. */
function locate({ mesh, seen }: Seen, triangle: number, x: number, y: number): void {
  const a = u32(mesh.corners, triangle * 3)
  const b = u32(mesh.corners, triangle * 3 + 1)
  const c = u32(mesh.corners, triangle * 3 + 2)
  const [ax, ay] = [f32(seen, a * 3), f32(seen, a * 3 + 1)]
  const [bx, by] = [f32(seen, b * 3) - ax, f32(seen, b * 3 + 1) - ay]
  const [cx, cy] = [f32(seen, c * 3) - ax, f32(seen, c * 3 + 1) - ay]
  const area = bx * cy - by * cx
  const [dx, dy] = [x + 0.5 - ax, y + 0.5 - ay]
  const flatB = (dx * cy - dy * cx) / area
  const flatC = (bx * dy - by * dx) / area
  const weightA = (1 - flatB - flatC) * f32(seen, a * 3 + 2)
  const weightB = flatB * f32(seen, b * 3 + 2)
  const weightC = flatC * f32(seen, c * 3 + 2)
  const total = weightA + weightB + weightC
  corners.a = a
  corners.b = b
  corners.c = c
  corners.shareA = weightA / total
  corners.shareB = weightB / total
  corners.shareC = weightC / total
}

function blend(values: Float32Array, width: number, offset: number): number {
  return (
    corners.shareA * f32(values, corners.a * width + offset) +
    corners.shareB * f32(values, corners.b * width + offset) +
    corners.shareC * f32(values, corners.c * width + offset)
  )
}

/** Sets the normal of a fragment. Both sides of a triangle are drawn, so the normal is turned to the camera. */
function face({ eye }: Camera, { points, normals }: Mesh, into: Fragment): void {
  let [x, y, z] = normals ? [blend(normals, 3, 0), blend(normals, 3, 1), blend(normals, 3, 2)] : [0, 0, 0]
  if (!(x * x + y * y + z * z > 1e-20)) [x, y, z] = flatNormal(points)
  const toEye = x * (eye[0] - into.x) + y * (eye[1] - into.y) + z * (eye[2] - into.z)
  const length = (toEye < 0 ? -1 : 1) * Math.max(1e-30, Math.hypot(x, y, z))
  into.normalX = x / length
  into.normalY = y / length
  into.normalZ = z / length
}

function flatNormal(points: Float32Array): [number, number, number] {
  const edge = (corner: number, axis: number) =>
    f32(points, corner * 3 + axis) - f32(points, corners.a * 3 + axis)
  const { b, c } = corners
  return [
    edge(b, 1) * edge(c, 2) - edge(b, 2) * edge(c, 1),
    edge(b, 2) * edge(c, 0) - edge(b, 0) * edge(c, 2),
    edge(b, 0) * edge(c, 1) - edge(b, 1) * edge(c, 0),
  ]
}

function paint(one: Seen, into: Fragment): void {
  const { surface, colors, coordinates } = one.mesh
  into.red = surface.color[0] * (colors ? blend(colors, 4, 0) : 1)
  into.green = surface.color[1] * (colors ? blend(colors, 4, 1) : 1)
  into.blue = surface.color[2] * (colors ? blend(colors, 4, 2) : 1)
  into.glowRed = surface.emission[0]
  into.glowGreen = surface.emission[1]
  into.glowBlue = surface.emission[2]
  into.metallic = surface.metallic
  into.roughness = surface.roughness
  if (coordinates) paintTextures(one, coordinates, into)
}

function paintTextures(one: Seen, coordinates: Float32Array, into: Fragment): void {
  const { colorTexture, emissionTexture, metalTexture } = one.mesh.surface
  if (colorTexture) {
    read(colorTexture, coordinates, one)
    into.red *= toLinear(texel.r)
    into.green *= toLinear(texel.g)
    into.blue *= toLinear(texel.b)
  }
  if (emissionTexture) {
    read(emissionTexture, coordinates, one)
    into.glowRed *= toLinear(texel.r)
    into.glowGreen *= toLinear(texel.g)
    into.glowBlue *= toLinear(texel.b)
  }
  if (metalTexture) {
    read(metalTexture, coordinates, one)
    into.roughness *= texel.g / 255
    into.metallic *= texel.b / 255
  }
}

function read(texture: Texture, coordinates: Float32Array, { seen }: Seen): void {
  const detail = detailFor(texture, coordinates, seen)
  sample(texture, blend(coordinates, 2, 0), blend(coordinates, 2, 1), detail, texel)
}

/** The mipmap level at which a texel is about as large as a pixel. */
function detailFor(
  { picture: [full], matrix }: Texture,
  coordinates: Float32Array,
  seen: Float32Array,
): number {
  const scale = matrix ? Math.abs(matrix.uu * matrix.vv - matrix.uv * matrix.vu) : 1
  const texels = doubleArea(coordinates, 2) * scale * full.width * full.height
  return clamp(Math.log2(texels / Math.max(1e-9, doubleArea(seen, 3))) / 2, 0, 16)
}

function doubleArea(values: Float32Array, width: number): number {
  const [x, y] = [f32(values, corners.a * width), f32(values, corners.a * width + 1)]
  const [bx, by] = [f32(values, corners.b * width) - x, f32(values, corners.b * width + 1) - y]
  const [cx, cy] = [f32(values, corners.c * width) - x, f32(values, corners.c * width + 1) - y]
  return Math.abs(bx * cy - by * cx)
}

// Draws a GLB in software: rasterizes the triangles, shades the visible ones, adds ambient occlusion and the floor.

import sharp from 'sharp'
import { boundsOf, type Camera, cameraFor, project } from './camera.ts'
import { openGlb } from './document.ts'
import { alphaAt, emptyFragment, fragmentAt, type Seen } from './fragment.ts'
import { backgroundAt, type Ground, groundUnder, shadeAt } from './ground.ts'
import { type Light, lightOf, studioFor } from './light.ts'
import { f32, i32 } from './numbers.ts'
import { occlusion } from './occlusion.ts'
import { emptyFrame, type Frame, rasterize, type Test } from './raster.ts'
import { readMeshes } from './read.ts'
import type { Mesh, Surface } from './scene.ts'

interface Drawn extends Seen {
  /** The number of its first triangle, counted over all meshes from 1. */
  readonly first: number
}

/**
 * The size in which a preview is drawn: larger than it is shown, since scaling it down smooths the edges. Twice the shown size would take
 * two and a half times as long and look the same on a phone.
 */
const previewPixels = { drawn: 1280, shown: 1024 }

/** Draws a preview as JPEG. */
export async function drawPreview(bytes: Buffer): Promise<Buffer | undefined> {
  const { drawn: side, shown } = previewPixels
  const pixels = await drawGlb(bytes, side)
  const raw = { width: side, height: side, channels: 3 } as const
  return pixels && sharp(pixels, { raw }).resize(shown).jpeg({ quality: 90 }).toBuffer()
}

/** Draws a model. @returns RGB of each pixel; undefined when the model has no triangles @throws Error when the file cannot be read */
export async function drawGlb(bytes: Buffer, size: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const meshes = await readMeshes(await openGlb(bytes))
  const bounds = boundsOf(meshes)
  if (!bounds) return undefined
  const camera = cameraFor(meshes, bounds, size)
  const frame = emptyFrame(size)
  const drawn = place(camera, frame, meshes)
  const { colors, normals } = paint(camera, frame, drawn)
  const extent = Math.hypot(...bounds.high.map((high, axis) => high - (bounds.low[axis] ?? 0)))
  const open = occlusion(camera, frame, normals, extent)
  return compose(camera, frame, colors, open, groundUnder(meshes, bounds))
}

function place(camera: Camera, frame: Frame, meshes: readonly Mesh[]): Drawn[] {
  let first = 1
  return meshes.map((mesh) => {
    const drawn = { mesh, seen: project(camera, mesh.points), first }
    rasterize(frame, drawn.seen, mesh.corners, first, testFor(drawn, mesh.surface))
    first += mesh.corners.length / 3
    return drawn
  })
}

/** A 4 x 4 ordered dither matrix. */
const pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

/** The test for a surface with transparency, which is dithered: a half transparent surface covers half of its pixels. */
function testFor(drawn: Drawn, { cutoff }: Surface): Test | undefined {
  if (cutoff === undefined) return undefined
  return (triangle, _b, _c, x, y) => {
    const alpha = alphaAt(drawn, triangle - drawn.first, x, y)
    const threshold = cutoff === 'blend' ? ((pattern[(y % 4) * 4 + (x % 4)] ?? 0) + 0.5) / 16 : cutoff
    return alpha >= threshold
  }
}

/** Shades the pixels. @returns linear RGB, and normals from -127 to 127, per pixel */
function paint(camera: Camera, frame: Frame, drawn: readonly Drawn[]) {
  const colors = new Float32Array(frame.triangles.length * 3)
  const normals = new Int8Array(frame.triangles.length * 3)
  const studio = studioFor(camera)
  const fragment = emptyFragment()
  const light: Light = { red: 0, green: 0, blue: 0 }
  let current = drawn[0]
  for (let at = 0; at < frame.triangles.length; at += 1) {
    const triangle = i32(frame.triangles, at)
    if (triangle === 0) continue
    if (!current || !includes(current, triangle)) current = drawn.find((one) => includes(one, triangle))
    if (!current) continue
    const x = at % frame.size
    fragmentAt(camera, current, triangle - current.first, x, (at - x) / frame.size, fragment)
    lightOf(camera, studio, fragment, light)
    colors[at * 3] = light.red
    colors[at * 3 + 1] = light.green
    colors[at * 3 + 2] = light.blue
    normals[at * 3] = fragment.normalX * 127
    normals[at * 3 + 1] = fragment.normalY * 127
    normals[at * 3 + 2] = fragment.normalZ * 127
  }
  return { colors, normals }
}

const includes = ({ first, mesh }: Drawn, triangle: number): boolean =>
  triangle >= first && triangle < first + mesh.corners.length / 3

function compose(camera: Camera, frame: Frame, colors: Float32Array, open: Float32Array, ground: Ground) {
  const { size, triangles } = frame
  const pixels = new Uint8Array(size * size * 3)
  for (let at = 0; at < triangles.length; at += 1) {
    const x = at % size
    const y = (at - x) / size
    if (i32(triangles, at) === 0) {
      const left = 1 - shadeAt(ground, camera, x, y) * 0.75
      const [red, green, blue] = backgroundAt(size, x, y)
      pixels[at * 3] = red * left
      pixels[at * 3 + 1] = green * left
      pixels[at * 3 + 2] = blue * (left + (1 - left) * 0.06)
      continue
    }
    const light = f32(open, (y >> 1) * (size >> 1) + (x >> 1))
    for (let channel = at * 3; channel < at * 3 + 3; channel += 1) {
      pixels[channel] = shown(f32(colors, channel) * light)
    }
  }
  return pixels
}

/** Converts linear values to sRGB; highlights are compressed instead of clipped. */
function shown(linear: number): number {
  const value = linear < 0.7 ? linear : 0.7 + 0.3 * (1 - Math.exp(-(linear - 0.7) / 0.3))
  const curved = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
  return Math.max(0, Math.min(255, curved * 255 + 0.5))
}

// Draws the preview of a GLB in software: a parallel projection from the front, slightly from the right and above; one lamp, no shadows.

import type { mat4 } from '@gltf-transform/core'
import sharp from 'sharp'
import { type Mesh, readMeshes, type Texture } from './read.ts'

/** A preview is drawn larger than it is shown, since scaling it down smooths the edges. */
const side = { drawn: 1280, shown: 1024 }
const background = [205, 211, 219] as const
/** The part of the picture that the model fills. */
const filled = 0.8

/** Draws a preview as JPEG. */
export async function drawPreview(bytes: Buffer): Promise<Buffer | undefined> {
  const pixels = await drawGlb(bytes, side.drawn)
  const raw = { width: side.drawn, height: side.drawn, channels: 3 } as const
  return pixels && sharp(pixels, { raw }).resize(side.shown).jpeg({ quality: 90 }).toBuffer()
}

/** Draws a model. @returns RGB of each pixel; undefined when the model has no triangles @throws Error when the file cannot be read */
export async function drawGlb(bytes: Buffer, size: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const meshes = await readMeshes(bytes, view)
  const fit = fitOf(meshes)
  if (!fit) return undefined
  const frame: Frame = {
    size,
    pixels: new Uint8Array(size * size * 3).map((_, at) => background[at % 3] ?? 0),
    nearness: new Float32Array(size * size).fill(Number.NEGATIVE_INFINITY),
  }
  for (const mesh of meshes) drawMesh(frame, mesh, fit)
  return frame.pixels
}

interface Frame {
  readonly size: number
  readonly pixels: Uint8Array<ArrayBuffer>
  /** The nearness of what is drawn at each pixel; greater is nearer. */
  readonly nearness: Float32Array
}

/** Turns the scene to the camera: x to the right, y up, z towards the camera. */
const view: mat4 = (() => {
  const [yaw, pitch] = [(32 * Math.PI) / 180, (19 * Math.PI) / 180]
  const [sinYaw, cosYaw, sinPitch, cosPitch] = [
    Math.sin(yaw),
    Math.cos(yaw),
    Math.sin(pitch),
    Math.cos(pitch),
  ]
  return [
    ...([cosYaw, -sinYaw * sinPitch, sinYaw * cosPitch, 0] as const),
    ...([0, cosPitch, sinPitch, 0] as const),
    ...([-sinYaw, -cosYaw * sinPitch, cosYaw * cosPitch, 0] as const),
    ...([0, 0, 0, 1] as const),
  ]
})()

interface Fit {
  /** The middle of the model. */
  readonly x: number
  readonly y: number
  /** Its size: the greater of width and height. */
  readonly extent: number
}

/** @returns undefined when there are no triangles */
function fitOf(meshes: readonly Mesh[]): Fit | undefined {
  const none = Number.POSITIVE_INFINITY
  let [left, right, bottom, top] = [none, -none, none, -none]
  for (const { points, corners } of meshes) {
    for (const corner of corners) {
      const [x = 0, y = 0] = [points[corner * 3], points[corner * 3 + 1]]
      if (!Number.isFinite(x + y)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      bottom = Math.min(bottom, y)
      top = Math.max(top, y)
    }
  }
  const extent = Math.max(right - left, top - bottom)
  return extent > 1e-12 && extent < 1e15
    ? { x: (left + right) / 2, y: (bottom + top) / 2, extent }
    : undefined
}

function drawMesh(frame: Frame, mesh: Mesh, { x, y, extent }: Fit): void {
  const scale = (frame.size * filled) / extent
  const middle = frame.size / 2
  const points = mesh.points.map((value, at) => {
    if (at % 3 === 0) return (value - x) * scale + middle
    return at % 3 === 1 ? (value - y) * scale + middle : value * scale
  })
  const lights = mesh.normals && lightsOf(mesh.normals)
  const seen: Seen = { ...mesh, points, lights }
  for (let at = 0; at < mesh.corners.length; at += 3) {
    const [a = 0, b = 0, c = 0] = mesh.corners.subarray(at, at + 3)
    drawTriangle(frame, seen, a, b, c)
  }
}

/** A mesh in the picture: the points are in pixels, from the lower left corner. */
interface Seen extends Mesh {
  readonly lights: Float32Array | undefined
}

/** The direction of the lamp, at the upper left of the camera. */
const lamp = [-0.37, 0.56, 0.74] as const
/** The light that every surface gets, and what one that faces the lamp gets besides. */
const light = { all: 0.45, facing: 0.65 }

const facing = (x: number, y: number, z: number): number =>
  (x * lamp[0] + y * lamp[1] + z * lamp[2]) / Math.hypot(x, y, z)

/** How far each normal faces the lamp, -1 to 1; undefined when one has no length: some programs write zeros instead of normals. */
function lightsOf(normals: Float32Array): Float32Array | undefined {
  const lights = new Float32Array(normals.length / 3)
  for (let at = 0; at < lights.length; at += 1) {
    lights[at] = facing(normals[at * 3] ?? 0, normals[at * 3 + 1] ?? 0, normals[at * 3 + 2] ?? 0)
  }
  return lights.every(Number.isFinite) ? lights : undefined
}

/** The mean of a property of the three corners, by their shares at a pixel. */
type Blend = (values: Float32Array, width: number, channel: number) => number

const f32 = (values: Float32Array, index: number): number => values[index] ?? 0

function drawTriangle(frame: Frame, seen: Seen, a: number, b: number, c: number): void {
  const { points } = seen
  const [ax, ay] = [f32(points, a * 3), f32(points, a * 3 + 1)]
  const edge = (to: number, axis: number) => f32(points, to * 3 + axis) - f32(points, a * 3 + axis)
  const [bx, by, bz] = [edge(b, 0), edge(b, 1), edge(b, 2)]
  const [cx, cy, cz] = [edge(c, 0), edge(c, 1), edge(c, 2)]
  const area = bx * cy - by * cx
  // The condition also excludes NaN, which a point may contain.
  if (!(Math.abs(area) > 1e-9)) return
  const flat = facing(by * cz - bz * cy, bz * cx - bx * cz, area)
  let [shareB, shareC] = [0, 0]
  const blend: Blend = (values, width, channel) =>
    (1 - shareB - shareC) * f32(values, a * width + channel) +
    shareB * f32(values, b * width + channel) +
    shareC * f32(values, c * width + channel)
  const within = (pixel: number) => Math.min(frame.size - 1, Math.max(0, Math.floor(pixel)))
  const right = within(ax + Math.max(0, bx, cx))
  const top = within(ay + Math.max(0, by, cy))
  for (let y = within(ay + Math.min(0, by, cy)); y <= top; y += 1) {
    for (let x = within(ax + Math.min(0, bx, cx)); x <= right; x += 1) {
      const [dx, dy] = [x + 0.5 - ax, y + 0.5 - ay]
      shareB = (dx * cy - dy * cx) / area
      shareC = (bx * dy - by * dx) / area
      if (Math.min(shareB, shareC, 1 - shareB - shareC) >= -1e-7) drawPixel(frame, seen, x, y, blend, flat)
    }
  }
}

/** Draws a pixel of a triangle if it is in front of what is drawn there already. */
function drawPixel(frame: Frame, seen: Seen, x: number, y: number, blend: Blend, flat: number): void {
  const { size, pixels, nearness } = frame
  const at = (size - 1 - y) * size + x
  const near = blend(seen.points, 3, 2)
  if (!(near > f32(nearness, at)) || !covers(seen, blend)) return
  nearness[at] = near
  const lit = light.all + light.facing * Math.abs(seen.lights ? blend(seen.lights, 1, 0) : flat)
  for (let channel = 0; channel < 3; channel += 1) {
    pixels[at * 3 + channel] = 255 * Math.min(1, lit * valueAt(seen, blend, channel))
  }
}

/** A channel of the colour at a pixel, 0 to 1. */
function valueAt({ surface, colors, coordinates }: Seen, blend: Blend, channel: number): number {
  const value = (surface.color[channel] ?? 0) * (colors ? blend(colors, 4, channel) : 1)
  if (!surface.texture || !coordinates) return value
  return value * sample(surface.texture, blend(coordinates, 2, 0), blend(coordinates, 2, 1), channel)
}

const covers = (seen: Seen, blend: Blend): boolean =>
  seen.surface.cutoff === undefined || valueAt(seen, blend, 3) >= seen.surface.cutoff

/** A channel of the texture, which repeats itself, 0 to 1. */
function sample({ width, height, pixels }: Texture, u: number, v: number, channel: number): number {
  const x = Math.floor((u - Math.floor(u)) * width)
  const y = Math.floor((v - Math.floor(v)) * height)
  return (pixels[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4 + channel] ?? 0) / 255
}

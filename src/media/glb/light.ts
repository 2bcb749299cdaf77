// Studio lighting: a key light at the upper left, a weaker cool fill light at the right, a rim light behind, and a bright sky over a
// dim floor. It is fixed to the camera, so that the front is always lit.

import type { Camera } from './camera.ts'
import type { Fragment } from './fragment.ts'
import { clamp, mix, normalize, scale, smoothstep, sum, type Vec3 } from './numbers.ts'

interface Lamp {
  readonly direction: Vec3
  readonly color: Vec3
  readonly highlight: number
}

type Studio = readonly Lamp[]

/** The light of one pixel. One object is reused for all pixels. */
export interface Light {
  red: number
  green: number
  blue: number
}

const sky: Vec3 = [0.4, 0.42, 0.46]
const floor: Vec3 = [0.2, 0.19, 0.18]

export function studioFor({ right, up, back }: Camera): Studio {
  const from = (side: number, height: number, near: number) =>
    normalize(sum(scale(right, side), scale(up, height), scale(back, near)))
  return [
    { direction: from(-0.55, 0.75, 0.65), color: [0.8, 0.78, 0.73], highlight: 1 },
    { direction: from(0.9, 0.15, 0.5), color: [0.17, 0.19, 0.23], highlight: 0.5 },
    { direction: from(0.35, 0.6, -0.85), color: [0.26, 0.27, 0.3], highlight: 0.6 },
  ]
}

/** The light that is reflected towards the camera. */
export function lightOf(camera: Camera, studio: Studio, one: Fragment, into: Light): void {
  const roughness = clamp(one.roughness, 0.08, 1)
  const metallic = clamp(one.metallic, 0, 1)
  // A metal has no diffuse colour, but the studio has little to reflect, so some of the metal's colour is kept as diffuse.
  const matte = 1 - 0.75 * metallic
  into.red = one.glowRed
  into.green = one.glowGreen
  into.blue = one.glowBlue
  const up = one.normalY * 0.5 + 0.5
  into.red += one.red * matte * mix(floor[0], sky[0], up)
  into.green += one.green * matte * mix(floor[1], sky[1], up)
  into.blue += one.blue * matte * mix(floor[2], sky[2], up)
  const eyeX = camera.eye[0] - one.x
  const eyeY = camera.eye[1] - one.y
  const eyeZ = camera.eye[2] - one.z
  const distance = Math.hypot(eyeX, eyeY, eyeZ)
  const view: View = { x: eyeX / distance, y: eyeY / distance, z: eyeZ / distance }
  for (const lamp of studio) addLamp(lamp, view, one, { roughness, metallic, matte }, into)
  addMirrored(view, one, { roughness, metallic, matte }, into)
}

interface View {
  readonly x: number
  readonly y: number
  readonly z: number
}

interface Material {
  readonly roughness: number
  readonly metallic: number
  readonly matte: number
}

function addLamp(lamp: Lamp, view: View, one: Fragment, material: Material, into: Light): void {
  const [x, y, z] = lamp.direction
  const facing = x * one.normalX + y * one.normalY + z * one.normalZ
  // A large lamp also lights surfaces that face a little away from it.
  const lit = Math.max(0, (facing + 0.15) / 1.15)
  if (lit === 0) return
  const halfX = x + view.x
  const halfY = y + view.y
  const halfZ = z + view.z
  const along = halfX * one.normalX + halfY * one.normalY + halfZ * one.normalZ
  const sharpness = Math.min(400, 2 / material.roughness ** 4)
  const gloss = Math.max(0, along / Math.hypot(halfX, halfY, halfZ)) ** sharpness * (sharpness + 2) * 0.06
  const shine = gloss * lamp.highlight * Math.min(1, lit * 2)
  into.red += lamp.color[0] * (one.red * material.matte * lit + shine * mix(0.04, one.red, material.metallic))
  into.green +=
    lamp.color[1] * (one.green * material.matte * lit + shine * mix(0.04, one.green, material.metallic))
  into.blue +=
    lamp.color[2] * (one.blue * material.matte * lit + shine * mix(0.04, one.blue, material.metallic))
}

/** Adds the reflected environment: sky over floor with a darker horizon, sharper on smoother surfaces. */
function addMirrored(view: View, one: Fragment, material: Material, into: Light): void {
  const facing = view.x * one.normalX + view.y * one.normalY + view.z * one.normalZ
  const mirroredY = 2 * facing * one.normalY - view.y
  const blur = mix(0.1, 1.1, material.roughness)
  const horizon = Math.exp(-(((mirroredY + 0.05) / (blur + 0.2)) ** 2)) * (1 - material.roughness)
  const bright = mix(0.3, 1.05, smoothstep(-blur, blur, mirroredY - 0.05)) * (1 - 0.75 * horizon)
  const edge = (1 - clamp(facing, 0, 1)) ** 5 * (1 - material.roughness) * mix(0.6, 0.2, material.metallic)
  const plain = mix(0.03, 0.012, material.roughness)
  into.red += bright * (mix(plain, one.red * 0.75, material.metallic) + edge)
  into.green += bright * (mix(plain, one.green * 0.75, material.metallic) + edge)
  into.blue += bright * (mix(plain, one.blue * 0.75, material.metallic) + edge)
}

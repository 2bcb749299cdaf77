// What is drawn: triangles in the world, with their surfaces.

import type { Texture } from './texture.ts'
import type { Points } from './transform.ts'

export interface Surface {
  /** Linear, with alpha. */
  readonly color: readonly [number, number, number, number]
  readonly colorTexture: Texture | undefined
  readonly emission: readonly [number, number, number]
  readonly emissionTexture: Texture | undefined
  readonly metallic: number
  readonly roughness: number
  /** Roughness in its green, metal in its blue. */
  readonly metalTexture: Texture | undefined
  /** Less than this is not drawn; a blended surface is drawn in a share of its pixels. */
  readonly cutoff: number | 'blend' | undefined
}

export interface Mesh {
  readonly points: Points
  readonly normals: Points | undefined
  /** Two numbers a point. */
  readonly coordinates: Float32Array | undefined
  /** Four numbers a point, linear. */
  readonly colors: Float32Array | undefined
  /** Three points a triangle. */
  readonly corners: Uint32Array
  readonly surface: Surface
}

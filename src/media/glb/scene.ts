// The input of the renderer: triangles in world space with their materials.

import type { Texture } from './texture.ts'
import type { Points } from './transform.ts'

export interface Surface {
  /** Linear RGBA. */
  readonly color: readonly [number, number, number, number]
  readonly colorTexture: Texture | undefined
  readonly emission: readonly [number, number, number]
  readonly emissionTexture: Texture | undefined
  readonly metallic: number
  readonly roughness: number
  /** Roughness in the green channel, metalness in the blue one. */
  readonly metalTexture: Texture | undefined
  /** The alpha below which nothing is drawn; blended surfaces are dithered. */
  readonly cutoff: number | 'blend' | undefined
}

export interface Mesh {
  readonly points: Points
  readonly normals: Points | undefined
  /** Two numbers per point. */
  readonly coordinates: Float32Array | undefined
  /** Linear RGBA per point. */
  readonly colors: Float32Array | undefined
  /** Three indices of points per triangle. */
  readonly corners: Uint32Array
  readonly surface: Surface
}

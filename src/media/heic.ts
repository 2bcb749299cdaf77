// Decodes HEIC, the format of iPhones, by libheif compiled to WebAssembly: sharp is built without that decoder.

import { createRequire } from 'node:module'
import { z } from 'zod'

interface Heic {
  readonly width: number
  readonly height: number
  /** RGBA. */
  readonly data: Buffer
  readonly hasAlpha: boolean
}

/** The parts of the library that are used; it has no types of its own for them. */
interface HeifImage {
  get_width(): number
  get_height(): number
  is_primary(): boolean
  has_alpha_channel(): boolean
  display(
    into: { data: Uint8Array; width: number; height: number },
    done: (into: object | null) => void,
  ): void
}
const library = z.object({
  HeifDecoder: z.custom<new () => { decode(bytes: Buffer): readonly HeifImage[] }>(
    (value) => typeof value === 'function',
  ),
})

/** Decodes the main picture, upright. @returns undefined when it is broken or has too many pixels */
export async function decodeHeic(bytes: Buffer, pixelsMax: number): Promise<Heic | undefined> {
  const { HeifDecoder } = library.parse(createRequire(import.meta.url)('libheif-js/wasm-bundle.js'))
  const images = new HeifDecoder().decode(bytes)
  const image = images.find((one) => one.is_primary()) ?? images[0]
  if (!image) return undefined
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > pixelsMax) return undefined
  const data = Buffer.alloc(width * height * 4)
  const shown = await new Promise((resolve) => image.display({ data, width, height }, resolve))
  return shown ? { width, height, data, hasAlpha: image.has_alpha_channel() } : undefined
}

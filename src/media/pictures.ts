// Decodes and encodes pictures, with limits for untrusted files. Runs only in decoder processes: see decoders.ts.

import { createRequire } from 'node:module'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { z } from 'zod'
import { isTakenPicture } from '../catalog/field.ts'
import { mimeIn, mimeNamed, photographExtension } from '../runtime/file-format.ts'

/** Limits for decoding: more pixels would fill the memory, and only the first frame of an animation is decoded. */
export const imageOptions = { limitInputPixels: 8192 * 8192, pages: 1 }
export const imageTimeout = { seconds: 20 }
/** What is left of a damaged picture is used: a camera's last bytes are missing more often than one would think. */
const leniently = { ...imageOptions, failOn: 'none' } as const

interface ImageFacts {
  /** Width and height as displayed: the EXIF orientation is applied. */
  readonly width: number
  readonly height: number
  readonly format: 'png' | 'jpeg' | 'webp'
}

/** The facts of a result. Formats that no model delivers are not opened: the library also decodes SVG, PDF and more. */
export async function probeImage(bytes: Buffer): Promise<ImageFacts | undefined> {
  if (!photographExtension(bytes)) return undefined
  try {
    const { format, autoOrient } = await sharp(bytes, imageOptions).metadata()
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') return undefined
    return { width: autoOrient.width, height: autoOrient.height, format }
  } catch {
    return undefined
  }
}

// Pictures for Telegram: a thumbnail is a JPEG of at most 320 pixels and 200 kB; a photo has at most 10 MB, a width and height of together
// at most 10000 pixels, and a ratio of at most 20.

interface Photo {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly changed: boolean
}

const thumbnail = { pixels: 320, bytesMax: 200_000 }
const photo = { bytesMax: 10_000_000, sidesMax: 10_000, ratioMax: 20 }

export async function makeThumbnail(bytes: Buffer): Promise<Buffer | undefined> {
  if (!(await probeImage(bytes))) return undefined
  const image = await jpeg(bytes, thumbnail.pixels, thumbnail.pixels, 82)
  return image && image.bytes.length <= thumbnail.bytesMax ? image.bytes : undefined
}

/** Fits an image into the limits of photos; unchanged if it is within them. Undefined if it is not an image, or too narrow for a photo. */
export async function fitPhoto(bytes: Buffer): Promise<Photo | undefined> {
  const facts = await probeImage(bytes)
  if (!facts) return undefined
  const { width, height } = facts
  if (Math.max(width, height) > photo.ratioMax * Math.min(width, height)) return undefined
  if (isPhoto(facts, bytes)) return { bytes, width, height, changed: false }
  return shrink(bytes, facts, Math.min(1, photo.sidesMax / (width + height)), 4)
}

const isPhoto = ({ width, height, format }: ImageFacts, bytes: Buffer): boolean =>
  format !== 'webp' && bytes.length <= photo.bytesMax && width + height <= photo.sidesMax

/** The size in bytes is about proportional to the pixels, so the second try nearly always fits. */
async function shrink(bytes: Buffer, { width, height, format }: ImageFacts, scale: number, tries: number) {
  const image = await jpeg(bytes, Math.floor(width * scale), Math.floor(height * scale), 92)
  if (!image || tries === 0) return undefined
  const excess = image.bytes.length / photo.bytesMax
  if (excess <= 1) return { ...image, changed: true }
  return shrink(bytes, { width, height, format }, (scale * 0.95) / Math.sqrt(excess), tries - 1)
}

/** Converts an image to JPEG. Transparent parts become white; the image is scaled down into the box, never up. */
async function jpeg(bytes: Buffer, boxWidth: number, boxHeight: number, quality: number) {
  try {
    const { data, info } = await sharp(bytes, imageOptions)
      .autoOrient()
      .resize({ width: boxWidth, height: boxHeight, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .jpeg({ quality })
      .timeout(imageTimeout)
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return undefined
  }
}

/** An SVG of our own as PNG. */
export const rasterize = (svg: Buffer): Promise<Buffer> => sharp(svg).removeAlpha().png().toBuffer()

// Pictures of users for models.

const limits = z.object({ bytes: z.number(), side: z.number() })
const quality = 90

interface ModelPicture {
  readonly bytes: Buffer
  readonly mime: string
}

/** The size of a picture as displayed; undefined when it cannot be passed to a model. */
export async function sizeOf(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  const picture = await open(bytes)
  const { width, height } = picture ? (await picture.metadata()).autoOrient : {}
  return width && height ? { width, height } : undefined
}

/**
 * A picture as models take it: JPEG, PNG or WebP within limits, upright, and without metadata, which tells where it was taken. It stays as
 * it is if it is all that already. Transparency is kept, since dark and light drawings need different backgrounds.
 */
export async function pictureForModel(bytes: Buffer, most: unknown): Promise<ModelPicture | undefined> {
  const picture = await open(bytes)
  if (!picture) return undefined
  const { side, ...limit } = limits.parse(most)
  const facts = await picture.metadata()
  const isWithin = bytes.length <= limit.bytes && Math.max(facts.width, facts.height) <= side
  if (isWithin && photographExtension(bytes) && isPlain(facts))
    return { bytes, mime: mimeIn(bytes, '') ?? '' }
  const fitted = picture
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .timeout(imageTimeout)
  if (facts.hasAlpha) return { bytes: await fitted.webp({ quality }).toBuffer(), mime: mimeNamed('webp') }
  return { bytes: await fitted.jpeg({ quality }).toBuffer(), mime: mimeNamed('jpg') }
}

const isPlain = ({ orientation = 1, pages = 1, space, exif, xmp, iptc }: Metadata): boolean =>
  orientation === 1 && pages === 1 && space !== 'cmyk' && !exif && !xmp && !iptc

/** The library also decodes SVG, which is a program for a picture, and PDF. */
async function open(bytes: Buffer): Promise<Sharp | undefined> {
  const mime = mimeIn(bytes, '') ?? ''
  if (!isTakenPicture(mime)) return undefined
  if (mime === 'image/heic') return openHeic(bytes)
  const picture = sharp(bytes, leniently)
  // Raw files of cameras are TIFFs whose first picture is a small preview.
  return ((await picture.metadata()).subifds ?? 0) === 0 ? picture : undefined
}

/** The parts of libheif that are used; it has no types of its own for them. */
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

/** Opens the main picture of a HEIC, the format of iPhones, by libheif compiled to WebAssembly: sharp is built without that decoder. */
async function openHeic(bytes: Buffer): Promise<Sharp | undefined> {
  const { HeifDecoder } = library.parse(createRequire(import.meta.url)('libheif-js/wasm-bundle.js'))
  const images = new HeifDecoder().decode(bytes)
  const image = images.find((one) => one.is_primary()) ?? images[0]
  if (!image) return undefined
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > imageOptions.limitInputPixels) return undefined
  const data = Buffer.alloc(width * height * 4)
  const isDone = await new Promise((resolve) => image.display({ data, width, height }, resolve))
  if (!isDone) return undefined
  const picture = sharp(data, { raw: { width, height, channels: 4 } })
  if (image.has_alpha_channel()) return picture
  return sharp(await picture.removeAlpha().raw().toBuffer(), { raw: { width, height, channels: 3 } })
}

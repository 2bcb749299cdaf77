// Thumbnails and photos within Telegram's limits: a thumbnail is a JPEG of at most 320 pixels and 200 kB; a photo has at most
// 10 MB, a width and height of together at most 10000 pixels, and a ratio of at most 20.

import { runFfmpeg } from './ffmpeg.ts'
import { type ImageFacts, imageOptions, imageTimeout, probeImage } from './image.ts'
import { probeVideo } from './probe.ts'
import { loadSharp } from './sharp.ts'

interface Photo {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly changed: boolean
}

const thumbnail = { pixels: 320, bytesMax: 200_000 }
const photo = { bytesMax: 10_000_000, sidesMax: 10_000, ratioMax: 20 }
/** The least mean brightness, of 255; a darker frame is probably part of a fade-in. */
const blackish = 16

/**
 * The frames that are decoded: key frames first. All frames are decoded only if all key frames are dark, since that takes three times as
 * long.
 */
const decoded = [['-skip_frame', 'nokey', '-noaccurate_seek'], []]

/** A frame near the beginning of a video, if possible one that is not black. */
export async function videoThumbnail(mp4: Buffer, timeoutMs = 20_000): Promise<Buffer | undefined> {
  const facts = await probeVideo(mp4)
  if (!facts || facts.container === 'webm') return undefined
  let dark: Buffer | undefined
  for (const options of decoded) {
    const frames = await firstFrames(mp4, options, facts.duration, timeoutMs)
    const lit = await firstLit(frames)
    if (lit) return lit
    dark ??= frames[0]
  }
  return dark
}

/** Decodes a few frames in the size of a thumbnail. */
async function firstFrames(mp4: Buffer, decoded: readonly string[], seconds: number, timeoutMs: number) {
  const box = `${thumbnail.pixels}:${thumbnail.pixels}:force_original_aspect_ratio=decrease`
  const frames = await runFfmpeg({
    bytes: mp4,
    reads: 'mov',
    // A duration is rounded up to a second: a shorter video can end within the half second that is skipped.
    inputOptions: [...decoded, '-ss', seconds > 1 ? '0.5' : '0', '-t', '4'],
    options: ['-an', '-vf', `scale=${box},fps=2:eof_action=pass`, '-q:v', '3', '-frames:v', '6'],
    output: 'out-%d.jpg',
    timeoutMs,
  })
  return (frames ?? []).filter(({ length }) => length <= thumbnail.bytesMax)
}

async function firstLit(frames: readonly Buffer[]): Promise<Buffer | undefined> {
  for (const frame of frames) if ((await brightness(frame)) > blackish) return frame
  return undefined
}

async function brightness(image: Buffer): Promise<number> {
  const sharp = await loadSharp()
  const [channel] = (await sharp(image, imageOptions).greyscale().stats()).channels
  return channel?.mean ?? 0
}

export async function imageThumbnail(bytes: Buffer): Promise<Buffer | undefined> {
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
    const sharp = await loadSharp()
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

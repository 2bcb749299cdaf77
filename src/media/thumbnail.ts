// Thumbnails and photos within Telegram's limits: see pictures.ts.

import { z } from 'zod'
import { decode } from './decoders.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { probeVideo } from './probe.ts'

const photo = z.object({
  bytes: z.instanceof(Buffer),
  width: z.number(),
  height: z.number(),
  changed: z.boolean(),
})

const pictureLimits = { timeoutMs: 60_000 }
/** The thumbnail's size in pixels and in bytes. */
const thumbnail = { pixels: 320, bytesMax: 200_000 }
/** The least mean brightness, of 255; a darker frame is probably part of a fade-in. */
const blackish = 16

/** Fits an image into the limits of photos; unchanged if it is within them. Undefined if it is not an image, or too narrow for a photo. */
export const fitPhoto = (bytes: Buffer): Promise<z.output<typeof photo> | undefined> =>
  decode('photo', bytes, photo, pictureLimits)

export const imageThumbnail = (bytes: Buffer): Promise<Buffer | undefined> =>
  decode('thumbnail', bytes, z.instanceof(Buffer), pictureLimits)

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
  for (const frame of frames) {
    const brightness = await decode('brightness', frame, z.number(), pictureLimits)
    if (brightness !== undefined && brightness > blackish) return frame
  }
  return undefined
}

// What a file is: Telegram shows it right only when it is told the size and the duration, and nobody else's word for the
// type is taken. Every probe gives undefined for bytes that are something else.

import { FLAC, type InputFormat, MATROSKA, MP3, MP4, OGG, QTFF, WEBM } from 'mediabunny'
import sharp from 'sharp'
import { withMedia } from './container.ts'
import { readWav } from './wav.ts'

export interface VideoFacts {
  readonly width: number
  readonly height: number
  /** Whole seconds, at least one. */
  readonly duration: number
  readonly container: 'mp4' | 'webm' | 'mov'
}

export interface AudioFacts {
  /** Exact; Telegram wants `wholeSeconds` of it. */
  readonly seconds: number
  readonly container: 'mp3' | 'wav' | 'ogg' | 'flac' | 'm4a' | 'other'
  readonly codec: string
}

export interface ImageFacts {
  /** As it is shown, after the turn that a camera may have noted in it. */
  readonly width: number
  readonly height: number
  readonly format: 'png' | 'jpeg' | 'webp'
}

/** An image of more pixels is not opened: unpacked, it would fill the memory. */
export const imageOptions = { limitInputPixels: 120_000_000 }

export const wholeSeconds = (seconds: number): number => Math.max(1, Math.round(seconds))

export function probeVideo(bytes: Buffer): Promise<VideoFacts | undefined> {
  return withMedia(bytes, async (input) => {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return undefined
    const [width, height, seconds] = await Promise.all([
      track.getDisplayWidth(),
      track.getDisplayHeight(),
      input.computeDuration(),
    ])
    const container = videoContainer(await input.getFormat())
    return container && { width, height, duration: wholeSeconds(seconds), container }
  })
}

/** Matroska is what WebM is a part of. */
function videoContainer(format: InputFormat): VideoFacts['container'] | undefined {
  if (format === MP4) return 'mp4'
  if (format === QTFF) return 'mov'
  return format === WEBM || format === MATROSKA ? 'webm' : undefined
}

/** A video with sound is not audio. */
export async function probeAudio(bytes: Buffer): Promise<AudioFacts | undefined> {
  const wav = readWav(bytes)
  if (wav) return { seconds: wav.frames / wav.rate, container: 'wav', codec: wav.codec }
  return withMedia(bytes, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    const codec = await track?.getCodec()
    if (!codec || (await input.getPrimaryVideoTrack())) return undefined
    const seconds = await input.computeDuration()
    if (!(seconds > 0)) return undefined
    return { seconds, container: audioContainer(await input.getFormat()), codec }
  })
}

function audioContainer(format: InputFormat): AudioFacts['container'] {
  if (format === MP3) return 'mp3'
  if (format === OGG) return 'ogg'
  if (format === FLAC) return 'flac'
  return format === MP4 || format === QTFF ? 'm4a' : 'other'
}

export async function probeImage(bytes: Buffer): Promise<ImageFacts | undefined> {
  try {
    const { format, autoOrient } = await sharp(bytes, imageOptions).metadata()
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') return undefined
    return { width: autoOrient.width, height: autoOrient.height, format }
  } catch {
    return undefined
  }
}

/** Binary glTF 2.0, all of it. */
export function isGlb(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF') return false
  return bytes.readUInt32LE(4) === 2 && bytes.readUInt32LE(8) <= bytes.length
}

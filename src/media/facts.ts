// Reads what is inside a media container (mediabunny). Four wrong bytes can keep the parser busy for minutes, so `readFacts` and
// `withMedia` run in a worker thread only: see probe.ts and remux.ts.

import {
  ADTS,
  BufferSource,
  FLAC,
  Input,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny'
import { z } from 'zod'

const videoFacts = z.object({
  width: z.number(),
  height: z.number(),
  /** Whole seconds, at least one. */
  duration: z.number(),
  container: z.enum(['mp4', 'webm', 'mov']),
  /** Players expect this codec in an MP4. */
  isPlayed: z.boolean(),
})
const audioFacts = z.object({
  /** Exact; Telegram wants `wholeSeconds` of it. */
  seconds: z.number().positive(),
  container: z.enum(['mp3', 'wav', 'ogg', 'flac', 'm4a', 'other']),
  codec: z.string(),
})

export const mediaFacts = z.object({ video: videoFacts.optional(), audio: audioFacts.optional() })

export type VideoFacts = Readonly<z.output<typeof videoFacts>>
export type AudioFacts = Readonly<z.output<typeof audioFacts>>
export type MediaFacts = Readonly<z.output<typeof mediaFacts>>

export const wholeSeconds = (seconds: number): number => Math.max(1, Math.round(seconds))

/** Without playlists (HLS): they name other files, and nothing here fetches. */
const formats: InputFormat[] = [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, OGG, FLAC, ADTS]

/** Undefined when the bytes are not a media file, or when `read` fails. */
export async function withMedia<T>(
  bytes: Buffer,
  read: (input: Input) => Promise<T | undefined>,
): Promise<T | undefined> {
  const input = new Input({ source: new BufferSource(bytes), formats })
  try {
    return await read(input)
  } catch {
    return undefined
  } finally {
    input.dispose()
  }
}

/** A video with sound has video facts only. */
export async function readFacts(bytes: Buffer): Promise<MediaFacts> {
  const read = async (input: Input) =>
    (await input.getPrimaryVideoTrack())
      ? { video: await readVideo(input) }
      : { audio: await readAudio(input) }
  return mediaFacts.safeParse(await withMedia(bytes, read)).data ?? {}
}

async function readVideo(input: Input): Promise<VideoFacts | undefined> {
  const track = await input.getPrimaryVideoTrack()
  const container = videoContainer(await input.getFormat())
  if (!track || !container) return undefined
  const [width, height, codec, seconds] = await Promise.all([
    track.getDisplayWidth(),
    track.getDisplayHeight(),
    track.getCodec(),
    input.computeDuration(),
  ])
  const isPlayed = codec === 'avc' || codec === 'hevc'
  return { width, height, duration: wholeSeconds(seconds), container, isPlayed }
}

/** WebM is a subset of Matroska. */
function videoContainer(format: InputFormat): VideoFacts['container'] | undefined {
  if (format === MP4) return 'mp4'
  if (format === QTFF) return 'mov'
  return format === WEBM || format === MATROSKA ? 'webm' : undefined
}

async function readAudio(input: Input): Promise<AudioFacts | undefined> {
  const codec = await (await input.getPrimaryAudioTrack())?.getCodec()
  if (!codec) return undefined
  const seconds = await input.computeDuration()
  return { seconds, container: audioContainer(await input.getFormat()), codec }
}

function audioContainer(format: InputFormat): AudioFacts['container'] {
  if (format === MP3) return 'mp3'
  if (format === OGG) return 'ogg'
  if (format === FLAC) return 'flac'
  return format === MP4 || format === QTFF ? 'm4a' : 'other'
}

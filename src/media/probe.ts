// Size, duration and type of a media file. Read from the bytes: content types, names and what Telegram tells can be wrong.

import { z } from 'zod'
import { decode, filesOfUsers } from './decoders.ts'

/** A day; Telegram treats any longer time as a day. A table of a few bytes can claim millions of years. */
const longestSeconds = 24 * 60 * 60

export const wholeSeconds = (seconds: number): number =>
  Math.min(longestSeconds, Math.max(1, Math.round(seconds)))

const videoFacts = z
  .object({
    width: z.number(),
    height: z.number(),
    /** The exact length. */
    seconds: z.number().nonnegative(),
    container: z.enum(['mp4', 'webm', 'mov']),
    /** Whether players expect this codec in an MP4. */
    isPlayed: z.boolean(),
  })
  .transform((facts) => ({ ...facts, duration: wholeSeconds(facts.seconds) }))
const audioFacts = z.object({
  /** The exact length; Telegram requires `wholeSeconds` of it. */
  seconds: z.number().positive(),
  container: z.enum(['mp3', 'wav', 'ogg', 'flac', 'm4a', 'other']),
  codec: z.string(),
})
export const mediaFacts = z.object({ video: videoFacts.optional(), audio: audioFacts.optional() })

export type VideoFacts = Readonly<z.output<typeof videoFacts>>
export type AudioFacts = Readonly<z.output<typeof audioFacts>>

/** The time limit of a probe; an intact file takes milliseconds. */
const usualTimeoutMs = 20_000

/** The facts of a video; undefined for bytes of another type. */
export const probeVideo = async (
  bytes: Buffer,
  timeoutMs = usualTimeoutMs,
): Promise<VideoFacts | undefined> => (await decode('facts', bytes, mediaFacts, { timeoutMs }))?.video

/** The facts of a sound file; undefined for a video with sound, and for bytes of another type. */
export const probeAudio = async (
  bytes: Buffer,
  timeoutMs = usualTimeoutMs,
): Promise<AudioFacts | undefined> => (await decode('facts', bytes, mediaFacts, { timeoutMs }))?.audio

const size = z.object({ width: z.number().positive(), height: z.number().positive() })
/** The sender waits for the answer. */
const ofUser = { timeoutMs: 10_000, cpuMs: 2000, gate: filesOfUsers }

/** The size of a picture of a user; undefined when it cannot be passed to a model. */
export const probePicture = (bytes: Buffer): Promise<z.output<typeof size> | undefined> =>
  decode('size', bytes, size, ofUser)

/** The facts of a video or sound file of a user. */
export const probeMedia = (bytes: Buffer): Promise<z.output<typeof mediaFacts> | undefined> =>
  decode('facts', bytes, mediaFacts, ofUser)

/** Whether the bytes are a complete binary glTF 2.0. */
export function isGlb(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF') return false
  return bytes.readUInt32LE(4) === 2 && bytes.readUInt32LE(8) <= bytes.length
}

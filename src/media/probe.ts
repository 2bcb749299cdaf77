// Size, duration and type of a media file. Read from the bytes: content types, names and what Telegram tells can be wrong.

import { z } from 'zod'
import { decode, filesOfUsers } from './decoders.ts'
import { type AudioFacts, mediaFacts, type VideoFacts } from './facts.ts'

export { type AudioFacts, type VideoFacts, wholeSeconds } from './facts.ts'

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

// Size, duration and type of a media file, which Telegram needs to show it correctly. Read from the bytes: content types and names
// can be wrong. Each probe returns undefined for bytes of another type.

import { threadScript } from '../folders.ts'
import { type AudioFacts, type MediaFacts, mediaFacts, type VideoFacts } from './facts.ts'
import { runInThread, warmUp } from './thread.ts'
import { readWav } from './wav.ts'

export { type AudioFacts, type VideoFacts, wholeSeconds } from './facts.ts'

const reader = threadScript('media/worker', 'facts')
/** The time limit of a probe; an intact file takes milliseconds. */
const usualTimeoutMs = 20_000

/** Starts the thread for probes. Call it when a video or sound file is expected soon: starting the thread takes much longer than a probe. */
export const expectProbe = (): void => warmUp(reader)

export async function probeVideo(bytes: Buffer, timeoutMs = usualTimeoutMs): Promise<VideoFacts | undefined> {
  return (await factsOf(bytes, timeoutMs)).video
}

/** The facts of a sound file; undefined for a video with sound. */
export async function probeAudio(bytes: Buffer, timeoutMs = usualTimeoutMs): Promise<AudioFacts | undefined> {
  const wav = readWav(bytes)
  if (wav) return { seconds: wav.frames / wav.rate, container: 'wav', codec: wav.codec }
  return (await factsOf(bytes, timeoutMs)).audio
}

async function factsOf(bytes: Buffer, timeoutMs: number): Promise<MediaFacts> {
  const told = await runInThread(reader, bytes, { timeoutMs })
  return told ? mediaFacts.parse(JSON.parse(told.toString())) : {}
}

/** Whether the bytes are a complete binary glTF 2.0. */
export function isGlb(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF') return false
  return bytes.readUInt32LE(4) === 2 && bytes.readUInt32LE(8) <= bytes.length
}

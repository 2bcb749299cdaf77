// What a file is: Telegram shows it right only when it is told the size and the duration, and nobody else's word for the
// type is taken. Every probe gives undefined for bytes that are something else.

import { type AudioFacts, type MediaFacts, mediaFacts, type VideoFacts } from './facts.ts'
import { runInThread } from './thread.ts'
import { readWav } from './wav.ts'

export { type AudioFacts, type VideoFacts, wholeSeconds } from './facts.ts'

const reader = new URL('./worker.ts?job=facts', import.meta.url)
/** A whole one takes milliseconds. */
const usualTimeoutMs = 20_000

export async function probeVideo(bytes: Buffer, timeoutMs = usualTimeoutMs): Promise<VideoFacts | undefined> {
  return (await factsOf(bytes, timeoutMs)).video
}

/** A video with sound is not audio. */
export async function probeAudio(bytes: Buffer, timeoutMs = usualTimeoutMs): Promise<AudioFacts | undefined> {
  const wav = readWav(bytes)
  if (wav) return { seconds: wav.frames / wav.rate, container: 'wav', codec: wav.codec }
  return (await factsOf(bytes, timeoutMs)).audio
}

async function factsOf(bytes: Buffer, timeoutMs: number): Promise<MediaFacts> {
  const told = await runInThread(reader, bytes, { timeoutMs })
  return told ? mediaFacts.parse(JSON.parse(told.toString())) : {}
}

/** Binary glTF 2.0, all of it. */
export function isGlb(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'glTF') return false
  return bytes.readUInt32LE(4) === 2 && bytes.readUInt32LE(8) <= bytes.length
}

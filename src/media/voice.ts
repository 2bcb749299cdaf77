// Converts sound to a voice message. OGG/Opus and MP3 are passed unchanged, WAV is encoded here, other formats need ffmpeg.

import { z } from 'zod'
import { decode } from './decoders.ts'
import { type Job, runFfmpeg } from './ffmpeg.ts'
import { type AudioFacts, probeAudio, wholeSeconds } from './probe.ts'

interface Voice {
  readonly bytes: Buffer
  /** Whole seconds, as Telegram requires. */
  readonly seconds: number
  readonly name: 'voice.ogg' | 'voice.mp3'
}

const bytesMax = 50 * 1024 * 1024
const secondsMax = 30 * 60

const demuxers: Readonly<Record<AudioFacts['container'], Job['reads'] | undefined>> = {
  flac: 'flac',
  m4a: 'mov',
  ogg: 'ogg',
  mp3: undefined,
  wav: undefined,
  other: undefined,
}

/** Converts sound to a voice message; undefined when the bytes are not sound, are too long, or cannot be encoded here. */
export async function toVoice(bytes: Buffer, timeoutMs = 60_000): Promise<Voice | undefined> {
  if (bytes.length > bytesMax) return undefined
  const facts = await probeAudio(bytes)
  if (!facts || facts.seconds > secondsMax) return undefined
  const { container, codec } = facts
  const seconds = wholeSeconds(facts.seconds)
  if (container === 'mp3') return { bytes, seconds, name: 'voice.mp3' }
  if (container === 'ogg' && codec === 'opus') return { bytes, seconds, name: 'voice.ogg' }
  const encoded = await encode(bytes, container, timeoutMs)
  return encoded && { bytes: encoded, seconds, name: 'voice.ogg' }
}

async function encode(bytes: Buffer, container: AudioFacts['container'], timeoutMs: number) {
  if (container === 'wav') return decode('voice', bytes, z.instanceof(Buffer), { timeoutMs })
  const reads = demuxers[container]
  if (!reads) return undefined
  const voice = ['-vn', '-ac', '1', '-c:a', 'libopus', '-b:a', '32k', '-application', 'voip']
  const files = await runFfmpeg({ bytes, reads, options: voice, output: 'out.ogg', timeoutMs })
  return files?.[0]
}

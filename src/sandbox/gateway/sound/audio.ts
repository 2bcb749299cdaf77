// Sound files: synthesised at the requested sample rate, or at the next higher rate of the format, then encoded.

import type { AudioSpec } from '../artifact-spec.ts'
import { flacOf } from './flac.ts'
import { mp3Of, mp3Rates } from './mp3.ts'
import { music } from './music.ts'
import { opusOf, opusRates } from './opus.ts'
import type { Channels, Sound } from './sound.ts'
import { dialogue, speech } from './speech.ts'
import { pcmOf, wavOf } from './wav.ts'

const voices = { speech, dialogue, music }

export function makeAudio(spec: AudioSpec): Promise<Buffer> {
  const { format, bitrate } = spec
  switch (format) {
    case 'wav':
      return wavOf(soundOf(spec, spec.sampleRate))
    case 'pcm':
      return pcmOf(soundOf(spec, spec.sampleRate))
    case 'flac':
      return flacOf(soundOf(spec, spec.sampleRate))
    case 'mp3':
      return mp3Of(soundOf(spec, atLeast(mp3Rates, spec.sampleRate)), bitrate)
    case 'ogg':
      return opusOf(soundOf(spec, atLeast(opusRates, spec.sampleRate)), bitrate)
  }
}

function soundOf({ voice, variant, channels, seconds }: AudioSpec, rate: number): Sound {
  const loop = voices[voice](variant, rate)
  return {
    rate,
    loop: channels === 1 ? mixedDown(loop) : loop,
    frames: Math.max(1, Math.round(seconds * rate)),
  }
}

function mixedDown(channels: Channels): Channels {
  const [left = new Float32Array(0), right = left] = channels
  return [left.map((value, i) => (value + (right[i] ?? 0)) / 2)]
}

const atLeast = (rates: readonly number[], wanted: number): number =>
  rates.find((rate) => rate >= wanted) ?? 48_000

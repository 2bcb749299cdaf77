// Sound before encoding: a loop that repeats without a click, and the wanted length. It is read in pieces, so that the samples of ten
// minutes are never in memory at once.

import { scheduler } from 'node:timers/promises'

/** One array per channel, all of the same length, with values from -1 to 1. */
export type Channels = readonly Float32Array[]

export interface Sound {
  readonly rate: number
  readonly loop: Channels
  /** The wanted number of samples of each channel. */
  readonly frames: number
}

/** Fades at the beginning and at the end prevent clicks. */
const fadeInSeconds = 0.01
const fadeOutSeconds = 0.25

/** Reads `count` samples of each channel from index `from`. */
function read(sound: Sound, from: number, count: number): Channels {
  return sound.loop.map((channel) => {
    const piece = new Float32Array(count)
    for (let filled = 0; filled < count; ) {
      const start = (from + filled) % channel.length
      const part = channel.subarray(start, start + count - filled)
      piece.set(part, filled)
      filled += part.length
    }
    fade(sound, piece, from)
    return piece
  })
}

function fade({ rate, frames }: Sound, piece: Float32Array, from: number): void {
  const rise = fadeInSeconds * rate
  const fall = Math.min(fadeOutSeconds * rate, frames / 4)
  if (from >= rise && from + piece.length < frames - fall) return
  for (let i = 0; i < piece.length; i += 1) {
    const at = from + i
    piece[i] = (piece[i] ?? 0) * Math.min(1, at / rise, (frames - at) / fall)
  }
}

/** The whole sound in pieces of `size` samples; the last may be shorter. Yields to the event loop after each second of sound. */
export async function* pieces(sound: Sound, size: number): AsyncGenerator<Channels> {
  for (let from = 0; from < sound.frames; from += size) {
    yield read(sound, from, Math.min(size, sound.frames - from))
    if (from % sound.rate < size) await scheduler.yield()
  }
}

/** Converts to 16 bits per sample; the samples of the channels alternate. */
export function interleaved(channels: Channels): Int16Array {
  const samples = new Int16Array((channels[0]?.length ?? 0) * channels.length)
  const step = channels.length
  for (const [at, channel] of channels.entries()) {
    for (let i = 0; i < channel.length; i += 1) samples[i * step + at] = Math.round((channel[i] ?? 0) * 32767)
  }
  return samples
}

/** Scales the sound to a peak of 0.7. */
export function normalized(loop: Channels): Channels {
  const peak = loop.reduce((most, channel) => channel.reduce((p, v) => Math.max(p, Math.abs(v)), most), 1e-9)
  return loop.map((channel) => channel.map((value) => (value * 0.7) / peak))
}

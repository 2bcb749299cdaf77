// A circular stereo buffer that sounds are mixed into: what extends beyond the end continues at the beginning.

import type { Random } from '../../random.ts'

export interface LoopBuffer {
  readonly rate: number
  readonly channels: readonly [Float32Array, Float32Array]
}

interface Tone {
  /** Seconds. */
  readonly start: number
  readonly seconds: number
  readonly attack: number
  readonly hertz: number
  readonly gain: number
  /** In nepers per second. */
  readonly decay: number
  /** Loudness of each partial, from the fundamental up; higher ones decay faster. */
  readonly partials: readonly number[]
  /** From -1 (left) to 1 (right). */
  readonly pan: number
}

export function createLoopBuffer(seconds: number, rate: number): LoopBuffer {
  const length = Math.round(seconds * rate)
  return { rate, channels: [new Float32Array(length), new Float32Array(length)] }
}

export function addTone(
  buffer: LoopBuffer,
  { start, seconds, attack, hertz, gain, decay, partials, pan }: Tone,
): void {
  const sound = new Float32Array(Math.round(seconds * buffer.rate))
  for (const [i, share] of partials.entries()) {
    const pitch = hertz * (i + 1)
    if (pitch < buffer.rate * 0.45)
      addSine(sound, buffer.rate, { pitch, gain: gain * share, decay: decay * (1 + i * 0.6) })
  }
  applyEnvelope(sound, attack * buffer.rate, Math.min(0.25 * seconds, 0.3) * buffer.rate)
  mixIn(buffer, sound, start, pan)
}

interface Sine {
  readonly pitch: number
  readonly gain: number
  readonly decay: number
}

/** Adds a decaying sine, computed from the two previous samples, which is much faster than `Math.sin` for each sample. */
function addSine(sound: Float32Array, rate: number, { pitch, gain, decay }: Sine): void {
  const angle = (2 * Math.PI * pitch) / rate
  const fading = Math.exp(-decay / rate)
  const [turn, shrink] = [2 * Math.cos(angle) * fading, fading * fading]
  let [before, now] = [(-Math.sin(angle) * gain) / fading, 0]
  for (let i = 0; i < sound.length; i += 1) {
    sound[i] = (sound[i] ?? 0) + now
    const next = turn * now - shrink * before
    before = now
    now = next
  }
}

function applyEnvelope(sound: Float32Array, rise: number, fall: number): void {
  for (let i = 0; i < rise; i += 1) sound[i] = ((sound[i] ?? 0) * i) / rise
  for (let left = 0; left < fall; left += 1) {
    const i = sound.length - 1 - left
    sound[i] = ((sound[i] ?? 0) * left) / fall
  }
}

/** A short burst of noise, like a brush on a cymbal. */
export function addClick(buffer: LoopBuffer, random: Random, start: number, gain: number): void {
  let last = 0
  const sound = Float32Array.from({ length: Math.round(0.08 * buffer.rate) }, (_, i) => {
    const noise = random() * 2 - 1
    const bright = noise - last
    last = noise
    return bright * gain * Math.exp((-i / buffer.rate) * 60)
  })
  mixIn(buffer, sound, start, 0.15)
}

function mixIn({ rate, channels }: LoopBuffer, sound: Float32Array, start: number, pan: number): void {
  const angle = ((pan + 1) * Math.PI) / 4
  const from = Math.round(start * rate)
  const sides = [Math.cos(angle), Math.sin(angle)]
  for (const [side, channel] of channels.entries()) {
    const share = sides[side] ?? 0
    let at = from % channel.length
    for (let i = 0; i < sound.length; i += 1) {
      channel[at] = (channel[at] ?? 0) + (sound[i] ?? 0) * share
      at = at + 1 === channel.length ? 0 : at + 1
    }
  }
}

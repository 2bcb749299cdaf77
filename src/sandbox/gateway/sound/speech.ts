// Speech without words: it has syllables, stresses, phrases and pauses, but no meaning.

import { artifactRandom, between, type Random } from '../../random.ts'
import { createFormantSynth, type FormantSynth } from './formant-synth.ts'
import { type Channels, normalized } from './sound.ts'

interface Speaker {
  /** Hertz. */
  readonly pitch: number
  /** A factor on the formants: a shorter vocal tract has higher formants. */
  readonly formantScale: number
  /** Syllables per second. */
  readonly pace: number
}

const speakers: readonly [Speaker, Speaker, Speaker, Speaker] = [
  { pitch: 112, formantScale: 1, pace: 4.6 },
  { pitch: 196, formantScale: 1.17, pace: 5 },
  { pitch: 92, formantScale: 0.95, pace: 4.1 },
  { pitch: 232, formantScale: 1.22, pace: 5.3 },
]

/** The first three formants of a, e, i, o, u and of two intermediate vowels, in hertz. */
const vowels: readonly (readonly [number, number, number])[] = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [300, 2250, 3000],
  [570, 860, 2410],
  [320, 890, 2240],
  [500, 1500, 2500],
  [640, 1200, 2400],
]

/** One voice for about ten seconds. */
export function speech(variant: number, rate: number): Channels {
  const random = artifactRandom(100 + variant)
  const said = joined([7, 11, 5, 9].map((count) => phrase(speakerOf(variant), random, rate, count)))
  return normalized([said, said])
}

/** Two voices in turn, one on the left and the other on the right. */
export function dialogue(variant: number, rate: number): Channels {
  const random = artifactRandom(200 + variant)
  const turns = [6, 9, 4, 8, 11, 5].map((count, i) =>
    phrase(speakerOf(variant + (i % 2)), random, rate, count),
  )
  const channelOf = (side: 0 | 1) =>
    joined(turns.map((turn, i) => (i % 2 === side ? turn : turn.map((value) => value * 0.55))))
  return normalized([channelOf(0), channelOf(1)])
}

const speakerOf = (variant: number): Speaker => speakers[variant % speakers.length] ?? speakers[0]

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** A phrase of `count` syllables, followed by a pause. */
function phrase(speaker: Speaker, random: Random, rate: number, count: number): Float32Array {
  const synth = createFormantSynth(rate, artifactRandom(count))
  const spoken = Array.from({ length: count }, (_, i) =>
    syllable(speaker, random, synth, i / count, i === count - 1),
  )
  const pause = synth.render({ seconds: between(random, 0.3, 0.5), from: 0, to: 0, loud: 0, hiss: 0 })
  return joined([...spoken.flat(), pause])
}

/** The pitch falls during a phrase and is higher on stressed syllables. */
function syllable(
  { pitch, formantScale, pace }: Speaker,
  random: Random,
  synth: FormantSynth,
  done: number,
  isLast: boolean,
) {
  const isStressed = isLast || random() < 0.35
  const from =
    pitch * (1.12 - 0.24 * done) * (isStressed ? between(random, 1.08, 1.2) : between(random, 0.96, 1.02))
  const to = from * (isLast ? 0.78 : between(random, 0.9, 1.02))
  const seconds = ((isStressed ? 1.2 : 0.85) * between(random, 0.85, 1.15) * (isLast ? 1.4 : 1)) / pace
  const vowel = vowels[Math.floor(random() * vowels.length)] ?? [500, 1500, 2500]
  const onset = random()
  const parts: Float32Array[] = []
  if (onset < 0.3) parts.push(synth.render({ seconds: 0.07, from, to: from, loud: 0, hiss: 0.16 }))
  else if (onset < 0.6) parts.push(synth.render({ seconds: 0.045, from, to: from, loud: 0.02, hiss: 0 }))
  synth.setFormants(vowel.map((hertz) => hertz * formantScale))
  parts.push(synth.render({ seconds, from, to, loud: isStressed ? 1 : 0.7, hiss: 0.006 }))
  return parts
}

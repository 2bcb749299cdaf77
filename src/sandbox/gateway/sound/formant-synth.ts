// A formant synthesiser after Klatt: glottal pulses and noise pass through resonators, whose frequencies move gradually towards
// those of the next vowel.

import type { Random } from '../../random.ts'

interface Segment {
  readonly seconds: number
  /** Pitch at the beginning and at the end, in hertz. */
  readonly from: number
  readonly to: number
  /** Loudness of the voice, and of the noise of consonants like `s`. */
  readonly loud: number
  readonly hiss: number
}

export interface FormantSynth {
  setFormants(resonances: readonly number[]): void
  render(segment: Segment): Float32Array
}

const bandwidths = [70, 100, 150, 250]
/** Formants and loudness change over about this time. */
const slideSeconds = 0.022

export function createFormantSynth(rate: number, random: Random): FormantSynth {
  const slide = 1 - Math.exp(-1 / (slideSeconds * rate))
  const noiseFilter = createResonator(rate, 900)
  noiseFilter.tune(Math.min(5200, rate * 0.36))
  // A low sample rate cannot carry the fourth formant.
  const count = rate > 9000 ? 4 : 3
  const resonators = bandwidths.slice(0, count).map((width) => createResonator(rate, width))
  let [at, wanted] = [
    [500, 1500, 2500, 3500],
    [500, 1500, 2500, 3500],
  ]
  let [phase, loud, hiss, last] = [0, 0, 0, 0]

  const step = (hertz: number, segment: Segment, i: number): number => {
    if (i % 32 === 0) retune()
    loud += (segment.loud - loud) * slide
    hiss += (segment.hiss - hiss) * slide
    phase = (phase + hertz / rate) % 1
    const flow = glottalFlow(phase)
    const pulse = ((flow - last) * rate) / 8000
    last = flow
    const breath = random() * 2 - 1
    const voiced = resonators.reduce((sound, one) => one.pass(sound), pulse * loud + breath * loud * 0.02)
    return voiced + noiseFilter.pass(breath) * hiss
  }
  const retune = () => {
    at = at.map((hertz, i) => hertz + ((wanted[i] ?? hertz) - hertz) * (1 - (1 - slide) ** 32))
    for (const [i, one] of resonators.entries()) one.tune(Math.min(at[i] ?? 0, rate * 0.46))
  }

  return {
    setFormants(resonances) {
      wanted = [...resonances, 3500]
    },
    render(segment) {
      const length = Math.round(segment.seconds * rate)
      const samples = new Float32Array(length)
      for (let i = 0; i < length; i += 1) {
        samples[i] = step(segment.from + ((segment.to - segment.from) * i) / length, segment, i)
      }
      return samples
    },
  }
}

/** The air flow of one opening of the vocal folds, which close faster than they open (Rosenberg's pulse). */
function glottalFlow(phase: number): number {
  if (phase < 0.4) return 0.5 * (1 - Math.cos((Math.PI * phase) / 0.4))
  return phase < 0.56 ? Math.cos((Math.PI * (phase - 0.4)) / 0.32) : 0
}

function createResonator(rate: number, width: number) {
  const c = -Math.exp((-2 * Math.PI * width) / rate)
  let [a, b, once, twice] = [0, 0, 0, 0]
  return {
    tune(hertz: number) {
      b = 2 * Math.exp((-Math.PI * width) / rate) * Math.cos((2 * Math.PI * hertz) / rate)
      a = 1 - b - c
    },
    pass(sample: number): number {
      const sound = a * sample + b * once + c * twice
      twice = once
      once = sound
      return sound
    },
  }
}

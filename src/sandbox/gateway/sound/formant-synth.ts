// A throat and a mouth: pulses and hiss in, resonances moving slowly to where the next vowel wants them.

import type { Random } from '../../random.ts'

interface Sounding {
  readonly seconds: number
  /** Pitch at its beginning and its end, in hertz. */
  readonly from: number
  readonly to: number
  /** How loud the throat is, and how loud the breath between the teeth. */
  readonly loud: number
  readonly hiss: number
}

export interface Mouth {
  shapeTo(resonances: readonly number[]): void
  speak(sounding: Sounding): Float32Array
}

const bandwidths = [70, 100, 150, 250]
/** Shapes and loudness change over about so many seconds. */
const slideSeconds = 0.022

export function createMouth(rate: number, random: Random): Mouth {
  const slide = 1 - Math.exp(-1 / (slideSeconds * rate))
  const hissing = createResonator(rate, 900)
  hissing.tune(Math.min(5200, rate * 0.36))
  // Above what the rate can carry there is no fourth resonance.
  const count = rate > 9000 ? 4 : 3
  const resonators = bandwidths.slice(0, count).map((width) => createResonator(rate, width))
  let [at, wanted] = [
    [500, 1500, 2500, 3500],
    [500, 1500, 2500, 3500],
  ]
  let [phase, loud, hiss, last] = [0, 0, 0, 0]

  const step = (hertz: number, sounding: Sounding, i: number): number => {
    if (i % 32 === 0) retune()
    loud += (sounding.loud - loud) * slide
    hiss += (sounding.hiss - hiss) * slide
    phase = (phase + hertz / rate) % 1
    const flow = throat(phase)
    const pulse = ((flow - last) * rate) / 8000
    last = flow
    const breath = random() * 2 - 1
    const voiced = resonators.reduce((sound, one) => one.pass(sound), pulse * loud + breath * loud * 0.02)
    return voiced + hissing.pass(breath) * hiss
  }
  const retune = () => {
    at = at.map((hertz, i) => hertz + ((wanted[i] ?? hertz) - hertz) * (1 - (1 - slide) ** 32))
    for (const [i, one] of resonators.entries()) one.tune(Math.min(at[i] ?? 0, rate * 0.46))
  }

  return {
    shapeTo(resonances) {
      wanted = [...resonances, 3500]
    },
    speak(sounding) {
      const length = Math.round(sounding.seconds * rate)
      const samples = new Float32Array(length)
      for (let i = 0; i < length; i += 1) {
        samples[i] = step(sounding.from + ((sounding.to - sounding.from) * i) / length, sounding, i)
      }
      return samples
    },
  }
}

/** The flow of air in one opening of the vocal folds, which shut faster than they open (Rosenberg's pulse). */
function throat(phase: number): number {
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

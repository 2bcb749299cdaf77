// Primitives for drawing scenes. They use no text, since fonts may be missing, and no filters, which are slow at large sizes.

import { between, type Random } from '../../random.ts'

export interface Canvas {
  readonly width: number
  readonly height: number
  readonly random: Random
}

/** A stop of a gradient. */
type Stop = readonly [at: number, colour: string, opacity?: number]

const stopsOf = (stops: readonly Stop[]) =>
  stops.map(
    ([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  )

export const down = (id: string, ...stops: Stop[]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stopsOf(stops).join('')}</linearGradient>`

export const glow = (id: string, ...stops: Stop[]): string =>
  `<radialGradient id="${id}">${stopsOf(stops).join('')}</radialGradient>`

export const whole = ({ width, height }: Canvas, fill: string): string =>
  `<rect width="${width}" height="${height}" fill="${fill}"/>`

export const disc = (x: number, y: number, r: number, fill: string, opacity = 1): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" opacity="${n(opacity)}"/>`

export const shape = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}" opacity="${n(opacity)}"/>`

/** Formats a number with two decimals, to keep the SVG small. */
export const n = (value: number): string => String(Math.round(value * 100) / 100)

interface Ridge {
  /** Average height, as a share of the canvas. */
  readonly at: number
  /** Vertical range, as a share of the canvas. */
  readonly swing: number
  /** Number of hills in a square frame. */
  readonly hills: number
  /** From 0 (dunes) to 1 (mountains). */
  readonly rough: number
}

/** A path that encloses everything below a line of hills. */
export function ridge({ width, height, random }: Canvas, { at, swing, hills, rough }: Ridge): string {
  const waves = [0, 1, 2, 3, 4].map((octave) => ({
    pace: (hills * 2 ** octave * between(random, 0.85, 1.15) * 2 * Math.PI) / 1000,
    phase: between(random, 0, 2 * Math.PI),
    share: octave === 0 ? 1 : (0.25 + 0.3 * rough) ** octave,
  }))
  const crest = (x: number) => {
    const sum = waves.reduce(
      (total, { pace, phase, share }) => total + share * wave(x * pace + phase, rough),
      0,
    )
    return height * (at - (swing * sum) / 2)
  }
  const steps = Math.ceil(width / 8)
  const points = Array.from({ length: steps + 1 }, (_, i) => `${n(i * 8)} ${n(crest(i * 8))}`)
  return `M0 ${n(height)}L${points.join('L')}V${n(height)}Z`
}

/** A wave between a sine (rough = 0) and a triangle (rough = 1). */
const wave = (angle: number, rough: number): number =>
  (1 - rough) * Math.sin(angle) + (rough * 2 * Math.asin(Math.sin(angle))) / Math.PI

export const mix = (from: string, to: string, share: number): string => {
  const channel = (at: number) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16))
    return Math.round((a ?? 0) + ((b ?? 0) - (a ?? 0)) * share)
  }
  return `rgb(${channel(1)},${channel(3)},${channel(5)})`
}

// Small objects in the scenes: birds, boats, trees and balloons.

import { between } from '../../random.ts'
import { type Canvas, n, shape } from './svg.ts'

export function birds({ random }: Canvas, x: number, y: number, colour: string): string {
  const flock = Array.from({ length: 7 }, (_, i) => {
    const [bx, by, size] = [x + (i - 3) * 38, y + Math.abs(i - 2.5) * 20, between(random, 11, 18)]
    return `M${n(bx - size)} ${n(by - size * 0.4)}q${n(size * 0.6)} ${n(-size * 0.3)} ${n(size)} ${n(size * 0.4)}q${n(size * 0.4)} ${n(-size * 0.7)} ${n(size)} ${n(-size * 0.4)}`
  })
  return `<path d="${flock.join('')}" fill="none" stroke="${colour}" stroke-width="3.5" stroke-linecap="round" opacity="0.8"/>`
}

export const sail = (x: number, y: number, scale: number, colour: string): string =>
  `<g transform="translate(${n(x)} ${n(y)}) scale(${scale})">${shape('M-60 0h120l-22 24h-78ZM-4 -8V-150L58 -8ZM-12 -8V-128L-50 -8Z', colour)}</g>`

/** A pine whose foot is at `y`. */
export function pine(x: number, y: number, tall: number, colour: string): string {
  const tiers = [0, 1, 2, 3].map((i) => {
    const [top, foot, half] = [
      y - tall * (1 - i * 0.17),
      y - tall * (0.66 - i * 0.19),
      tall * (0.1 + i * 0.045),
    ]
    return `M${n(x)} ${n(top)}L${n(x + half)} ${n(foot)}H${n(x - half)}Z`
  })
  return shape(`${tiers.join('')}M${n(x - 3)} ${n(y - tall * 0.15)}h6V${n(y)}h-6Z`, colour)
}

/** @param colours the colours of the outer, middle and inner stripes */
export function balloon(x: number, y: number, r: number, colours: readonly [string, string, string]): string {
  const gore = (half: number) =>
    `M0 ${-r}C${n(half * 1.35)} ${-r} ${n(half * 1.3)} ${n(r * 0.35)} ${n(half * 0.18)} ${n(r * 1.18)}H${n(-half * 0.18)}C${n(-half * 1.3)} ${n(r * 0.35)} ${n(-half * 1.35)} ${-r} 0 ${-r}Z`
  const stripes = colours.map((colour, i) => shape(gore(r * (1 - i * 0.36)), colour))
  const ropes = `M${n(-r * 0.16)} ${n(r * 1.18)}l${n(r * 0.05)} ${n(r * 0.3)}M${n(r * 0.16)} ${n(r * 1.18)}l${n(-r * 0.05)} ${n(r * 0.3)}`
  const basket = `<rect x="${n(-r * 0.13)}" y="${n(r * 1.46)}" width="${n(r * 0.26)}" height="${n(r * 0.2)}" rx="${n(r * 0.04)}" fill="#6b3e26"/>`
  return `<g transform="translate(${n(x)} ${n(y)})">${stripes.join('')}<path d="${ropes}" stroke="#6b3e26" stroke-width="${n(r * 0.025)}"/>${basket}</g>`
}

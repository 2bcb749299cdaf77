// The chart of a period: revenue as bars, the gateway's charges as a line, over hours, days or months.

import assert from 'node:assert/strict'
import { z } from 'zod'
import { decode } from '../media/decoders.ts'
import type { Kopecks } from '../money.ts'

const width = 960
const height = 480
const box = { left: 110, right: width - 30, top: 30, bottom: height - 60 }
const colours = { bar: '#3b82f6', line: '#f97316', grid: '#e3e7ee', zero: '#8a94a6' }

interface Step {
  readonly label: string
  readonly revenue: Kopecks
  readonly cost: Kopecks
}

export async function drawChart(steps: readonly Step[]): Promise<Buffer> {
  const svg = Buffer.from(chartSvg(steps))
  const picture = await decode('drawing', svg, z.instanceof(Buffer), { timeoutMs: 20_000 })
  assert(picture, 'the chart can be drawn')
  return picture
}

function chartSvg(steps: readonly Step[]): string {
  const bars = steps.map(({ revenue }) => roubles(revenue))
  const points = steps.map(({ cost }) => roubles(cost))
  const scale = scaleOf([...bars, ...points])
  const up = (value: number) =>
    box.bottom - ((value - scale.min) / (scale.max - scale.min)) * (box.bottom - box.top)
  const step = (box.right - box.left) / Math.max(1, bars.length)
  const middle = (at: number) => box.left + (at + 0.5) * step
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#ffffff"/>
    ${gridOf(scale, up)}
    ${bars.map((value, at) => barOf(middle(at), step * 0.64, up(0), up(value))).join('')}
    ${lineOf(points.map((value, at) => [middle(at), up(value)] as const))}
    ${steps.map(({ label }, at) => (isShown(at, steps.length) ? drawLabel(label, middle(at)) : '')).join('')}
  </svg>`
}

/** An amount in roubles as a number, for drawing only. */
const roubles = (amount: Kopecks): number => Number(amount) / 100

interface Scale {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** About five steps of 1, 2 or 5 times a power of ten. Revenue is negative where refunds exceed sales. */
function scaleOf(values: readonly number[]): Scale {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const rough = Math.max(1, (top - bottom) / 5)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? power * 10
  const max = Math.max(step, Math.ceil(top / step) * step)
  return { min: Math.floor(bottom / step) * step, max, step }
}

function gridOf({ min, max, step }: Scale, up: (value: number) => number): string {
  const values = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, at) => min + at * step)
  return values
    .map((value) => {
      const y = up(value)
      const stroke = value === 0 ? colours.zero : colours.grid
      const line = `<path d="M${box.left} ${y}H${box.right}" stroke="${stroke}" stroke-width="2"/>`
      return line + drawNumber(inThousands(value, max), { x: box.left - 16, y, height: 15, align: 'end' })
    })
    .join('')
}

function barOf(x: number, wide: number, zero: number, top: number): string {
  const [y, tall] = top <= zero ? [top, zero - top] : [zero, top - zero]
  const size = `width="${wide.toFixed(1)}" height="${tall.toFixed(1)}"`
  return `<rect x="${(x - wide / 2).toFixed(1)}" y="${y.toFixed(1)}" ${size} rx="3" fill="${colours.bar}"/>`
}

function lineOf(points: readonly (readonly [number, number])[]): string {
  const path = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  const dots = points.map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="5"/>`).join('')
  const line = `<path d="${path}" fill="none" stroke="${colours.line}" stroke-width="4" stroke-linejoin="round"/>`
  return `${line}<g fill="${colours.line}">${dots}</g>`
}

const drawLabel = (label: string, x: number): string =>
  drawNumber(label, { x, y: box.bottom + 28, height: 15, align: 'middle' })

/** The text of a step of the scale; exact, since the steps are round. */
const inThousands = (value: number, max: number): string =>
  max < 100_000 || value === 0 ? String(value) : `${value / 1000}k`

/** Whether a label is shown: of more than 12 labels every third one, or fewer, since thirty would overlap. */
function isShown(at: number, count: number): boolean {
  const every = Math.max(3, Math.ceil(count / 20))
  return count <= 12 || at % every === (count - 1) % every
}

// Numbers drawn as strokes, since the machine may have no fonts.

/** SVG paths, each in a box of 4 × 6. */
const strokes: Readonly<Record<string, string>> = {
  '0': 'M0 0H4V6H0Z',
  '1': 'M1 1L2.5 0V6',
  '2': 'M0 0H4V3H0V6H4',
  '3': 'M0 0H4V6H0M1 3H4',
  '4': 'M0 0V3H4M4 0V6',
  '5': 'M4 0H0V3H4V6H0',
  '6': 'M4 0H0V6H4V3H0',
  '7': 'M0 0H4L2 6',
  '8': 'M0 0H4V6H0ZM0 3H4',
  '9': 'M4 3H0V0H4V6H0',
  '-': 'M0 3H3',
  k: 'M0 0V6M3.5 2L0 4.2L3.5 6',
}
const advance = 6

interface Position {
  readonly x: number
  readonly y: number
  readonly height: number
  readonly align: 'middle' | 'end'
}

/** @param text consists of digits, `-` and `k` @param position `y` is the vertical middle */
function drawNumber(text: string, { x, y, height, align }: Position): string {
  const scale = height / 6
  const width = (text.length * advance - 2) * scale
  const left = align === 'end' ? x - width : x - width / 2
  const glyphs = [...text].map(
    (glyph, at) => `<path d="${strokes[glyph] ?? ''}" transform="translate(${at * advance} 0)"/>`,
  )
  const at = `translate(${left.toFixed(1)} ${(y - height / 2).toFixed(1)}) scale(${scale.toFixed(3)})`
  return `<g transform="${at}" fill="none" stroke="#5b6472" stroke-width="0.9" stroke-linejoin="round" stroke-linecap="round">${glyphs.join('')}</g>`
}

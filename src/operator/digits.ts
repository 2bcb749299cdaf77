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
export function drawNumber(text: string, { x, y, height, align }: Position): string {
  const scale = height / 6
  const width = (text.length * advance - 2) * scale
  const left = align === 'end' ? x - width : x - width / 2
  const glyphs = [...text].map(
    (glyph, at) => `<path d="${strokes[glyph] ?? ''}" transform="translate(${at * advance} 0)"/>`,
  )
  const at = `translate(${left.toFixed(1)} ${(y - height / 2).toFixed(1)}) scale(${scale.toFixed(3)})`
  return `<g transform="${at}" fill="none" stroke="#5b6472" stroke-width="0.9" stroke-linejoin="round" stroke-linecap="round">${glyphs.join('')}</g>`
}

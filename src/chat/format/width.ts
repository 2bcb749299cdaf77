// The width of a text in a monospaced font: East Asian characters and emoji take two columns.

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const empty = /^[\p{M}\p{Cf}]+$/u
/** A fast path: one column per character. */
const plain = /^[\u0020-\u02ff\u0370-\u058f]*$/

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2
  return empty.test(grapheme) ? 0 : 1
}

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment)
  return width
}

/** The first position at or after `at` that splits no grapheme. */
export function graphemeStart(text: string, at: number): number {
  const lookaround = 256
  const from = Math.max(0, at - lookaround)
  const segment = graphemes.segment(text.slice(from, at + lookaround)).containing(at - from)
  if (!segment || from + segment.index === at) return at
  const end = from + segment.index + segment.segment.length
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end
}

/** The last position up to `end` that splits no grapheme; always after `start`. */
export function graphemeEnd(text: string, start: number, end: number): number {
  const lookahead = 64
  const segment = graphemes.segment(text.slice(start, end + lookahead)).containing(end - start)
  if (!segment) return end
  if (segment.index > 0) return start + segment.index
  // The grapheme is longer than a message: it is split, but not inside a surrogate pair.
  const isPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isPair && end - 1 > start ? end - 1 : end
}

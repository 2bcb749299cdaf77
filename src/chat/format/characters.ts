// Applies Telegram's own changes of characters in advance. Otherwise tabs would lose their width, and a text that becomes empty would be
// refused.

const lineEnds = /\r\n?|[\u2028\u2029]/g
/** Telegram deletes these. A letter with a ring above is kept when it is a single code point. */
const ringed = /\p{L}\u030a/gu
const deleted = /[\u202a-\u202e]|\u030a|\u0333|\u033f/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram replaces these by spaces.
const blanked = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g
const tabWidth = 4

/** Lone surrogates come from streams that were cut; line ends may be those of any system. */
export const normalized = (source: string): string => source.toWellFormed().replace(lineEnds, '\n')

export const shownText = (text: string): string =>
  text
    .replace(ringed, (letter) => letter.normalize('NFC'))
    .replace(deleted, '')
    .replace(blanked, ' ')

function withoutTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t')
  return rest.reduce((done, part) => done + ' '.repeat(tabWidth - (done.length % tabWidth)) + part, first)
}

export const shownCode = (code: string): string =>
  shownText(code.includes('\t') ? code.split('\n').map(withoutTabs).join('\n') : code)

/** Telegram refuses a text of only these characters as empty. */
const invisible = /^[\s\u180e\u200b-\u200f\u2800\ufeff\ufffc\u{e0000}-\u{e007f}]*$/u
export const isBlank = (text: string): boolean => invisible.test(text)

/** Telegram trims only spaces and line feeds. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && (text[at - 1] === ' ' || text[at - 1] === '\n')) at--
  return at
}

export function trimmedStart(text: string, start: number, end: number): number {
  let at = start
  while (at < end && (text[at] === ' ' || text[at] === '\n')) at++
  return at
}

/** The leading white space of a line, in columns and in characters. */
export function indentOf(line: string): { columns: number; length: number } {
  let columns = 0
  let length = 0
  for (; line[length] === ' ' || line[length] === '\t'; length++) {
    columns += line[length] === '\t' ? tabWidth - (columns % tabWidth) : 1
  }
  return { columns, length }
}

/** Removes leading white space up to `columns`; a tab that extends further leaves the remaining columns as spaces. */
export function outdented(line: string, columns: number): string {
  let at = 0
  let gone = 0
  for (; gone < columns && (line[at] === ' ' || line[at] === '\t'); at++) {
    gone += line[at] === '\t' ? tabWidth - (gone % tabWidth) : 1
  }
  return ' '.repeat(Math.max(0, gone - columns)) + line.slice(at)
}

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

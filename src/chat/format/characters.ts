// What Telegram does to the characters of a text, done before it: were it done after, tabs would lose their width and a text
// that looks full would be refused as empty.

const lineEnds = /\r\n?|[\u2028\u2029]/g
/** Telegram deletes these; a letter with a ring survives when it is one character. */
const ringed = /\p{L}\u030a/gu
const deleted = /[\u202a-\u202e]|\u030a|\u0333|\u033f/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what Telegram turns into spaces.
const blanked = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g
const tabWidth = 4

/** Half a character or a foreign line end can come from a model whose stream was cut. */
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

/** What Telegram takes for an empty message. */
const invisible = /^[\s\u180e\u200b-\u200f\u2800\ufeff\ufffc\u{e0000}-\u{e007f}]*$/u
export const isBlank = (text: string): boolean => invisible.test(text)

/** Spaces and line ends at the edges are all that Telegram trims. */
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

/** The width of the white space a line begins with, and how many characters it is. */
export function indentOf(line: string): { columns: number; length: number } {
  let columns = 0
  let length = 0
  for (; line[length] === ' ' || line[length] === '\t'; length++) {
    columns += line[length] === '\t' ? tabWidth - (columns % tabWidth) : 1
  }
  return { columns, length }
}

/** Without its first columns of white space, as far as it has them; a tab that reaches further leaves its rest. */
export function outdented(line: string, columns: number): string {
  let at = 0
  let gone = 0
  for (; gone < columns && (line[at] === ' ' || line[at] === '\t'); at++) {
    gone += line[at] === '\t' ? tabWidth - (gone % tabWidth) : 1
  }
  return ' '.repeat(Math.max(0, gone - columns)) + line.slice(at)
}

// The text of a plain text file, in the encodings that programs of our users write: UTF-8, UTF-16 with its mark, and Windows-1251, which the
// Russian Notepad calls ANSI.

/** Undefined unless the bytes are text. It can contain control characters. */
export function plainTextOf(bytes: Buffer): string | undefined {
  const marked = markedAs(bytes)
  return marked ? decoded(bytes, marked) : (decoded(bytes, 'utf-8') ?? russianText(bytes))
}

function markedAs(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Enough to tell a language. */
const sampleLength = 10_000
const russianWord = /(?<!\p{L})[а-яё]+(?!\p{L})/giu

/**
 * Any bytes are some text in Windows-1251, so it has to look like Russian: the letters beyond the English ones stand in words of Russian letters,
 * which are mostly small, and there are no control characters. Of other encodings of one byte hardly anything looks like that.
 */
function russianText(bytes: Buffer): string | undefined {
  const text = decoded(bytes, 'windows-1251')
  const sample = text?.slice(0, sampleLength) ?? ''
  const count = (pattern: RegExp) => (sample.match(pattern) ?? []).reduce((sum, one) => sum + one.length, 0)
  const inWords = count(russianWord) >= 0.9 * count(/[^\P{L}a-z]/giu)
  const isMostlySmall = count(/[а-яё]/g) > count(/[А-ЯЁ]/g)
  return inWords && isMostlySmall && count(/[^\P{Cc}\t\n\f\r]/gu) === 0 ? text : undefined
}

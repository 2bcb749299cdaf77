// Decodes plain text files: UTF-8, UTF-16 with a byte order mark, and Windows-1251, which the Russian Notepad calls ANSI.

/** Decodes a text file; undefined if the bytes are not text. The text can contain control characters. */
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

/** The number of characters that are examined. */
const sampleLength = 10_000
const russianWord = /(?<!\p{L})[а-яё]+(?!\p{L})/giu

/**
 * Almost any bytes can be decoded as Windows-1251, so the result must look like Russian: 90 % of the letters outside of a–z are in words
 * that consist of Russian letters, more letters are lower case than upper case, and no control characters occur. Text in other
 * single-byte encodings (Latin-1, KOI8-R, CP866) fails these conditions.
 */
function russianText(bytes: Buffer): string | undefined {
  const text = decoded(bytes, 'windows-1251')
  const sample = text?.slice(0, sampleLength) ?? ''
  const count = (pattern: RegExp) => (sample.match(pattern) ?? []).reduce((sum, one) => sum + one.length, 0)
  const inWords = count(russianWord) >= 0.9 * count(/[^\P{L}a-z]/giu)
  const isMostlySmall = count(/[а-яё]/g) > count(/[А-ЯЁ]/g)
  return inWords && isMostlySmall && count(/[^\P{Cc}\t\n\f\r]/gu) === 0 ? text : undefined
}

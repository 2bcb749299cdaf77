// Turns integers in JSON that a JavaScript number would round, such as ids, into strings. The time is linear in the length of the text.

/** Positive integers of many digits that are not part of another number. */
const longDigits = /(?<![\d.eE+-])\d{16,}(?![\d.eE])/g

export function withExactIntegers(json: string): string {
  let isInString = false
  let quote = json.indexOf('"')
  /** Whether a place is inside a string. Places must be passed in ascending order. */
  const isQuoted = (place: number): boolean => {
    while (quote >= 0 && quote < place) {
      if (!isInString || !isEscaped(json, quote)) isInString = !isInString
      quote = json.indexOf('"', quote + 1)
    }
    return isInString
  }
  return json.replaceAll(longDigits, (digits, place: number) =>
    isQuoted(place) || Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`,
  )
}

function isEscaped(json: string, place: number): boolean {
  let first = place
  while (json[first - 1] === '\\') first -= 1
  return (place - first) % 2 === 1
}

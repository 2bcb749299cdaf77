// Estimates how many tokens a text has; only the vendor can count them. For holds the number is on the safe side. For the bill of an
// answer whose usage was not reported it is calibrated by the family and the script.

import type { Family } from '../catalog/text-fields.ts'

/** An estimate that is not below the vendor's count: about four bytes per token for English, two letters for Russian, one for Chinese. */
export const mostTokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3.5)

type Script = 'latin' | 'cyrillic' | 'wide' | 'other'
type Counts = Readonly<Record<Script, number>>

const scripts: Readonly<Record<Exclude<Script, 'other'>, RegExp>> = {
  // Digits, spaces and punctuation belong to every script; a token takes about as many of them as of Latin letters.
  latin: /[\p{Script=Latin}\p{Script=Common}]/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
  wide: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
}

/** Characters of long texts per token, at the upper end of what vendors and users report: the count is not above the vendor's. */
const perToken: Readonly<Record<Family, Counts>> = {
  gpt: { latin: 4.7, cyrillic: 4, wide: 1.8, other: 3 },
  assistant: { latin: 4.2, cyrillic: 3, wide: 1.4, other: 2.4 },
  gemini: { latin: 4.4, cyrillic: 3.6, wide: 1.8, other: 3 },
  grok: { latin: 4.5, cyrillic: 3.4, wide: 1.6, other: 2.6 },
  deepseek: { latin: 4.4, cyrillic: 3.2, wide: 1.8, other: 2.4 },
  mistral: { latin: 4.4, cyrillic: 3.6, wide: 1.6, other: 2.8 },
  minimax: { latin: 4.4, cyrillic: 3.4, wide: 1.8, other: 2.6 },
}

function countsOf(text: string): Counts {
  const count = (script: RegExp) => text.match(script)?.length ?? 0
  const [latin, cyrillic, wide] = [count(scripts.latin), count(scripts.cyrillic), count(scripts.wide)]
  return { latin, cyrillic, wide, other: [...text].length - latin - cyrillic - wide }
}

function tokensBy(family: Family, counts: Counts): number {
  const { latin, cyrillic, wide, other } = perToken[family]
  return counts.latin / latin + counts.cyrillic / cyrillic + counts.wide / wide + counts.other / other
}

/** Rounded down, in favour of the user. */
export const tokensIn = (family: Family, text: string): number => Math.floor(tokensBy(family, countsOf(text)))

/**
 * The tokens of an answer whose usage was not reported: three quarters of our count, since only texts that nobody needs (`aaaa…`) have
 * fewer. A family that reports no usage is billed by the whole count, as all of its answers are billed by it.
 */
export const billedTokensIn = (family: Family, text: string): number =>
  Math.floor(tokensIn(family, text) * (family === 'gemini' ? 1 : 0.75))

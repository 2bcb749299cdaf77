// Estimates how many tokens a text has; only the vendor can count them. For holds the number is on the safe side. For the bill of an
// answer whose usage was not reported it is calibrated: by the family and the script, and for the answer itself by the reported usage of
// earlier answers of the same user.

import { and, desc, eq, gt } from 'drizzle-orm'
import type { Family } from '../catalog/text-fields.ts'
import type { Database } from '../db/client.ts'
import { turns } from '../db/schema.ts'
import { dayMs } from '../runtime/clock.ts'

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

/** The script of most letters, or Latin. */
function mainScript({ cyrillic, wide, other, latin }: Counts): Script {
  const most = Math.max(cyrillic, wide, other)
  // Spaces and punctuation count as Latin, and are a part of every text.
  if (most * 2 < latin) return 'latin'
  return most === cyrillic ? 'cyrillic' : most === wide ? 'wide' : 'other'
}

interface Sample {
  readonly text: string
  /** The number of tokens that the vendor counted. */
  readonly tokens: number
}

/** In our count: shorter answers say little about the vendor's. */
const leastSample = 20
/** With fewer answers the usual factor is used. */
const fewestSamples = 5
/**
 * Only texts that nobody needs (`aaaa…`) have fewer tokens, and usage above the most includes much that was not shown: hidden thinking,
 * calls of functions.
 */
const factors = { least: 0.75, most: 1.5 }

/** The least, except for a family that reports no usage: all of its answers are billed by this estimate. */
const usualFactor = (family: Family): number => (family === 'gemini' ? 1 : factors.least)

/** The vendor's count in relation to ours: the median of the samples in the main script of the text. */
export function factorBy(family: Family, text: string, samples: readonly Sample[]): number {
  const script = mainScript(countsOf(text))
  const alike = samples.flatMap(({ text: one, tokens }) => {
    const counts = countsOf(one)
    const ours = tokensBy(family, counts)
    return ours >= leastSample && mainScript(counts) === script ? [tokens / ours] : []
  })
  const median = alike.length < fewestSamples ? undefined : medianOf(alike)
  return Math.min(Math.max(median ?? usualFactor(family), factors.least), factors.most)
}

/** Of an even number the lower one, in favour of the user. */
const medianOf = (ratios: readonly number[]): number | undefined =>
  ratios.toSorted((a, b) => a - b)[Math.ceil(ratios.length / 2) - 1]

const mostSamples = 20
const recentMs = 30 * dayMs

/** The reported usage of the last whole answers of this model to this user. */
export async function samplesOf(
  db: Database,
  { userId, modelId, createdAt }: Pick<typeof turns.$inferSelect, 'userId' | 'modelId' | 'createdAt'>,
): Promise<Sample[]> {
  const isWhole = and(eq(turns.modelId, modelId), eq(turns.state, 'done'), eq(turns.isEstimate, false))
  const isRecent = gt(turns.createdAt, new Date(createdAt.getTime() - recentMs))
  const found = await db
    .select({ answer: turns.answer, thinking: turns.thinking, tokens: turns.outputTokens })
    .from(turns)
    .where(and(eq(turns.userId, userId), isWhole, isRecent))
    .orderBy(desc(turns.createdAt))
    .limit(mostSamples)
  return found.map(({ answer, thinking, tokens }) => ({ text: answer + thinking, tokens: tokens ?? 0 }))
}

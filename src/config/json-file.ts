// Parses JSON as operators write it: with `//` and `/* */` comments, and possibly with the byte order mark that some editors put before the
// text. A key that is written twice is reported as a mistake: JSON.parse would silently use the last value.

import { errorText } from '../catalog/issue-words.ts'

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly FileProblem[] }

export interface FileProblem {
  /** The place in the file, like `MODEL-VIDEO-REEL.multiplier`; empty for the whole file. */
  readonly place: string
  /** The mistake, and what to write instead. */
  readonly what: string
}

const wordsAndComments = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

export function parseCommentedJson(source: string): Parsed {
  // Comments become spaces, so that the positions in error messages stay right.
  const text = source
    .replace(/^\uFEFF/, '')
    .replaceAll(wordsAndComments, (token) =>
      token.startsWith('/') ? token.replaceAll(/[^\n]/g, ' ') : token,
    )
  try {
    const value: unknown = JSON.parse(text)
    const problems = repeatedKeys(text).map((place) => ({
      place,
      what: 'is written twice: remove one of them',
    }))
    return problems.length > 0 ? { ok: false, problems } : { ok: true, value }
  } catch (error) {
    return { ok: false, problems: [{ place: '', what: `this is not JSON: ${errorText(error)}` }] }
  }
}

/** An object or a list that has begun and not ended. */
interface Level {
  /** The keys of the object so far; undefined in a list. */
  readonly keys: Set<string> | undefined
  readonly path: string
  /** The key or the index of the value that is being read. */
  at: string
}

/** The paths of keys that an object has twice. @param text valid JSON without comments */
function repeatedKeys(text: string): string[] {
  const levels: Level[] = []
  return [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]/g)].flatMap(([token, words = '', colon]) => {
    const level = levels.at(-1)
    if (level && colon) return keyIn(level, String(JSON.parse(words)))
    move(levels, token)
    return []
  })
}

function move(levels: Level[], token: string): void {
  const level = levels.at(-1)
  const path = level ? pathOf(level) : ''
  if (token === '{') levels.push({ keys: new Set(), path, at: '' })
  if (token === '[') levels.push({ keys: undefined, path, at: '0' })
  if (token === '}' || token === ']') levels.pop()
  if (token === ',' && level && !level.keys) level.at = String(Number(level.at) + 1)
}

/** @returns the path of the key when the object has it already */
function keyIn(level: Level, key: string): string[] {
  const isRepeated = level.keys?.has(key) === true
  level.keys?.add(key)
  level.at = key
  return isRepeated ? [pathOf(level)] : []
}

const pathOf = ({ path, at }: Level): string => (path === '' ? at : `${path}.${at}`)

// Finds the task ids that a callback may name. The format of callbacks is not documented, so every place that can hold an id is
// searched: JSON at any depth, forms, query strings, plain text. The ids are only asked about, so wrong ones do no harm.

import { withExactIntegers } from '../runtime/text.ts'

export interface Candidate {
  readonly taskId: string
  /** How likely its place is to hold a task id; 0 is the most likely. */
  readonly rank: number
}

/** The most candidates that are taken from one callback. */
export const mostCandidates = 16
const mostDepth = 10
const mostValues = 4000
const longestId = 200

/** @returns the candidates, the most likely first, without duplicates, at most `mostCandidates` */
export const candidatesOf = (query: string, body: string): readonly Candidate[] =>
  candidatesIn([formOf(query), parsed(body)])

/** @param content any JSON value */
export const candidatesIn = (content: unknown): readonly Candidate[] =>
  best([...placesIn(content)].flatMap((place) => candidateAt(place) ?? []))

/** Sorts candidates by rank (in order of appearance within a rank), drops duplicates, and keeps at most `mostCandidates`. */
function best(candidates: readonly Candidate[]): readonly Candidate[] {
  const byTask = new Map<string, Candidate>()
  for (const one of candidates.toSorted((a, b) => a.rank - b.rank)) {
    if (!byTask.has(one.taskId)) byTask.set(one.taskId, one)
  }
  return [...byTask.values()].slice(0, mostCandidates)
}

/** Parses a body as JSON, else as a form; any other text is returned unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(withExactIntegers(text))
  } catch {
    if (text.startsWith('--')) return multipartOf(text)
    return text.includes('=') ? formOf(text) : text
  }
}

/** Parses a URL-encoded form into one object per field, since a field may occur more than once. */
const formOf = (text: string): unknown =>
  [...new URLSearchParams(text)].map(([name, value]) => fieldOf(name, value))

/** Makes nested objects of a form field named `data[task][id]` or `data.task.id`. */
function fieldOf(name: string, value: string): unknown {
  const path = name.split(/[[\].]+/, mostDepth).filter((key) => key !== '')
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

/** Parses the parts of `multipart/form-data`; the first line of the text is the boundary. */
function multipartOf(text: string): unknown {
  const [boundary = ''] = text.split(/\r?\n/, 1)
  return text.split(boundary, mostValues).map((part) => {
    const [, head = '', value = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(part) ?? []
    const [, name = ''] = /[; ]name="?([^";\r\n]{0,100})/.exec(head) ?? []
    return fieldOf(name, value.trim())
  })
}

interface Place {
  /** The key of the enclosing object; empty at the top. */
  readonly parent: string
  /** Elements of an array have the key of the array. */
  readonly key: string
  readonly value: unknown
}

/** Breadth first, so that the limits cut off the deepest places of a huge callback. */
function* placesIn(content: unknown): Generator<Place> {
  let level: Place[] = [{ parent: '', key: '', value: content }]
  let left = mostValues
  for (let depth = 0; depth < mostDepth && level.length > 0; depth += 1) {
    const next: Place[] = []
    for (const place of level) {
      const inside = childrenOf(place)
      if (!inside) yield place
      for (const child of inside ?? []) if (left-- > 0) next.push(child)
    }
    level = next
  }
}

function childrenOf({ parent, key, value: raw }: Place): readonly Place[] | undefined {
  const value = typeof raw === 'string' && /^\s*[[{]/.test(raw) ? parsed(raw) : raw
  if (Array.isArray(value)) return value.map((one: unknown) => ({ parent, key, value: one }))
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).map(([name, one]) => ({ parent: key, key: name, value: one }))
}

function candidateAt({ parent, key, value }: Place): Candidate | undefined {
  const rank = Math.min(rankOf(key), rankOf(parent + key))
  if (typeof value === 'number') {
    return rank < anyKey && Number.isSafeInteger(value) && value >= 0
      ? { taskId: `${value}`, rank }
      : undefined
  }
  if (typeof value !== 'string') return undefined
  const taskId = value.trim()
  return isId(taskId) && (rank < anyKey || looksOpaque(taskId)) ? { taskId, rank } : undefined
}

const anyKey = 4

function rankOf(name: string): number {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (/^tasks?((uu)?ids?)?$/.test(letters)) return 0
  if (/^(uu)?ids?$/.test(letters)) return 1
  if (/ids?$/.test(letters)) return 2
  return name === '' ? 3 : anyKey
}

/** Whether a text is usable as an id in the path of a request: `.` and `..` would change the path, and a URL is not an id. */
const isId = (text: string): boolean =>
  text.length <= longestId &&
  /^[^\s\p{C}"'<>{}[\]\\]+$/u.test(text) &&
  /[\p{L}\p{N}]/u.test(text) &&
  !text.includes('://')

/** Whether the value of a key that does not name an id may still be one: it is neither a word, nor a short number, nor a date. */
const looksOpaque = (text: string): boolean =>
  text.length >= 6 && /\d/.test(text) && !/^\d{4}-\d\d-\d\d/.test(text)

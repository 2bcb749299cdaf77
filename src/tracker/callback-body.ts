// Which task ids a callback may name. The shape of callbacks is not documented, so every place is searched that can hold an
// id: JSON at any depth, forms, query strings, texts. What is found is only asked about, so too much does no harm.

export interface Candidate {
  readonly taskId: string
  /** How much its place looks like that of a task id; 0 is the likeliest. */
  readonly rank: number
}

/** Of one callback. */
export const mostCandidates = 16
const mostDepth = 10
const mostValues = 4000
const longestId = 200

/** @returns the likeliest first, each once, at most `mostCandidates` */
export const candidatesOf = (query: string, body: string): readonly Candidate[] =>
  candidatesIn([formOf(query), parsed(body)])

/** @param told anything that JSON can say */
export const candidatesIn = (told: unknown): readonly Candidate[] =>
  best([...placesIn(told)].flatMap((place) => candidateAt(place) ?? []))

/** The likeliest first; of the same rank, what came first. */
export function best(candidates: readonly Candidate[]): readonly Candidate[] {
  const byTask = new Map<string, Candidate>()
  for (const one of candidates.toSorted((a, b) => a.rank - b.rank)) {
    if (!byTask.has(one.taskId)) byTask.set(one.taskId, one)
  }
  return [...byTask.values()].slice(0, mostCandidates)
}

/** JSON, else a form, else the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(withExactIntegers(text))
  } catch {
    return text.includes('=') ? formOf(text) : text
  }
}

/** One object for each field, since a field may come more than once. */
const formOf = (text: string): unknown =>
  [...new URLSearchParams(text)].map(([name, value]) => ({ [name]: value }))

/** Integers that a JavaScript number would round become strings. Each alternative always matches, so this takes linear time. */
const withExactIntegers = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\[\s\S]?)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^\d{16,}$/.test(token) ? `"${token}"` : token,
  )

interface Place {
  /** Of the object around it, empty at the top. */
  readonly parent: string
  /** What is in an array has the key of the array. */
  readonly key: string
  readonly value: unknown
}

/** Level by level, so that a huge callback is searched where it is shallow. */
function* placesIn(told: unknown): Generator<Place> {
  let level: Place[] = [{ parent: '', key: '', value: told }]
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

function childrenOf({ parent, key, value: told }: Place): readonly Place[] | undefined {
  const value = typeof told === 'string' && /^\s*[[{]/.test(told) ? parsed(told) : told
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

/** Something that can be asked about: `.` and `..` would change the path, and an address is no id. */
const isId = (text: string): boolean =>
  text.length <= longestId &&
  /^[^\s\p{C}"'<>{}[\]\\]+$/u.test(text) &&
  /[\p{L}\p{N}]/u.test(text) &&
  !text.includes('://')

/** Under a key that tells nothing: neither a word, nor a short number, nor a date. */
const looksOpaque = (text: string): boolean =>
  text.length >= 6 && /\d/.test(text) && !/^\d{4}-\d\d-\d\d/.test(text)

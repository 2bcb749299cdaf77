// Files that operators write as JSON: CATALOG_FILE and GATEWAY_WORDS_FILE. Comments (`//` and `/* */`) and a byte order mark are accepted. A
// key that is written twice is reported as a mistake: JSON.parse would silently use the last value.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { wrongSettings } from '../catalog/catalog.ts'
import { models } from '../catalog/index.ts'
import {
  type CatalogSettings,
  errorText,
  type ModelSettings,
  modelSettings,
  placeOf,
  whatToWrite,
} from '../catalog/settings.ts'
import { type TextModel, textModelList } from '../catalog/text-models.ts'
import { type OpenRequests, openRequests } from '../gateway/client.ts'
import { type StateWords, stateWords } from '../gateway/tasks.ts'
import { type RefusalWords, refusalWords } from '../sales/refusal-words.ts'

export interface FileProblem {
  /** The place in the file, like `MODEL-VIDEO-REEL.multiplier`; empty for the whole file. */
  readonly place: string
  /** The mistake, and what to write instead. */
  readonly what: string
}

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FileProblem[] }

const refused = (...what: readonly string[]) =>
  ({ ok: false, problems: what.map((one) => ({ place: '', what: one })) }) as const

const wordsAndComments = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/** @param unreadable what to write in place of a path that cannot be read */
function readCommentedJson(path: string, unreadable: string): Read<unknown> {
  const source = textOf(path)
  if (source === undefined) return refused(unreadable)
  // Comments become spaces, so that the positions in error messages stay right.
  const text = source
    .replace(/^\uFEFF/, '')
    .replaceAll(wordsAndComments, (token) =>
      token.startsWith('/') ? token.replaceAll(/[^\n]/g, ' ') : token,
    )
  try {
    const value: unknown = JSON.parse(text)
    const twice = repeatedKeys(text).map((place) => ({ place, what: 'is written twice: remove one of them' }))
    return twice.length > 0 ? { ok: false, problems: twice } : { ok: true, value }
  } catch (error) {
    return refused(`this is not JSON: ${errorText(error)}`)
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** An object or a list that has begun and not ended: the keys so far, and the key or the index of the present value. */
interface Level {
  readonly keys: Set<string>
  at: string | number
}

/** The paths of keys that an object has twice. @param text valid JSON without comments */
function repeatedKeys(text: string): string[] {
  const levels: Level[] = []
  return [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]/g)].flatMap(([token, words = '', colon]) => {
    const level = levels.at(-1)
    if (!level || !colon) return move(levels, token)
    level.at = String(JSON.parse(words))
    const isRepeated = level.keys.has(level.at)
    level.keys.add(level.at)
    return isRepeated ? [levels.map(({ at }) => at).join('.')] : []
  })
}

function move(levels: Level[], token: string): [] {
  const level = levels.at(-1)
  if (token === '{') levels.push({ keys: new Set(), at: '' })
  if (token === '[') levels.push({ keys: new Set(), at: 0 })
  if (token === '}' || token === ']') levels.pop()
  if (token === ',' && typeof level?.at === 'number') level.at += 1
  return []
}

// Reads GATEWAY_WORDS_FILE: what statuses and words of the gateway mean, and what its document leaves open about requests. Each list that it
// has replaces the built-in one.

interface GatewayWords {
  readonly refusals: RefusalWords
  readonly states: StateWords
  readonly requests: OpenRequests
}

const file = z
  .strictObject({
    ...refusalWords.shape,
    states: stateWords.default({}),
    requests: openRequests.prefault({}),
  })
  .transform(({ states, requests, ...refusals }): GatewayWords => ({ refusals, states, requests }))

export const usualGatewayWords: GatewayWords = file.parse({})

export function readGatewayWords(path: string): Read<GatewayWords> {
  const json = readCommentedJson(path, 'write the path of a readable file')
  if (!json.ok) return json
  const { data, error } = file.safeParse(json.value)
  return data ? { ok: true, value: data } : { ok: false, problems: problemsOf(error) }
}

// Reads CATALOG_FILE, for the app and for `npm run catalog`, and reports everything that is wrong in it at once.

interface CatalogFile {
  readonly models: CatalogSettings
  readonly textModels: readonly TextModel[]
}

export const noCatalogFile: CatalogFile = { models: {}, textModels: [] }

/** Every key except `textModels` is the id of a model. */
const outline = z.record(z.string(), z.unknown(), { error: 'write an object in { }, by the ids of models' })

export function readCatalogFile(path: string): Read<CatalogFile> {
  const parsed = readCommentedJson(path, 'write the path of a readable file with the catalog')
  if (!parsed.ok) return parsed
  const all = outline.safeParse(parsed.value)
  return all.success ? check(all.data) : refused(...all.error.issues.map(whatToWrite))
}

/** Each model is checked by itself, so that a mistake in one does not hide those of the others. */
function check({ textModels = [], ...entries }: Record<string, unknown>): Read<CatalogFile> {
  const texts = textModelList.safeParse(textModels)
  const parsed = Object.entries(entries).map(([id, entry]) => ({ id, ...modelSettings.safeParse(entry) }))
  const valid = Object.fromEntries(
    parsed.flatMap(({ id, data }): [string, ModelSettings][] => (data ? [[id, data]] : [])),
  )
  const problems = [
    ...parsed.flatMap(({ id, error }) => problemsOf(error, [id])),
    ...wrongSettings(models, valid).map(({ id, what }) => ({ place: id, what })),
    ...problemsOf(texts.error, ['textModels']),
  ]
  if (problems.length > 0 || !texts.success) return { ok: false, problems }
  return { ok: true, value: { models: valid, textModels: texts.data } }
}

const problemsOf = (error: z.ZodError | undefined, prefix: readonly string[] = []): FileProblem[] =>
  (error?.issues ?? []).map((issue) => ({
    place: placeOf([...prefix, ...issue.path]),
    what: whatToWrite(issue),
  }))

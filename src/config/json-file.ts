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

/** @param unreadable what to write in place of a path that cannot be read */
function readCommentedJson(path: string, unreadable: string): Parsed {
  try {
    return parseCommentedJson(readFileSync(path, 'utf8'))
  } catch {
    return { ok: false, problems: [{ place: '', what: unreadable }] }
  }
}

function parseCommentedJson(source: string): Parsed {
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

// Reads GATEWAY_WORDS_FILE: what statuses and words of the gateway mean, and what its document leaves open about requests. Each list that it
// has replaces the built-in one.

export interface GatewayWords {
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

type Read =
  | { readonly ok: true; readonly words: GatewayWords }
  | { readonly ok: false; readonly problems: readonly FileProblem[] }

export function readGatewayWords(path: string): Read {
  const json = readCommentedJson(path, 'write the path of a readable file')
  if (!json.ok) return json
  const { data, error } = file.safeParse(json.value)
  return data ? { ok: true, words: data } : { ok: false, problems: problemsOf(error) }
}

// Reads CATALOG_FILE, for the app and for `npm run catalog`, and reports everything that is wrong in it at once.

export interface CatalogFile {
  readonly models: CatalogSettings
  readonly textModels: readonly TextModel[]
}

type CatalogRead =
  | { readonly ok: true; readonly file: CatalogFile }
  | { readonly ok: false; readonly problems: readonly FileProblem[] }

export const noCatalogFile: CatalogFile = { models: {}, textModels: [] }

/** Every key except `textModels` is the id of a model. */
const outline = z.record(z.string(), z.unknown(), { error: 'write an object in { }, by the ids of models' })

export function readCatalogFile(path: string): CatalogRead {
  const parsed = readCommentedJson(path, 'write the path of a readable file with the catalog')
  if (!parsed.ok) return parsed
  const all = outline.safeParse(parsed.value)
  return all.success ? check(all.data) : refused(...all.error.issues.map(whatToWrite))
}

const refused = (...what: readonly string[]): CatalogRead => ({
  ok: false,
  problems: what.map((one) => ({ place: '', what: one })),
})

/** Each model is checked by itself, so that a mistake in one does not hide those of the others. */
function check({ textModels = [], ...entries }: Record<string, unknown>): CatalogRead {
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
  return { ok: true, file: { models: valid, textModels: texts.data } }
}

const problemsOf = (error: z.ZodError | undefined, prefix: readonly string[] = []): FileProblem[] =>
  (error?.issues ?? []).map((issue) => ({
    place: placeOf([...prefix, ...issue.path]),
    what: whatToWrite(issue),
  }))

// Reads GATEWAY_WORDS_FILE: what statuses and words of the gateway mean. Each list that it has replaces the built-in one.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { placeOf, whatToWrite } from '../catalog/issue-words.ts'
import { type StateWords, stateWords } from '../gateway/status.ts'
import { type RefusalWords, refusalWords } from '../sales/refusal-words.ts'
import { type FileProblem, parseCommentedJson } from './json-file.ts'

export interface GatewayWords {
  readonly refusals: RefusalWords
  readonly states: StateWords
}

const file = z
  .strictObject({ ...refusalWords.shape, states: stateWords.default({}) })
  .transform(({ states, ...refusals }): GatewayWords => ({ refusals, states }))

export const usualGatewayWords: GatewayWords = file.parse({})

type Read =
  | { readonly ok: true; readonly words: GatewayWords }
  | { readonly ok: false; readonly problems: readonly FileProblem[] }

export function readGatewayWords(path: string): Read {
  const source = read(path)
  if (source === undefined)
    return { ok: false, problems: [{ place: '', what: 'write the path of a readable file' }] }
  const json = parseCommentedJson(source)
  if (!json.ok) return json
  const { data, error } = file.safeParse(json.value)
  if (data) return { ok: true, words: data }
  return {
    ok: false,
    problems: error.issues.map((issue) => ({ place: placeOf(issue.path), what: whatToWrite(issue) })),
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

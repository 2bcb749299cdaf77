// Reads CATALOG_FILE, for the app and for `npm run catalog`, and reports everything that is wrong in it at once.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { wrongSettings } from '../catalog/check.ts'
import { models } from '../catalog/index.ts'
import { placeOf, whatToWrite } from '../catalog/issue-words.ts'
import { type CatalogSettings, type ModelSettings, modelSettings } from '../catalog/settings.ts'
import { type TextModel, textModelList } from '../catalog/text-models.ts'
import { type FileProblem, parseCommentedJson } from './json-file.ts'

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
  const source = read(path)
  if (source === undefined) return refused('write the path of a readable file with the catalog')
  const parsed = parseCommentedJson(source)
  if (!parsed.ok) return parsed
  const all = outline.safeParse(parsed.value)
  return all.success ? check(all.data) : refused(...all.error.issues.map(whatToWrite))
}

const refused = (...what: readonly string[]): CatalogRead => ({
  ok: false,
  problems: what.map((one) => ({ place: '', what: one })),
})

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

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

const problemsOf = (error: z.ZodError | undefined, prefix: readonly string[]): FileProblem[] =>
  (error?.issues ?? []).map((issue) => ({
    place: placeOf([...prefix, ...issue.path]),
    what: whatToWrite(issue),
  }))

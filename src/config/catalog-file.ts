// Reads CATALOG_FILE, for the app and for `npm run catalog`.

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type CatalogSettings, catalogSettings } from '../catalog/settings.ts'
import { type TextModel, textModelList } from '../catalog/text-models.ts'

export interface CatalogFile {
  readonly models: CatalogSettings
  readonly textModels: readonly TextModel[]
}

/** Every key except `textModels` is the id of a model. */
const shape = z.looseObject({ textModels: textModelList.default([]) })

/** @throws Error whose message says what to do */
export function readCatalogFile(path: string): CatalogFile {
  const content = read(path)
  try {
    const { textModels, ...models } = shape.parse(JSON.parse(content))
    return { models: catalogSettings.parse(models), textModels }
  } catch (error) {
    throw new Error(`correct the file ${path} (${why(error)})`)
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`write the path of a readable JSON catalog file (${why(error)})`)
  }
}

const why = (error: unknown): string =>
  error instanceof z.ZodError ? z.prettifyError(error).replaceAll(/\n\s*/g, ' ') : String(error)

// Files that came with a command, or whose use was chosen, as answers of a model.

import type { Attachment } from '../catalog/attachment.ts'
import type { Answers, MediaField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import type { Refusal } from './answer.ts'
import { attach } from './attach.ts'
import { fitAnswers, isPossible } from './fit.ts'
import { framesFor, takesFrames } from './keyframes.ts'

/** What files become: one file goes into the first field that takes it; pictures become the frames of a video in their order, or references. */
export type FileUse = 'one' | 'frames' | 'references'

export type Placed =
  | { readonly ok: true; readonly answers: Answers }
  /** Without a reason, no field takes such files. */
  | { readonly ok: false; readonly because?: { readonly refusal: Refusal; readonly field: MediaField } }

/** @param canLink whether the gateway can fetch files from our server */
export function placeFiles(
  model: Model,
  files: readonly Attachment[],
  as: FileUse,
  canLink: boolean,
): Placed {
  const fields = model.fields
    .filter((field) => field.kind === 'media')
    .filter(({ via }) => via === 'data' || canLink)
  const [file] = files
  if (!file) return { ok: true, answers: {} }
  if (as === 'one') return placeOne(model, fields, file)
  const answers = as === 'frames' ? frames(fields, files) : references(fields, files)
  const isWhole = Object.values(answers).reduce((sum, { length }) => sum + length, 0) === files.length
  const isFit = Object.keys(fitAnswers(model, answers)).length === Object.keys(answers).length
  return isWhole && isFit ? { ok: true, answers } : { ok: false }
}

function placeOne(model: Model, fields: readonly MediaField[], file: Attachment): Placed {
  const field = fields.find((one) => one.media[0] === file.medium && isPossible(model, one, {}))
  if (!field) return { ok: false }
  const read = attach(field, undefined, file)
  return read.ok
    ? { ok: true, answers: { [field.name]: read.answer } }
    : { ok: false, because: { refusal: read.refusal, field } }
}

type Files = Readonly<Record<string, readonly Attachment[]>>

function frames(fields: readonly MediaField[], files: readonly Attachment[]): Files {
  const ends = { first: files[0], between: files.slice(1, -1), last: files.at(-1) }
  const taken = fields.filter(takesFrames).map((field) => [field.name, framesFor(field, ends)] as const)
  return Object.fromEntries(taken.filter(([, pictures]) => pictures.length > 0))
}

function references(fields: readonly MediaField[], files: readonly Attachment[]): Files {
  for (const field of fields.filter(({ max, caption }) => max > 1 && caption !== 'frame')) {
    const taken = files.every((file) => attach(field, undefined, file).ok) && files.length <= field.max
    if (taken && field.fits(files)) return { [field.name]: files }
  }
  return {}
}

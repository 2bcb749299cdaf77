// Adds a file that was sent in answer to a field to the files before it, or refuses it with a reason.

import { type Attachment, isTakenPicture } from '../catalog/attachment.ts'
import type { Answer, MediaField } from '../catalog/field.ts'
import { maxFileBytes, maxInlineBytes } from '../catalog/media.ts'
import { type Read, type Refusal, refuse } from './answer.ts'

const megabyte = 1024 * 1024

/** The words that name a frame in a caption, in lower case, and the note that each stands for. */
export type FrameWords = ReadonlyMap<string, 'first' | 'last'>
const noFrameWords: FrameWords = new Map()

/** @param caption the text under the file */
export function attach(
  field: MediaField,
  current: Answer | undefined,
  sent: Attachment,
  caption = '',
  frameWords = noFrameWords,
): Read {
  const refusal = refusalOf(field, sent)
  if (refusal) return refuse(refusal)
  const before: readonly Attachment[] = Array.isArray(current) && field.max > 1 ? current : []
  if (before.length >= field.max) return refuse({ reason: 'too-many-files', max: field.max })
  const note = noteOf(field, before, caption, frameWords)
  if (note === null) return refuse({ reason: 'bad-frame' })
  const answer = [...before, note === undefined ? sent : { ...sent, note }]
  return field.fits(answer) ? { ok: true, answer } : refuse({ reason: 'files-do-not-fit' })
}

function refusalOf(
  field: MediaField,
  { medium, mime, bytes = 0, seconds = 0, width, height }: Attachment,
): Refusal | undefined {
  const maxBytes = field.via === 'data' ? maxInlineBytes : maxFileBytes
  const { maxSeconds = Number.POSITIVE_INFINITY, minPixels = 0 } = field
  if (!field.media.includes(medium)) return { reason: `needs-${field.media[0] ?? medium}` }
  if (medium === 'image' && !isTakenPicture(mime)) return { reason: 'picture-format' }
  if (bytes > maxBytes) return { reason: 'file-too-large', max: maxBytes / megabyte }
  if (seconds > maxSeconds) return { reason: 'file-too-long', max: maxSeconds }
  // Facts that cannot be read are left for the gateway to check.
  const pixels = width && height ? width * height : Number.POSITIVE_INFINITY
  return pixels < minPixels ? { reason: 'too-few-pixels', min: minPixels } : undefined
}

/** The note of a file; undefined if it has none, null for a caption that names no frame. */
function noteOf(
  field: MediaField,
  before: readonly Attachment[],
  caption: string,
  frameWords: FrameWords,
): string | undefined | null {
  const words = caption.trim().toLowerCase()
  if (field.caption === 'frame') {
    // When an answer is moved to another model, its notes are passed as captions: `first`, `last` or a number.
    if (words === '') return undefined
    return frameWords.get(words) ?? (/^(first|last|-1|\d{1,4})$/.test(words) ? words : null)
  }
  if (field.caption === 'tag') {
    // Pictures of one album share the caption of the first.
    return /@[\p{L}\p{N}_]{1,32}/u.exec(caption)?.[0] ?? before.at(-1)?.note
  }
  return undefined
}

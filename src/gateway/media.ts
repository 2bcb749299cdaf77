// Media generation: the answer is a task, or the results themselves. Source: gateway-api.md, "Task", "Synchronous image
// result" and "Synchronous speech result". Speech with `output_format` set has no shown shape; the usual ones are read.

import { type Answer, malformed } from './answer.ts'
import { audioMime, imageMime } from './bytes.ts'
import { type Files, filesIn } from './files.ts'
import type { Http } from './http.ts'
import { seedIn } from './seed.ts'
import { taskIdIn, taskIn } from './task-body.ts'

export type Created =
  /** A task was created; `seed` is that of a task with one result. */
  | { readonly kind: 'task'; readonly id: string; readonly seed: number | undefined }
  /** The answer contains the results, with at least one file. */
  | ({ readonly kind: 'done' } & Files)

export interface Media {
  /** @throws GatewayError; GatewayUnknownOutcome means that a task or a charge may exist. */
  create(path: string, body: Readonly<Record<string, unknown>>): Promise<Created>
}

const operation = 'create task'

export function createMedia(http: Http): Media {
  return {
    create: async (path, body) =>
      createdIn(await http.call({ operation, method: 'POST', path, body, making: true }), http),
  }
}

function createdIn(answer: Answer, { isOurs, stateWords }: Pick<Http, 'isOurs' | 'stateWords'>): Created {
  const { status, type, bytes } = answer
  const body = answer.json()
  const mime = isMedia(type) ? type : (mimeOf(bytes) ?? type)
  // JSON is never a file, whatever its label says, and a known beginning of a file needs no label.
  if (status === 200 && body === undefined && isFile(mime) && bytes.length > 0)
    return { kind: 'done', files: [{ bytes, mime }], results: 1 }
  const id = taskIdIn(body)
  const told = taskIn(body, stateWords)
  if (status !== 200 && id !== undefined) return { kind: 'task', id, seed: seedIn(body) }
  const isOver = told?.status === 'completed' || (status === 200 && !told?.status)
  const found = isOver ? filesIn(body, isOurs) : { files: [], results: 0 }
  if (found.results > 0) return { kind: 'done', ...found }
  // With HTTP 200 an `id` alone need not be the id of a task.
  if (told?.status && id !== undefined) return { kind: 'task', id, seed: seedIn(body) }
  throw malformed(operation, body)
}

/** XML without a label may be the error of a storage, so it is no picture. */
function mimeOf(bytes: Buffer): string | undefined {
  const mime = imageMime(bytes) ?? audioMime(bytes)
  return ['image/svg+xml', 'application/octet-stream'].includes(mime) ? undefined : mime
}

const isMedia = (type: string): boolean => /^(audio|image|video|model)\//.test(type)

const isFile = (type: string): boolean => isMedia(type) || /^application\/(octet-stream|zip)$/.test(type)

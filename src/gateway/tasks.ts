// Media generation: the answer is a task, or the results themselves. Source: gateway-api.md, "Task", "Synchronous image
// result" and "Synchronous speech result". Speech with `output_format` set has no shown shape; the usual ones are read.

import { z } from 'zod'
import { malformed, plainWords, wordsOf } from './errors.ts'
import { addressOf, audioMime, type Files, filesIn, imageMime, seedIn } from './files.ts'
import type { Answer, Http } from './http.ts'
import { looksFailed, type StateWords, statusNamed, type TaskStatus } from './status.ts'

export type Created =
  /** A task was created; `seed` is that of a task with one result. */
  | { readonly kind: 'task'; readonly id: string; readonly seed: number | undefined }
  /** The answer contains the results, with at least one file. */
  | ({ readonly kind: 'done' } & Files)

/** Sends a request that generates something. */
export async function createTask(
  http: Http,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Created> {
  return createdIn(await http.call({ operation: creating, method: 'POST', path, body, making: true }), http)
}

const creating = 'create task'

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
  throw malformed(creating, body)
}

/** XML without a label may be the error of a storage, so it is no picture. */
function mimeOf(bytes: Buffer): string | undefined {
  const mime = imageMime(bytes) ?? audioMime(bytes)
  return ['image/svg+xml', 'application/octet-stream'].includes(mime) ? undefined : mime
}

const isMedia = (type: string): boolean => /^(audio|image|video|model)\//.test(type)

const isFile = (type: string): boolean => isMedia(type) || /^application\/(octet-stream|zip)$/.test(type)

// The state of a task. Source: gateway-api.md, "Task (asynchronous job)" and "Task polling".

export interface GatewayTask {
  /** An unknown word counts as `processing`. */
  readonly status: TaskStatus
  /** The gateway's word for the state if its meaning is unknown. */
  readonly unknownStatus: string | undefined
  /** Whether that word, or words of an error beside it, look like the end of the task without a result. */
  readonly seemsFailed?: true
  /** Addresses of all files; can be empty even when the task is completed. */
  readonly urls: readonly string[]
  /** The number of results: each may have several files. */
  readonly results: number
  /** The seed of each result, if the answer has any. */
  readonly seeds?: Files['seeds']
  readonly error: string | undefined
  /** The public model id, if the answer has it. */
  readonly model: string | undefined
  /** When the gateway created the task, if the answer says it. */
  readonly created: Date | undefined
}

/**
 * The time of creation: seconds since 1970, as the specification says. Much larger numbers are milliseconds, much smaller ones are
 * ignored.
 */
const createdAt = z.coerce
  .number()
  .min(1e9)
  .max(1e14)
  .transform((told) => new Date(told < 1e11 ? told * 1000 : told))
const modelName = z.string().min(1)

export async function readTask(http: Http, id: string): Promise<GatewayTask> {
  const operation = 'read task'
  const path = `/v1/tasks/${encodeURIComponent(id)}`
  const body = (await http.call({ operation, method: 'GET', path })).json()
  const found = filesIn(body, http.isOurs)
  const told = taskIn(body, http.stateWords) ?? withoutStatus(body, found)
  if (!told) throw malformed(operation, body)
  return toTask(told, body, found)
}

/** An answer that has files and no state is a completed task. */
function withoutStatus(body: unknown, { results }: Files): TaskBody | undefined {
  const fields = object.safeParse(body).data
  return fields && results > 0 ? { word: 'completed', status: 'completed', fields } : undefined
}

/** The word for a state says more than that the task has failed: `Content Moderated`. */
const meaningfulWord = (word: string): string | undefined =>
  /^(failed|failure|fail|error|cancell?ed)$/i.test(word) ? undefined : plainWords(word)

function toTask(
  { status, word, fields }: TaskBody,
  body: unknown,
  { files, results, ...more }: Files,
): GatewayTask {
  const seemsFailed = !status && (looksFailed(word) || wordsOf({ error: fields.error }) !== undefined)
  const hasFailed = status === 'failed' || status === 'canceled' || seemsFailed
  return {
    status: status ?? 'processing',
    unknownStatus: status ? undefined : (plainWords(word)?.slice(0, 40) ?? '?'),
    ...(seemsFailed ? { seemsFailed } : {}),
    urls: files.map(addressOf),
    results,
    ...more,
    error:
      wordsOf({ error: fields.error }) ??
      (hasFailed ? (wordsOf(fields) ?? wordsOf(body) ?? meaningfulWord(word)) : undefined),
    // A wrong value in an optional field must not make the answer unreadable.
    model: modelName.safeParse(fields.model).data,
    created: createdAt.safeParse(fields.created).data,
  }
}

// Finds the parts of a task in an answer. gateway-api.md shows them at the top level; here they are also found inside `task`, `data` or a
// similar object, under other names and as numbers.

const object = z.record(z.string(), z.unknown())
type Fields = z.output<typeof object>

const wrappers = ['task', 'data', 'result', 'job', 'generation']

/** The objects that may be the task, the most likely first. */
function* tasksIn(body: unknown, depth = 2): Generator<Fields> {
  const fields = object.safeParse(body).data
  if (!fields) return
  yield fields
  for (const name of depth > 0 ? wrappers : [])
    if (fields[name] !== undefined) yield* tasksIn(fields[name], depth - 1)
}

interface TaskBody {
  /** The gateway's word for the state. */
  readonly word: string
  /** Undefined when the word is unknown. */
  readonly status: TaskStatus | undefined
  /** The object that has the state. */
  readonly fields: Fields
}

/** The task in an answer. An envelope may have a state of its own, so the innermost object with an id and a known state is preferred. */
function taskIn(body: unknown, words?: StateWords): TaskBody | undefined {
  const told = [...tasksIn(body)].flatMap((fields) => stateOf(fields, words) ?? [])
  const known = told.filter(({ status }) => status !== undefined)
  return known.findLast(({ fields }) => idOf(fields) !== undefined) ?? known[0] ?? told[0]
}

const stateKeys = ['status', 'state', 'task_status', 'taskStatus', 'job_status', 'jobStatus']

function stateOf(fields: Fields, words?: StateWords): TaskBody | undefined {
  const word = stateKeys.map((key) => fields[key]).find((one) => typeof one === 'string' && one)
  return typeof word === 'string' ? { word, status: statusNamed(word, words), fields } : undefined
}

/** The longest id: PostgreSQL indexes values of up to 2700 bytes. */
const longestId = 600
const id = z.union([z.string().min(1).max(longestId), z.int().nonnegative().transform(String)])
const idKeys = ['id', 'task_id', 'taskId', 'task_uuid', 'taskUUID', 'uuid', 'job_id', 'generation_id']

/** The task id in an answer: that of the object with the state, else the documented `id` at the top level, else the first one found. */
function taskIdIn(body: unknown): string | undefined {
  const inside = [...tasksIn(body)].flatMap((fields) => idOf(fields) ?? [])
  const told = taskIn(body)
  return (told && idOf(told.fields)) ?? inside[0]
}

function idOf(fields: Fields): string | undefined {
  for (const key of idKeys) {
    const { data } = id.safeParse(fields[key])
    if (data !== undefined) return data
  }
  return id.safeParse(fields.task).data
}

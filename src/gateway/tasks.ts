// Media generation: the answer is a task, or the results themselves; and the state of a task. Source: gateway-api.md, "Task", "Task
// polling", "Synchronous image result" and "Synchronous speech result". What has no shown shape is read as other gateways write it.

import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { mimeIn } from '../runtime/file-format.ts'
import { malformed, plainWords, wordsOf } from './errors.ts'
import {
  addressOf,
  anyMime,
  type Fields,
  type Files,
  fieldsOf,
  filesIn,
  fromBase64,
  fromHex,
  seedIn,
  wordIn,
} from './files.ts'
import type { Answer, Http } from './http.ts'

export type Created =
  /** A task was created; `seed` is that of a task with one result. */
  | { readonly kind: 'task'; readonly id: string; readonly seed: number | undefined }
  /** The answer contains the results, with at least one file. */
  | ({ readonly kind: 'done' } & Files)

/** How an answer is read. */
interface Reading {
  /** Words of the operator's gateway for the states of tasks. */
  readonly words: StateWords | undefined
  /** The field with the id of a result. */
  readonly resultId: string
  /** Whether a link leads to our own server. */
  isOurs(url: string): boolean
}

const creating = 'create task'

/** Sends a request that generates something. */
export async function createTask(
  http: Http,
  path: string,
  body: Readonly<Record<string, unknown>>,
  reading: Reading,
): Promise<Created> {
  const streamed = body.stream === true
  const answer = await http.call({ operation: creating, method: 'POST', path, body, making: true, streamed })
  return createdIn(http, answer, reading)
}

function createdIn(http: Http, answer: Answer, { isOurs, words, resultId }: Reading): Created {
  const { status, type, bytes } = answer
  const { sound, body } = bodyOf(http, answer)
  if (sound) return { kind: 'done', files: [{ bytes: sound, mime: mimeIn(sound) ?? anyMime }], results: 1 }
  const mime = isMedia(type) ? type : (mimeOf(bytes) ?? type)
  // JSON is never a file, whatever its label says, and a known beginning of a file needs no label.
  if (status === 200 && body === undefined && isFile(mime) && bytes.length > 0)
    return { kind: 'done', files: [{ bytes, mime }], results: 1 }
  const id = taskIdIn(body)
  const told = taskIn(body, words)
  if (status !== 200 && id !== undefined) return { kind: 'task', id, seed: seedIn(body) }
  const isOver = told?.status === 'completed' || (status === 200 && !told?.status)
  const found = isOver ? filesIn(body, isOurs, resultId) : { files: [], results: 0 }
  if (found.results > 0) return { kind: 'done', ...found }
  // With HTTP 200 an `id` alone need not be the id of a task.
  if (told?.status && id !== undefined) return { kind: 'task', id, seed: seedIn(body) }
  throw malformed(creating, body)
}

// Speech as a stream. gateway-api.md does not show its events: pieces of the sound are read in hexadecimal or base64, under usual names. A
// stream without labels is a binary body like any other.

const isStream = ({ type, bytes }: Answer): boolean =>
  type === 'text/event-stream' || /^\s*(data|event|id|retry):/.test(bytes.toString('latin1', 0, 100))

/** The JSON of an answer; of a stream its sound, or else its last event. */
function bodyOf(
  { secret }: Http,
  answer: Answer,
): { readonly sound?: Buffer | undefined; readonly body: unknown } {
  if (!isStream(answer)) return { body: answer.json() }
  const events = eventsIn(answer.text()).map((data) => secret.parse(data))
  return { sound: soundOf(events), body: events.findLast((event) => event !== undefined) }
}

function eventsIn(text: string): string[] {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  parser.feed(`${text}\n\n`)
  return events
}

/** The sound of all pieces. A last piece that repeats all before it is the whole sound once more. */
function soundOf(events: readonly unknown[]): Buffer | undefined {
  const pieces = events.flatMap((event) => pieceIn(event) ?? [])
  const last = pieces.pop()
  if (!last) return undefined
  const before = Buffer.concat(pieces)
  return last.equals(before) ? last : Buffer.concat([before, last])
}

function pieceIn(event: unknown): Buffer | undefined {
  const { data, audio, delta } = fieldsOf(event)
  const told = wordIn(audio, fieldsOf(data).audio, fieldsOf(audio).data, data, delta)
  return told === undefined ? undefined : (fromHex(told) ?? fromBase64(told))
}

/** XML without a label may be the error of a storage, so it is no picture. */
function mimeOf(bytes: Buffer): string | undefined {
  const mime = mimeIn(bytes)
  return mime === 'image/svg+xml' ? undefined : mime
}

const isMedia = (type: string): boolean => /^(audio|image|video|model)\//.test(type)

const isFile = (type: string): boolean => isMedia(type) || /^application\/(octet-stream|zip)$/.test(type)

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
  readonly facts?: Files['facts']
  readonly provider?: string
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

export async function readTask(
  http: Http,
  id: string,
  { words, isOurs, resultId }: Reading,
): Promise<GatewayTask> {
  const operation = 'read task'
  const path = `/v1/tasks/${encodeURIComponent(id)}`
  const body = (await http.call({ operation, method: 'GET', path })).json()
  const found = filesIn(body, isOurs, resultId)
  // An answer that has files and no state is a completed task.
  const isDone = found.results > 0 && !Array.isArray(body)
  const told =
    taskIn(body, words) ?? (isDone ? stateOf({ status: 'completed', ...fieldsOf(body) }) : undefined)
  if (!told) throw malformed(operation, body)
  return toTask(told, body, found)
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

const wrappers = ['task', 'data', 'result', 'job', 'generation']

/** The objects that may be the task, the most likely first. */
function* tasksIn(body: unknown, depth = 2): Generator<Fields> {
  const fields = fieldsOf(body)
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
  const word = wordIn(...stateKeys.map((key) => fields[key]))
  return word === undefined ? undefined : { word, status: statusNamed(word, words), fields }
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

// The words for the states. gateway-api.md names five; the words of other gateways for the same states are understood too.

const names = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const
type TaskStatus = (typeof names)[number]

const synonyms: readonly (readonly [TaskStatus, string])[] = [
  [
    'queued',
    'queued queueing pending submitted accepted created scheduled waiting enqueued inqueue notstarted new',
  ],
  [
    'processing',
    // The last three are of music: the lyrics, or the first of two tracks, are ready.
    'processing running inprogress started starting generating dreaming rendering working active moderating ' +
      'preparing uploading encoding postprocessing upscaling retrying textsuccess firstsuccess firstcomplete',
  ],
  ['completed', 'completed complete succeeded succeed success successful done finished ready'],
  [
    'failed',
    'failed fail failure error errored rejected expired timeout timedout contentmoderated moderated requestmoderated ' +
      'contentfiltered contentblocked blocked nsfw sensitivecontent sensitiveworderror contentpolicyviolation ' +
      'createtaskfailed generateaudiofailed generatefailed generationfailed taskfailed',
  ],
  ['canceled', 'canceled cancelled cancel aborted stopped revoked usercanceled usercancelled'],
]

/** Words of the operator's gateway, with their states. */
export const stateWords = z.record(
  z.string().transform(lettersOf).pipe(z.string().min(2, 'write a word of the gateway')),
  z.enum(names, { error: `write ${names.join(', ')}` }),
)
export type StateWords = z.output<typeof stateWords>

const statuses = new Map(
  synonyms.flatMap(([status, words]) => words.split(' ').map((word) => [word, status] as const)),
)

/** Case and separators do not matter: `IN_PROGRESS`, `in-progress`. */
function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}

/** The state that a word names; undefined for an unknown word. */
export function statusNamed(word: string, own: StateWords = {}): TaskStatus | undefined {
  const letters = lettersOf(word)
  return own[letters] ?? statuses.get(letters)
}

/**
 * Whether an unknown word looks like the end of a task: `UPLOAD_FAILED`, `Prompt rejected`. It may still be about one of its steps, so it
 * counts only after a few looks.
 */
export const looksFailed = (word: string): boolean =>
  /(fail(ed|ure)?|error(ed)?|exception|moderated|rejected|refused|denied|blocked|flagged|filtered|violation|invalid|cancell?(ed)?|aborted|terminated|killed|expired|timeout|timedout|banned|nsfw|deleted)$/.test(
    lettersOf(word),
  )

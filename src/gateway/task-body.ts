// Finds the parts of a task in an answer. gateway-api.md shows them at the top level; here they are also found inside `task`, `data` or a
// similar object, under other names and as numbers.

import { z } from 'zod'
import { type StateWords, statusNamed, type TaskStatus } from './status.ts'

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

export interface TaskBody {
  /** The gateway's word for the state. */
  readonly word: string
  /** Undefined when the word is unknown. */
  readonly status: TaskStatus | undefined
  /** The object that has the state. */
  readonly fields: Fields
}

/** The task in an answer. An envelope may have a state of its own, so the innermost object with an id and a known state is preferred. */
export function taskIn(body: unknown, words?: StateWords): TaskBody | undefined {
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
export function taskIdIn(body: unknown): string | undefined {
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

// The state of a task. Source: gateway-api.md, "Task (asynchronous job)" and "Task polling".

import { z } from 'zod'
import { malformed } from './answer.ts'
import { addressOf, type Files, filesIn } from './files.ts'
import type { Http } from './http.ts'
import { looksFailed, type TaskStatus } from './status.ts'
import { type TaskBody, taskIn } from './task-body.ts'
import { plainWords, wordsOf } from './words.ts'

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

export interface Tasks {
  /** @throws GatewayError */
  readTask(id: string): Promise<GatewayTask>
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

const operation = 'read task'

export function createTasks(http: Http): Tasks {
  return {
    async readTask(id) {
      const path = `/v1/tasks/${encodeURIComponent(id)}`
      const body = (await http.call({ operation, method: 'GET', path })).json()
      const found = filesIn(body, http.isOurs)
      const told = taskIn(body, http.stateWords) ?? withoutStatus(body, found)
      if (!told) throw malformed(operation, body)
      return toTask(told, body, found)
    },
  }
}

const object = z.record(z.string(), z.unknown())

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

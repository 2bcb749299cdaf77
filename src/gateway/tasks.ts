// The state of a task. Source: gateway-api.md, "Task (asynchronous job)" and "Task polling".

import { z } from 'zod'
import { isWebUrl, understand, wordsOf } from './answer.ts'
import type { Http } from './http.ts'

export interface GatewayTask {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled'
  /** Addresses of all artifacts; can be empty even when the task is completed. */
  readonly urls: readonly string[]
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

export const taskStatus = z.enum(['queued', 'processing', 'completed', 'failed', 'canceled'])
/** A wrong value in an optional field must not make the answer unreadable. */
const model = z.string().min(1).optional().catch(undefined)
/** Seconds since 1970, as the specification says. Much larger numbers are milliseconds, much smaller ones are ignored. */
const created = z.coerce
  .number()
  .min(1e9)
  .max(1e14)
  .transform((told) => new Date(told < 1e11 ? told * 1000 : told))
  .optional()
  .catch(undefined)
const task = z.object({
  status: taskStatus,
  data: z.array(z.unknown()).nullish(),
  error: z.unknown().optional(),
  model,
  created,
})
const fields = z.record(z.string(), z.unknown())

const operation = 'read task'

export function createTasks(http: Http): Tasks {
  return {
    async readTask(id) {
      const answer = await http.call({
        operation,
        method: 'GET',
        path: `/v1/tasks/${encodeURIComponent(id)}`,
      })
      return toTask(understand(operation, task, answer.json()))
    },
  }
}

function toTask({ status, data, error, model, created }: z.output<typeof task>): GatewayTask {
  const urls = (data ?? []).flatMap(addressesIn)
  return { status, urls, error: wordsOf({ error }), model, created }
}

/** The address of a result, and of subtitles in the same item. */
function addressesIn(item: unknown): string[] {
  if (typeof item === 'string') return isAddress(item) ? [item] : []
  const { url, ...others } = fields.safeParse(item).data ?? {}
  const beside = Object.entries(others).flatMap(([name, value]) => (/subtitle/i.test(name) ? [value] : []))
  return [url, ...beside].filter(isAddress)
}

/** A data URI contains the file itself. */
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && (isWebUrl(value) || /^data:[^,]{0,200},./.test(value))

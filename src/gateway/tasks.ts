// What has become of a task. Source: gateway-api.md, "Task (asynchronous job)" and "Task polling".

import { z } from 'zod'
import { isWebUrl, understand, wordsOf } from './answer.ts'
import type { Http } from './http.ts'

export interface GatewayTask {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled'
  /** Addresses of the artifacts, all that there are; may be empty even when completed, since gateways lie. */
  readonly urls: readonly string[]
  readonly error: string | undefined
  /** The public model id; not every answer has it. */
  readonly model: string | undefined
  /** When the gateway made the task; not every answer has it. */
  readonly created: Date | undefined
}

export interface Tasks {
  /** @throws GatewayError */
  readTask(id: string): Promise<GatewayTask>
}

export const taskStatus = z.enum(['queued', 'processing', 'completed', 'failed', 'canceled'])
/** What only helps to recognise a task must not make an answer unreadable. */
const model = z.string().min(1).optional().catch(undefined)
/** Seconds since 1970, as the specification says. What is far too large is milliseconds, what is far too small is no time. */
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

/** The address of a result, and of subtitles where they stand beside it instead of in an item of their own. */
function addressesIn(item: unknown): string[] {
  if (typeof item === 'string') return isAddress(item) ? [item] : []
  const { url, ...others } = fields.safeParse(item).data ?? {}
  const beside = Object.entries(others).flatMap(([name, value]) => (/subtitle/i.test(name) ? [value] : []))
  return [url, ...beside].filter(isAddress)
}

/** A file may be in its own address. */
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && (isWebUrl(value) || /^data:[^,]{0,200},./.test(value))

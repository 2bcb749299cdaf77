// The gateway over HTTP. Source: gateway-api.md, "Task (asynchronous job)" and "Task polling". Nothing is retried here:
// only the caller knows what is safe to repeat.

import { Agent, type Dispatcher, request } from 'undici'
import { z } from 'zod'
import {
  GatewayOutOfBalance,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from './errors.ts'

export interface GatewayTask {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled'
  /** Addresses of the artifacts; may be empty even when completed, since gateways lie. */
  readonly urls: readonly string[]
  readonly error: string | undefined
}

export interface Gateway {
  /** @throws GatewayError; GatewayUnknownOutcome means the task may exist. */
  createTask(path: string, body: Record<string, unknown>): Promise<{ id: string }>
  /** @throws GatewayError */
  readTask(id: string): Promise<GatewayTask>
  close(): Promise<void>
}

interface Settings {
  readonly baseUrl: string
  readonly key: string
  readonly timeoutMs?: number
}

const created = z.object({ id: z.string().min(1) })
const task = z.object({
  status: z.enum(['queued', 'processing', 'completed', 'failed', 'canceled']),
  data: z.array(z.unknown()).nullish(),
  error: z.unknown().optional(),
})
const artifact = z.object({ url: z.url({ protocol: /^https?$/ }) })
const errorBody = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) })

const bodyLimit = 4 * 1024 * 1024

export function createGateway({ baseUrl, key, timeoutMs = 60_000 }: Settings): Gateway {
  const dispatcher = new Agent({ connections: 64, maxResponseSize: bodyLimit, connect: { timeout: 10_000 } })
  const call = async (operation: string, method: Dispatcher.HttpMethod, path: string, body?: unknown) => {
    const answer = await send(operation, `${baseUrl}${path}`, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // Some gateways repeat the key in their refusals, and their words reach logs and users.
    return readAnswer(operation, { ...answer, text: answer.text.replaceAll(key, '***') })
  }
  return {
    async createTask(path, body) {
      const answer = await call('create task', 'POST', path, body)
      return understand('create task', created, answer)
    },
    async readTask(id) {
      const answer = await call('read task', 'GET', `/v1/tasks/${encodeURIComponent(id)}`)
      return toTask(understand('read task', task, answer))
    },
    close: () => dispatcher.close(),
  }
}

function toTask({ status, data, error }: z.output<typeof task>): GatewayTask {
  const urls = (data ?? []).flatMap((item) => artifact.safeParse(item).data?.url ?? [])
  return { status, urls, error: error == null ? undefined : wordsOf({ error }) }
}

type RequestOptions = NonNullable<Parameters<typeof request>[1]>

async function send(operation: string, url: string, options: RequestOptions) {
  try {
    const { statusCode, headers, body } = await request(url, options)
    return { status: statusCode, retryAfter: headers['retry-after'], text: await body.text() }
  } catch (error) {
    if (neverSent(error)) throw new GatewayUnavailable(operation, 'not reached', undefined, { cause: error })
    throw new GatewayUnknownOutcome(operation, 'no answer', { cause: error })
  }
}

const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function neverSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unsentCodes.has(String(error.code))
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | string[] | undefined
  readonly text: string
}

function readAnswer(operation: string, { status, retryAfter, text }: Answer): unknown {
  const body = parseJson(text)
  if (status >= 200 && status < 300) return body
  const said = wordsOf(body) ?? `HTTP ${status}`
  if (status === 401) throw new GatewayUnauthorised(operation, said)
  if (status === 402) throw new GatewayOutOfBalance(operation, said)
  if (status === 429 || status === 503) throw new GatewayUnavailable(operation, said, toMs(retryAfter))
  if (status >= 500) throw new GatewayUnknownOutcome(operation, said)
  throw new GatewayRefused(operation, status, said)
}

function understand<T>(operation: string, schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new GatewayUnknownOutcome(operation, 'the answer is not what the specification says', {
    cause: parsed.error,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wordsOf(body: unknown): string | undefined {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return undefined
  const { error } = parsed.data
  return (typeof error === 'string' ? error : error.message).slice(0, 500)
}

/** A hold must not wait for a day because the gateway says so. */
const longestRetryAfterMs = 5 * 60_000

function toMs(retryAfter: string | string[] | undefined): number | undefined {
  const seconds = Number(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter)
  const isPause = Number.isFinite(seconds) && seconds >= 0
  return isPause ? Math.min(seconds * 1000, longestRetryAfterMs) : undefined
}

// Requests to YooKassa's API, with our credentials and limits of time and size. Errors of the other side are returned, not thrown,
// and no result contains the secret key.

import { z } from 'zod'
import { Agent, request } from '../../runtime/undici.ts'
import type { Failure } from '../provider.ts'

type Answer<T> = { readonly is: 'answer'; readonly value: T } | Failure

export interface YookassaClient {
  get<T>(path: string, schema: z.ZodType<T>): Promise<Answer<T>>
  /** @param key idempotence key, which YooKassa remembers for a day */
  post<T>(path: string, key: string, body: object, schema: z.ZodType<T>): Promise<Answer<T>>
  close(): Promise<void>
}

/** A shop and its secret key. */
export interface Access {
  readonly shopId: string
  readonly secretKey: string
  readonly url: string
}

const maxBytes = 1024 * 1024

const apiError = z.object({
  code: z.string().default(''),
  description: z.string().default(''),
  parameter: z.string().default(''),
})

export function createYookassaClient({ shopId, secretKey, url }: Access, timeoutMs: number): YookassaClient {
  const basic = Buffer.from(`${shopId}:${secretKey}`).toString('base64')
  const hide = (text: string) => text.replaceAll(secretKey, '***').replaceAll(basic, '***')
  const dispatcher = new Agent({
    connections: 16,
    connect: { timeout: timeoutMs },
    maxResponseSize: maxBytes,
  })

  async function send<T>(
    path: string,
    schema: z.ZodType<T>,
    key?: string,
    body?: object,
  ): Promise<Answer<T>> {
    try {
      const answer = await request(url + path, {
        dispatcher,
        method: body ? 'POST' : 'GET',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotence-key': key }),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await answer.body.text()
      return answerFrom(answer.statusCode, parse(text), schema, hide)
    } catch (error) {
      return { is: 'unavailable', said: hide(messageOf(error)) }
    }
  }

  return {
    get: (path, schema) => send(path, schema),
    post: (path, key, body, schema) => send(path, schema, key, body),
    close: () => dispatcher.destroy(),
  }
}

/** After 202 (still processing), 429 (too many requests) and 5xx (the request may have been executed) the request may be repeated. */
function answerFrom<T>(
  status: number,
  body: unknown,
  schema: z.ZodType<T>,
  hide: (text: string) => string,
): Answer<T> {
  if (status === 200) {
    const value = schema.safeParse(body)
    if (value.success) return { is: 'answer', value: value.data }
    const where = value.error.issues[0]?.path.join('.') ?? ''
    return { is: 'unavailable', said: `the answer differs from the documented shape at "${where}"` }
  }
  const { code, description, parameter } = apiError.safeParse(body).data ?? apiError.parse({})
  const said = hide([String(status), code, description, parameter].filter(Boolean).join(' '))
  const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
  return { is: isFinal ? 'refused' : 'unavailable', said: said.slice(0, 500) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `${error.name} ${String(error.code)}` : `${error.name}: ${error.message}`
}

// Requests to the API of a payment provider, with its credentials and limits of time and size. Errors of the other side are returned, not
// thrown, and no result contains a secret.

import { z } from 'zod'
import { ceilKopecks, decimal } from '../money.ts'
import { Agent, request } from '../runtime/undici.ts'
import type { Answer } from './provider.ts'

type Headers = Readonly<Record<string, string>>

export interface ApiClient {
  get<T>(path: string, schema: z.ZodType<T>, headers?: Headers): Promise<Answer<T>>
  post<T>(path: string, body: object | undefined, schema: z.ZodType<T>, headers?: Headers): Promise<Answer<T>>
  close(): Promise<void>
}

export interface Api {
  readonly url: string
  /** The credentials. */
  readonly headers: Headers
  /** Replaced by stars in every result. */
  readonly secrets: readonly string[]
  /** What the body of a refusal says; by default all of it. */
  readonly wordsOf?: (body: unknown) => readonly string[]
}

/** The time limit of one request. */
const usualTimeoutMs = 8000
const maxBytes = 1024 * 1024

export function createApiClient(
  { url, headers, secrets, wordsOf = (body) => [JSON.stringify(body) ?? ''] }: Api,
  timeoutMs = usualTimeoutMs,
): ApiClient {
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
  const dispatcher = new Agent({
    connections: 16,
    connect: { timeout: timeoutMs },
    maxResponseSize: maxBytes,
  })

  async function send<T>(
    method: 'GET' | 'POST',
    path: string,
    schema: z.ZodType<T>,
    body?: object,
    more?: Headers,
  ): Promise<Answer<T>> {
    try {
      const answer = await request(url + path, {
        dispatcher,
        method,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/json', ...headers, ...more },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await answer.body.text()
      return answerFrom(answer.statusCode, parseJson(text), schema)
    } catch (error) {
      return { is: 'unavailable', said: hide(messageOf(error)) }
    }
  }

  /** After 202 (still processing), 429 (too many requests) and 5xx (the request may have been executed) the request may be repeated. */
  function answerFrom<T>(status: number, body: unknown, schema: z.ZodType<T>): Answer<T> {
    if (status === 200) {
      const value = schema.safeParse(body)
      if (value.success) return { is: 'answer', value: value.data }
      const where = value.error.issues[0]?.path.join('.') ?? ''
      return { is: 'unavailable', said: `the answer differs from the documented shape at "${where}"` }
    }
    const said = hide([String(status), ...wordsOf(body)].filter(Boolean).join(' '))
    const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
    return { is: isFinal ? 'refused' : 'unavailable', said: said.slice(0, 500) }
  }

  return {
    get: (path, schema, more) => send('GET', path, schema, undefined, more),
    post: (path, body, schema, more) => send('POST', path, schema, body, more),
    close: () => dispatcher.destroy(),
  }
}

/** Reads roubles that JSON has as a number or a text: `500`, `500.5`, `"500.00"`. An amount of parts of a kopeck is not one of ours. */
export const kopecksIn = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,12}(\.\d{1,2}0{0,8})?$/))
  .transform((text) => ceilKopecks(decimal(text)))

/** @returns undefined when the text is not JSON */
export function parseJson(text: string): unknown {
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

// A complete answer of the gateway, and the error that it means unless it is a success.

import { z } from 'zod'
import {
  GatewayMalformed,
  GatewayOutOfBalance,
  GatewayRateLimited,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
  GatewayUnknownOutcome,
} from './errors.ts'
import { plainWords, wordsOf } from './words.ts'

export interface Answer {
  readonly status: number
  /** The media type, without parameters. */
  readonly type: string
  readonly retryAfterMs: number | undefined
  readonly bytes: Buffer
  /** The body as text, with the key masked. */
  text(): string
  /** The body as JSON, with the key masked; undefined when it is not JSON. */
  json(): unknown
}

/** @throws GatewayError unless the status is a success */
export function assertDone(operation: string, answer: Answer): void {
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return
  const said = wordsIn(answer)
  const told = { status, said }
  const message = said ?? `HTTP ${status}`
  if (status === 401) throw new GatewayUnauthorised(operation, message, told)
  if (status === 402) throw new GatewayOutOfBalance(operation, message, told)
  if (status === 429) throw new GatewayRateLimited(operation, message, retryAfterMs, told)
  if (status === 503) throw new GatewayUnavailable(operation, message, retryAfterMs, told)
  if (status >= 500) throw new GatewayUnknownOutcome(operation, message, told)
  throw new GatewayRefused(operation, status, said)
}

/** The gateway's words in an answer. JSON that contains no words is not shown. */
function wordsIn({ type, text, json }: Answer): string | undefined {
  const body = json()
  if (body !== undefined) return wordsOf(body)
  return type === 'text/html' ? undefined : plainWords(text())
}

/** @throws GatewayMalformed */
export function understand<T>(operation: string, schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw malformed(operation, body, { cause: new Error(z.prettifyError(parsed.error)) })
}

export function malformed(operation: string, body: unknown, options?: ErrorOptions): GatewayMalformed {
  const said = wordsOf(body)
  const message = 'the answer is not what the specification says'
  const about = { ...options, said, isJson: body !== undefined }
  return new GatewayMalformed(operation, said ? `${message}: ${said}` : message, about)
}

export const isWebUrl = (text: string): boolean => z.url({ protocol: /^https?$/ }).safeParse(text).success

type Header = string | string[] | undefined

const first = (header: Header) => (Array.isArray(header) ? header[0] : header)

export const mediaType = (header: Header): string =>
  (first(header) ?? '').split(';', 1).join('').trim().toLowerCase()

/** A longer `Retry-After` is shortened, so that a hold does not last for a day. */
const longestRetryAfterMs = 5 * 60_000

export function retryAfterMs(header: Header): number | undefined {
  const text = first(header)?.trim()
  const seconds = text ? Number(text) : Number.NaN
  const isPause = Number.isFinite(seconds) && seconds >= 0
  return isPause ? Math.min(seconds * 1000, longestRetryAfterMs) : undefined
}

// Errors of the gateway. Messages contain the operation and the gateway's own message, never the key.

import { z } from 'zod'
import { wordsOf } from './words.ts'

/** What the gateway has said. */
interface Told {
  /** The HTTP status of the answer. */
  readonly status?: number
  /** The words of the answer. */
  readonly said?: string | undefined
}

export abstract class GatewayError extends Error {
  readonly operation: string
  readonly status: number | undefined
  readonly said: string | undefined
  constructor(operation: string, message: string, { status, said, ...options }: ErrorOptions & Told = {}) {
    super(`${operation}: ${message}`, options)
    this.operation = operation
    this.status = status
    this.said = said
  }
}

/** The gateway refused the request and would refuse it again. */
export class GatewayRefused extends GatewayError {
  override name = 'GatewayRefused'
  constructor(operation: string, status: number, said: string | undefined) {
    super(operation, `refused with ${status}${said === undefined ? '' : `: ${said}`}`, { status, said })
  }
}

/** Our key is missing, wrong or revoked. */
export class GatewayUnauthorised extends GatewayError {
  override name = 'GatewayUnauthorised'
}

/** Our account at the gateway has no money left. */
export class GatewayOutOfBalance extends GatewayError {
  override name = 'GatewayOutOfBalance'
}

/** Certainly not executed: refused connection, 429 or 503. Can be retried. */
export class GatewayUnavailable extends GatewayError {
  override name = 'GatewayUnavailable'
  readonly retryAfterMs: number | undefined
  constructor(operation: string, message: string, retryAfterMs?: number, options?: ErrorOptions & Told) {
    super(operation, message, options)
    this.retryAfterMs = retryAfterMs
  }
}

/** Rate limited. */
export class GatewayRateLimited extends GatewayUnavailable {
  override name = 'GatewayRateLimited'
}

/** The request was sent and no usable answer came back: it may or may not have been executed. */
export class GatewayUnknownOutcome extends GatewayError {
  override name = 'GatewayUnknownOutcome'
}

/** The answer differs from the specification: the request may or may not have been executed. */
export class GatewayMalformed extends GatewayUnknownOutcome {
  override name = 'GatewayMalformed'
  /** JSON comes from the gateway itself; anything else may be the page of a proxy in front of it. */
  readonly isJson: boolean
  constructor(
    operation: string,
    message: string,
    { isJson = false, ...options }: ErrorOptions & Told & { readonly isJson?: boolean } = {},
  ) {
    super(operation, message, options)
    this.isJson = isJson
  }
}

/**
 * Turns an error of the gateway into a value, for `catch`.
 * @throws every other error
 */
export function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  throw error
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

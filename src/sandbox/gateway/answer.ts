// Answers of the local gateway. Successes have the shapes of gateway-api.md, which does not show the shape of errors; here all
// of them are `{"error": {"message": "...", "type": "invalid_request_error", "code": "invalid_body"}}`.

import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** An answer as server-sent events. Their iterator may throw `ConnectionCut`. */
export interface StreamedAnswer extends Omit<Answer, 'body'> {
  readonly events: AsyncIterable<string>
}

/** Ends the connection in the middle of an answer. */
export class ConnectionCut extends Error {
  override name = 'ConnectionCut'
}

/** An error answer, thrown where a request is found to be wrong. */
export class GatewayRefusal extends Error {
  override name = 'GatewayRefusal'
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const bad = (message: string, code = 'invalid_body'): GatewayRefusal =>
  new GatewayRefusal(400, code, message)

/** @throws GatewayRefusal whose message names the wrong fields */
export function parsed<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { data, error } = schema.safeParse(body)
  if (!error) return data
  throw bad(
    error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; '),
  )
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_balance',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

export function json(status: number, body: unknown, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}

const gatewayPage =
  '<!doctype html><html><head><title>502</title></head><body><h1>Bad gateway</h1></body></html>'

export const htmlPage = (page = gatewayPage): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(page),
})

export function refused({ status, code, message, headers }: GatewayRefusal): Answer {
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return json(status, { error: { message, type, code } }, headers)
}

/** The error answer for a scripted fault. */
export function scriptedRefusal(status: number, description?: string, retryAfter?: number): GatewayRefusal {
  const message = description ?? STATUS_CODES[status] ?? 'Error'
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return new GatewayRefusal(status, `scripted_${status}`, message, headers)
}

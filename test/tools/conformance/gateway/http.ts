// Reads requests, and writes answers and errors in many shapes ("Error body shape: not shown").

import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { Personality } from './personality.ts'

const named = z.looseObject({ model: z.string() })

export type Body = z.output<typeof named>

/** @returns the JSON body of a request, which must name its model, or a description of the mistake */
export async function readBody(request: IncomingMessage): Promise<Body | string> {
  const bytes = await buffer(request)
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return 'the body is not JSON'
  try {
    const body = named.safeParse(JSON.parse(bytes.toString()))
    return body.success ? body.data : 'model is required'
  } catch {
    return 'the body is not JSON'
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) })

const shapes: Readonly<Record<Personality['errors'], (words: string) => { type: string; body: string }>> = {
  object: (message) => json({ error: { message, type: 'invalid_request_error', code: null } }),
  string: (error) => json({ error }),
  text: (body) => ({ type: 'text/plain; charset=utf-8', body }),
  html: (words) => ({
    type: 'text/html',
    body: `<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>${words}</h1><hr>edge</body></html>`,
  }),
  detail: (msg) => json({ detail: [{ loc: ['body'], msg, type: 'value_error' }] }),
  'detail string': (detail) => json({ detail }),
  array: (message) => json([{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]),
  strings: (words) => json({ errors: [words] }),
}

export function refuse(
  response: ServerResponse,
  shape: Personality['errors'],
  status: number,
  words: string,
): void {
  const { type, body } = shapes[shape](words)
  response.writeHead(status, { 'content-type': type }).end(body)
}

/** @returns the violations of a schema in one line; undefined if the body is valid */
export function problemOf(schema: z.ZodType, body: unknown): string | undefined {
  const result = schema.safeParse(body)
  if (result.success) return undefined
  const problems = result.error.issues.map((issue) => {
    const words = issue.code === 'unrecognized_keys' ? `Unknown name ${issue.keys.join(', ')}` : issue.message
    return issue.path.length > 0 ? `${issue.path.join('.')}: ${words}` : words
  })
  return problems.join('; ')
}

const notFetched = ['callBackUrl', 'webhookURL', 'callback_url', 'uploadEndpoint']

function addressesOf(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    notFetched.includes(name) ? [] : addressesOf(inner),
  )
}

/**
 * Fetches the addresses in a request, as a vendor does, since a vendor cannot use an address that it cannot fetch.
 * @returns the first address that cannot be fetched, with the reason; undefined if all can be fetched
 */
export async function unreachable(body: object): Promise<string | undefined> {
  for (const address of addressesOf(body)) {
    const status = await fetch(address).then(
      async (answer) => ((await answer.arrayBuffer()).byteLength > 0 ? answer.status : 204),
      () => 0,
    )
    if (status !== 200) return `${address} answers ${status}`
  }
  return undefined
}

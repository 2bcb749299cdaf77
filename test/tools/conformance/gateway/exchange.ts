// Reads HTTP requests and writes their answers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { Answer } from './errors.ts'

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

export function sendAnswer(response: ServerResponse, { status, type, body }: Answer) {
  response.writeHead(status, { 'content-type': type }).end(body)
}

/** @returns the violations of a schema in one line; undefined if the body is valid */
export function problemOf(schema: z.ZodType, body: unknown): string | undefined {
  const result = schema.safeParse(body)
  if (result.success) return undefined
  return result.error.issues
    .map((issue) => {
      const place = issue.path.join('.')
      const keys =
        issue.code === 'unrecognized_keys' ? `Unknown name ${issue.keys.join(', ')}` : issue.message
      return place ? `${place}: ${keys}` : keys
    })
    .join('; ')
}

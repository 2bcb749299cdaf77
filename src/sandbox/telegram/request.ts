// Reads the parameters of a request as the Bot API does: JSON, a urlencoded form, a multipart form with files, or a query string.

import type { IncomingMessage } from 'node:http'
import { readBody } from '../http.ts'
import { parseForm, type Upload } from './form.ts'
import { Refusal, refuse } from './refusal.ts'

export type { Upload } from './form.ts'

export interface RequestBody {
  params: Record<string, unknown>
  uploads: ReadonlyMap<string, Upload>
}

const nothing: RequestBody = { params: {}, uploads: new Map() }

/** Whether a text contains one half of a surrogate pair, which cannot be encoded in UTF-8. */
export function hasHalfCharacter(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHalfCharacter)
}

/**
 * Parameters from JSON. Null means a missing parameter. A body that is not an object has no parameters: telebot sends `null` with getMe.
 */
function jsonParams(body: Buffer): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return refuse("can't parse the request body as a JSON object")
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return {}
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null))
}

async function multipartBody(body: Buffer, contentType: string): Promise<RequestBody> {
  const { fields, uploads } = await parseForm(body, contentType).catch(() =>
    refuse("can't parse the multipart form"),
  )
  // A file in the field itself means the same as a reference to an attached file.
  const attached = [...uploads.keys()].map((name) => [name, `attach://${name}`])
  return { params: { ...Object.fromEntries(attached), ...fields }, uploads }
}

/** Parameters from a body; a body of an unknown type has none. */
export async function parseBody(body: Buffer, contentType: string): Promise<RequestBody> {
  const type = contentType.toLowerCase()
  if (body.length === 0) return nothing
  if (type.startsWith('multipart/form-data')) return multipartBody(body, contentType)
  if (type.startsWith('application/json')) return { ...nothing, params: jsonParams(body) }
  if (!type.startsWith('application/x-www-form-urlencoded')) return nothing
  return { ...nothing, params: Object.fromEntries(new URLSearchParams(body.toString('utf8'))) }
}

export async function parseRequest(req: IncomingMessage, url: URL): Promise<RequestBody> {
  const query = Object.fromEntries(url.searchParams)
  const bytes = await readBody(req).catch(() => {
    throw new Refusal(413, 'Request Entity Too Large')
  })
  const { params, uploads } = await parseBody(bytes, req.headers['content-type'] ?? '')
  return { params: { ...query, ...params }, uploads }
}

// Reads the parameters of a request: JSON, a query string, or a multipart form with files.

import type { IncomingMessage } from 'node:http'
import { readBody } from '../http.ts'
import { Refusal, refuse } from './refusal.ts'

export interface Upload {
  bytes: Buffer
  name: string
}

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

/** Parameters from JSON. Null means a missing parameter. */
function jsonParams(body: Buffer): Record<string, unknown> {
  const notJson = () => refuse("can't parse the request body as a JSON object")
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    return notJson()
  }
  if (typeof parsed !== 'object' || parsed === null) return notJson()
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null))
}

const unquotedName = /(\r\ncontent-disposition:form-data;name="[^"\r\n]*";filename=)([^"\r\n]+)(?=\r\n)/g

async function multipartBody(body: Buffer, contentType: string): Promise<RequestBody> {
  // grammY writes file names without quotes, and Telegram reads them up to the end of the line.
  const quoted = body.toString('latin1').replaceAll(unquotedName, '$1"$2"')
  const bytes = new Uint8Array(Buffer.from(quoted, 'latin1'))
  const received = new Response(bytes, { headers: { 'content-type': contentType } })
  const form = await received.formData().catch(() => refuse("can't parse the multipart form"))
  const params: Record<string, unknown> = {}
  const uploads = new Map<string, Upload>()
  for (const [name, value] of form) {
    // A file in the field itself means the same as a reference to an attached file.
    params[name] = typeof value === 'string' ? value : `attach://${name}`
    if (typeof value === 'string') continue
    uploads.set(name, { bytes: Buffer.from(await value.arrayBuffer()), name: value.name })
  }
  return { params, uploads }
}

/** Parameters from a body; a body of an unknown type has none. */
async function parseBody(body: Buffer, contentType: string): Promise<RequestBody> {
  const type = contentType.toLowerCase()
  if (body.length === 0) return nothing
  if (type.startsWith('multipart/form-data')) return multipartBody(body, contentType)
  if (type.startsWith('application/json')) return { ...nothing, params: jsonParams(body) }
  return nothing
}

export async function parseRequest(req: IncomingMessage, url: URL): Promise<RequestBody> {
  const query = Object.fromEntries(url.searchParams)
  const bytes = await readBody(req).catch(() => {
    throw new Refusal(413, 'Request Entity Too Large')
  })
  const { params, uploads } = await parseBody(bytes, req.headers['content-type'] ?? '')
  return { params: { ...query, ...params }, uploads }
}

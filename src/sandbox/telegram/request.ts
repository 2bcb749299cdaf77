// Reads the parameters of a request: JSON, a query string, or a multipart form with files.

import type { IncomingMessage } from 'node:http'
import { parseJson, readBody } from '../http.ts'
import { refuse } from './refusal.ts'

export interface Upload {
  bytes: Buffer
  name: string
}

export interface RequestBody {
  params: Record<string, unknown>
  uploads: ReadonlyMap<string, Upload>
}

/** Whether a text contains one half of a surrogate pair, which cannot be encoded in UTF-8. */
export function hasHalfCharacter(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHalfCharacter)
}

/** Parameters from JSON. Null means a missing parameter. */
function jsonParams(body: Buffer): Record<string, unknown> {
  const parsed = parseJson(body.toString('utf8'))
  if (typeof parsed !== 'object' || parsed === null)
    return refuse("can't parse the request body as a JSON object")
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

/** Parameters from the query and from a body; a body of an unknown type has none. */
export async function parseRequest(req: IncomingMessage, { searchParams }: URL): Promise<RequestBody> {
  const type = req.headers['content-type'] ?? ''
  const body = await readBody(req).catch(() => refuse('Request Entity Too Large', 413))
  const isOf = (family: string) => body.length > 0 && type.toLowerCase().startsWith(family)
  const form = isOf('multipart/form-data') ? await multipartBody(body, type) : undefined
  const params = isOf('application/json') ? jsonParams(body) : form?.params
  return { params: { ...Object.fromEntries(searchParams), ...params }, uploads: form?.uploads ?? new Map() }
}

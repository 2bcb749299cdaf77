// Reads the parameters of a request: JSON, a urlencoded form, a multipart form with files, or a query string.

import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { readBody } from '../http.ts'
import { Refusal, refuse } from './refusal.ts'

export interface Upload {
  bytes: Buffer
  name: string
  /** As the sender declared it, often `application/octet-stream`. */
  mime: string
}

export interface RequestBody {
  params: Record<string, unknown>
  uploads: ReadonlyMap<string, Upload>
}

const objectSchema = z.record(z.string(), z.unknown())

function parseJson(body: Buffer): Record<string, unknown> {
  try {
    return objectSchema.parse(JSON.parse(body.toString('utf8')))
  } catch {
    return refuse("can't parse the request body as a JSON object")
  }
}

async function parseMultipart(body: Buffer, type: string): Promise<RequestBody> {
  const params: Record<string, unknown> = {}
  const uploads = new Map<string, Upload>()
  const headers = { 'content-type': type }
  const form = await new Response(new Uint8Array(body), { headers })
    .formData()
    .catch(() => refuse("can't parse the multipart form"))
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      params[name] = value
      continue
    }
    const bytes = Buffer.from(await value.arrayBuffer())
    uploads.set(name, { bytes, name: value.name, mime: value.type })
    // A file in the field itself means the same as a reference to an attached file.
    params[name] ??= `attach://${name}`
  }
  return { params, uploads }
}

export async function parseRequest(req: IncomingMessage, url: URL): Promise<RequestBody> {
  const query = Object.fromEntries(url.searchParams)
  const body = await readBody(req).catch(() => {
    throw new Refusal(413, 'Request Entity Too Large')
  })
  const type = req.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) {
    const { params, uploads } = await parseMultipart(body, type)
    return { params: { ...query, ...params }, uploads }
  }
  const params = type.startsWith('application/json')
    ? body.length > 0
      ? parseJson(body)
      : {}
    : Object.fromEntries(new URLSearchParams(body.toString('utf8')))
  return { params: { ...query, ...params }, uploads: new Map() }
}

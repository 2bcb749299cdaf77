// Reads multipart forms as clients in many languages write them: unquoted, escaped, RFC 5987 and non-ASCII file names are understood.

import { Busboy, type BusboyHeaders } from '@fastify/busboy'

export interface Upload {
  bytes: Buffer
  name: string
  /** The type that the sender declared, often `application/octet-stream`. */
  mime: string
}

interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly uploads: ReadonlyMap<string, Upload>
}

/** Browsers and fetch write these three characters as percent escapes, and no others. */
const unescaped = (name: string): string =>
  name.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n')

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @throws Error when the body is not a form of this content type */
export async function parseForm(body: Buffer, contentType: string): Promise<Form> {
  const fields: Record<string, string> = {}
  const uploads = new Map<string, Upload>()
  const reading: Promise<void>[] = []
  const headers: BusboyHeaders = { 'content-type': contentType }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = new Busboy({ headers, preservePath: true, limits: { fieldSize: body.length + 1 } })
  parser.on('field', (name, value) => {
    fields[name] = value
  })
  parser.on('file', (name, stream, filename, _encoding, mime) => {
    const keep = (bytes: Buffer) => void uploads.set(name, { bytes, name: unescaped(filename ?? ''), mime })
    reading.push(bytesOf(stream).then(keep).catch(reject))
  })
  parser.once('finish', resolve)
  parser.once('error', reject)
  parser.end(body)
  await promise
  await Promise.all(reading)
  return { fields, uploads }
}

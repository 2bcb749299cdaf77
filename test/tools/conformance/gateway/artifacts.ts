// Stores artifacts, and answers the requests to their addresses.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { File } from './files.ts'
import type { Personality } from './personality.ts'

const signature =
  '?X-Sig=a%2Bb%2Fc%3D%3D&Expires=1999999999&response-content-disposition=attachment%3B%20filename%3D%22%D1%84.bin%22'

interface Stored {
  readonly file: File
  readonly address: Personality['address']
  readonly headers: Personality['headers']
}

export type Artifacts = ReturnType<typeof createArtifacts>

export function createArtifacts() {
  const stored = new Map<string, Stored>()

  return {
    /** Stores a file. @returns the path and query of its address */
    store(file: File, { address, headers }: Pick<Personality, 'address' | 'headers'>): string {
      const key = randomUUID()
      stored.set(key, { file, address, headers })
      const ending = /\.\w+$/.exec(file.name)?.[0] ?? ''
      if (address === 'plain') return `/cdn/${key}${ending}`
      if (address === 'redirect') return `/moved/${key}`
      return `/cdn/${key}${address === 'signed' ? signature : ''}`
    },

    /** Answers a request. @returns false if its path is not one of an artifact */
    answer({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
      const [, room, key = ''] = /^\/(cdn|moved|again)\/([\w-]{36})/.exec(url) ?? []
      const one = stored.get(key)
      if (!room || !one) return false
      if (room === 'moved') return redirect(response, 302, `http://${headers.host}/again/${key}`)
      if (room === 'again') return redirect(response, 307, `../cdn/${key}`)
      const isSigned = one.address === 'signed'
      // Like object storage, this refuses a changed query and a second way of authentication.
      if (isSigned && (!url.endsWith(signature) || headers.authorization)) return forbid(response)
      send(response, one)
      return true
    },
  }
}

function redirect(response: ServerResponse, status: number, location: string): true {
  response.writeHead(status, { location }).end()
  return true
}

function forbid(response: ServerResponse): true {
  response
    .writeHead(403, { 'content-type': 'application/xml' })
    .end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
  return true
}

function headersOf({ file, headers }: Stored): Record<string, string | number> {
  const { type, name, bytes } = file
  const length = { 'content-length': bytes.length }
  if (headers === 'exact') return { 'content-type': type, ...length }
  if (headers === 'chunked') return { 'content-type': type, 'transfer-encoding': 'chunked' }
  if (headers === 'general') return { 'content-type': 'application/octet-stream', ...length }
  if (headers === 'untyped') {
    return { 'content-disposition': `attachment; filename="x"; filename*=UTF-8''${name}`, ...length }
  }
  return { 'content-type': `${type.toUpperCase()}; Charset=UTF-8`, ...length }
}

function send(response: ServerResponse, one: Stored) {
  response.writeHead(200, headersOf(one))
  const half = Math.floor(one.file.bytes.length / 2)
  response.write(one.file.bytes.subarray(0, half))
  response.end(one.file.bytes.subarray(half))
}

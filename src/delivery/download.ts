// Brings an artifact from the gateway's CDN: bounded in bytes and time, no redirects, and nothing that is a web page. One
// that came with the gateway's answer is in its own address.

import { type Dispatcher, request } from 'undici'

export type Downloaded =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: 'too-large' | 'unavailable' | 'not-media' }

export interface Limits {
  readonly maxBytes: number
  readonly deadlineMs: number
}

export async function download(url: string, { maxBytes, deadlineMs }: Limits): Promise<Downloaded> {
  const inline = /^data:[^,]*;base64,/.exec(url)
  if (inline) return { ok: true, bytes: Buffer.from(url.slice(inline[0].length), 'base64') }
  try {
    const answer = await request(url, { signal: AbortSignal.timeout(deadlineMs) })
    const refused = refusal(answer, maxBytes)
    if (refused) {
      await answer.body.dump()
      return { ok: false, reason: refused }
    }
    const bytes = await collect(answer.body, maxBytes)
    return bytes ? { ok: true, bytes } : { ok: false, reason: 'too-large' }
  } catch {
    return { ok: false, reason: 'unavailable' }
  }
}

function refusal({ statusCode, headers }: Dispatcher.ResponseData, maxBytes: number) {
  if (statusCode !== 200) return 'unavailable'
  if (Number(headers['content-length'] ?? 0) > maxBytes) return 'too-large'
  return /^(text\/|application\/json)/.test(String(headers['content-type'])) ? 'not-media' : undefined
}

async function collect(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

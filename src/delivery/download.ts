// Downloads an artifact from where the gateway says it is. The gateway is not trusted to name an address of our own network:
// only public addresses are connected to, and the gateway itself, which may run privately; each redirect is checked like the
// first address. Bounded as a whole in bytes and in time (a timeout between bytes is no bound: one may drip). No request
// carries our key, a cookie or a referrer. A file that came with the gateway's answer is in its own address.

import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { type Format, formatOf } from '../media/format.ts'
import { isPublic } from './public-address.ts'
import { unpack } from './unpack.ts'

/**
 * Why a file cannot be had. `unavailable` (no answer, or one that says to come back) may pass. `gone` (refused, not found,
 * redirects without an end), `not-a-file` (nothing, or an error page) and `forbidden` (an address that we do not connect to)
 * most likely stay so.
 */
export type Missing = 'unavailable' | 'gone' | 'not-a-file' | 'forbidden'

export type Downloaded =
  | { readonly ok: true; readonly bytes: Buffer; readonly format: Format }
  | { readonly ok: false; readonly reason: Missing | 'too-large' }

export interface Downloads {
  get(url: string): Promise<Downloaded>
  close(): Promise<void>
}

interface Resolved {
  readonly address: string
  readonly family: number
}

export interface DownloadSettings {
  /** What is at this host and port may be private. */
  readonly gatewayUrl: string
  /** All addresses of a name; the system's own if nothing is said. */
  readonly resolve?: (hostname: string) => Promise<Resolved[]>
  readonly maxBytes?: number
  readonly deadlineMs?: number
}

class NotPublic extends Error {
  override name = 'NotPublic'
}

export function createDownloads(settings: DownloadSettings): Downloads {
  const { gatewayUrl, resolve = systemResolve, ...limits } = settings
  const gateway = hostAndPort(new URL(gatewayUrl))
  const ofGateway = new Agent()
  const ofPublic = new Agent({ connect: { lookup: onlyPublic(resolve) } })
  const dispatcherFor = (url: URL) => {
    if (hostAndPort(url) === gateway) return ofGateway
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // For a literal address nothing is looked up.
    return isIP(literal) === 0 || isPublic(literal) ? ofPublic : undefined
  }
  return {
    get: async (address) =>
      address.startsWith('data:') ? inlineFile(address) : download(address, dispatcherFor, limits),
    async close() {
      await Promise.all([ofGateway.destroy(), ofPublic.destroy()])
    },
  }
}

function inlineFile(address: string): Downloaded {
  const comma = address.indexOf(',')
  const head = address.slice('data:'.length, Math.max(0, comma))
  const body = comma < 0 ? '' : address.slice(comma + 1)
  const bytes = /;base64$/i.test(head) ? Buffer.from(body, 'base64') : percentDecoded(body)
  const [type = ''] = head.split(';')
  const format = formatOf(bytes, { type, urls: [] })
  return format ? { ok: true, bytes, format } : { ok: false, reason: 'not-a-file' }
}

function percentDecoded(text: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(text))
  } catch {
    return Buffer.alloc(0)
  }
}

/** Undefined for other protocols, and for addresses with a name or a password in them. */
function webUrl(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`

const systemResolve = (hostname: string): Promise<Resolved[]> => lookUp(hostname, { all: true })

/** The connection goes to the addresses that were looked at here: asked again, the name could mean others. */
function onlyPublic(resolve: (hostname: string) => Promise<Resolved[]>): LookupFunction {
  return (hostname, { all }, callback) => {
    const refuse = (error: Error) => callback(error, [])
    resolve(hostname).then((found) => {
      const [first] = found
      if (!first || !found.every(({ address }) => isPublic(address))) return refuse(new NotPublic(hostname))
      return all ? callback(null, found) : callback(null, first.address, first.family)
    }, refuse)
  }
}

type Limits = Pick<DownloadSettings, 'maxBytes' | 'deadlineMs'>

/** What Telegram takes, in a time that even 50 MB need not exceed. */
const usual = { maxBytes: 50 * 1024 * 1024, deadlineMs: 120_000 }

const maxRedirects = 5

/**
 * Follows redirects, each through the same checks. One from https to http is followed as well: the gateway may give an http
 * address to begin with, nothing secret is sent, and a file that was paid for would be lost otherwise.
 */
async function download(
  address: string,
  dispatcherFor: (url: URL) => Dispatcher | undefined,
  { maxBytes = usual.maxBytes, deadlineMs = usual.deadlineMs }: Limits,
): Promise<Downloaded> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    let url = webUrl(address)
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const dispatcher = url && dispatcherFor(url)
      if (!url || !dispatcher) return { ok: false, reason: 'forbidden' }
      const answer = await request(url, { dispatcher, signal, headers: { 'accept-encoding': 'identity' } })
      // A body that is not read to its end fails, and nobody listens any more.
      answer.body.on('error', () => undefined)
      const location = redirectIn(answer)
      if (location === undefined) return await readFile(answer, [url.href, address], maxBytes)
      answer.body.destroy()
      url = webUrl(location, url)
    }
    return { ok: false, reason: 'gone' }
  } catch (error) {
    return { ok: false, reason: error instanceof NotPublic ? 'forbidden' : 'unavailable' }
  }
}

type Header = string | string[] | undefined
const first = (header: Header): string | undefined => (Array.isArray(header) ? header[0] : header)

const redirects = new Set([301, 302, 303, 307, 308])
const redirectIn = ({ statusCode, headers }: Dispatcher.ResponseData): string | undefined =>
  redirects.has(statusCode) ? first(headers.location) : undefined

/** @param urls where it was found and where it was said to be */
async function readFile(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  urls: readonly string[],
  maxBytes: number,
): Promise<Downloaded> {
  const reason =
    refusal(statusCode) ?? (Number(headers['content-length'] ?? 0) > maxBytes ? 'too-large' : undefined)
  const received = reason ? undefined : await collect(body, maxBytes)
  if (!received) {
    body.destroy()
    return { ok: false, reason: reason ?? 'too-large' }
  }
  const bytes = await unpack(received, first(headers['content-encoding']) ?? '', maxBytes)
  if (!bytes) return { ok: false, reason: 'too-large' }
  const [type = ''] = (first(headers['content-type']) ?? '').split(';')
  const format = formatOf(bytes, { type: type.trim(), urls })
  return format ? { ok: true, bytes, format } : { ok: false, reason: 'not-a-file' }
}

/** 202: it is being made or copied still. */
const passing = new Set([202, 408, 425, 429])

function refusal(status: number): Missing | undefined {
  if (status >= 500 || passing.has(status)) return 'unavailable'
  return status === 200 ? undefined : 'gone'
}

/** Undefined when it is more than that. */
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

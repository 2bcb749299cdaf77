// Downloads an artifact from the link that the gateway has given. The link must not lead into our own network: connections are
// made only to public addresses and to the gateway itself, which may have a private one; each redirect is checked like the first
// address. Size and total time are limited (a timeout between bytes would not stop a server that sends very slowly). Requests
// carry no key, cookie or referrer. A file that came within the gateway's answer is a data URI.

import { lookup as lookUp } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Missing } from '../../db/schema.ts'
import { type Format, formatOf } from '../../media/format.ts'
import { Agent, type Dispatcher, request } from '../../runtime/undici.ts'

type Downloaded =
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
  /** The only host and port whose address may be private. */
  readonly gatewayUrl: string
  /** Returns all addresses of a name; the system's resolver by default. */
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
    // For a literal address `lookup` is not called.
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

/** Parses an http(s) URL; undefined for other protocols, and for URLs with credentials. */
function webUrl(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`

const systemResolve = (hostname: string): Promise<Resolved[]> => lookUp(hostname, { all: true })

/** The connection is made to the addresses that were checked here: a second lookup could return others. */
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

/** Telegram's limit, and a time that is enough for 50 MB. */
const defaults = { maxBytes: 50 * 1024 * 1024, deadlineMs: 120_000 }

const maxRedirects = 5

/**
 * Follows redirects, with the same checks for each. Redirects from https to http are followed as well: the gateway may give an http
 * link in the first place, nothing secret is sent, and otherwise a file that was paid for would be lost.
 */
async function download(
  address: string,
  dispatcherFor: (url: URL) => Dispatcher | undefined,
  { maxBytes = defaults.maxBytes, deadlineMs = defaults.deadlineMs }: Limits,
): Promise<Downloaded> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    let url = webUrl(address)
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const dispatcher = url && dispatcherFor(url)
      if (!url || !dispatcher) return { ok: false, reason: 'forbidden' }
      const answer = await request(url, { dispatcher, signal, headers: { 'accept-encoding': 'identity' } })
      // A body that is not read to its end emits an error, which would be unhandled.
      answer.body.on('error', () => undefined)
      const location = redirectIn(answer)
      if (location === undefined) return await readFile(answer, [url.href, address], maxBytes)
      answer.body.destroy()
      url = webUrl(location, url)
    }
    return { ok: false, reason: 'refused' }
  } catch (error) {
    return { ok: false, reason: error instanceof NotPublic ? 'forbidden' : 'unavailable' }
  }
}

type Header = string | string[] | undefined
const first = (header: Header): string | undefined => (Array.isArray(header) ? header[0] : header)

const redirects = new Set([301, 302, 303, 307, 308])
const redirectIn = ({ statusCode, headers }: Dispatcher.ResponseData): string | undefined =>
  redirects.has(statusCode) ? first(headers.location) : undefined

/** @param urls the final one, and the one that the gateway gave */
async function readFile(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  urls: readonly string[],
  maxBytes: number,
): Promise<Downloaded> {
  const reason =
    refusal(statusCode) ?? (Number(headers['content-length'] ?? 0) > maxBytes ? 'too-large' : undefined)
  const received = reason ? undefined : await readBytes(body, maxBytes)
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

/** 202: the file is not ready yet. */
const temporary = new Set([202, 408, 425, 429])

function refusal(status: number): Missing | undefined {
  if (status >= 500 || temporary.has(status)) return 'unavailable'
  if (status >= 200 && status < 300) return undefined
  return status === 404 || status === 410 ? 'gone' : 'refused'
}

/** Reads a body; undefined if it is larger than `maxBytes`. */
async function readBytes(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const unpackers: Readonly<
  Record<string, (bytes: Buffer, bounds: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * Decompresses a file that a server sent compressed although it was asked not to, as storages do with files that were uploaded compressed;
 * undefined when the result is larger than `maxBytes`. A file that is not compressed as `encoding` says is returned
 * unchanged: its format is recognised by its bytes.
 */
async function unpack(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  const unpacker = unpackers[encoding.trim().toLowerCase()]
  if (!unpacker) return bytes
  try {
    return await unpacker(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge ? undefined : bytes
  }
}

// Addresses of the public internet, and all others. The others may belong to machines that trust their network: this one, a database, a
// cloud's metadata service.

/** IANA's special-purpose registry, multicast and reserved addresses. */
const special4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

/** Exceptions within the allocated part of IPv6: tunnels to IPv4, and documentation addresses. */
const special6: typeof special4 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const notPublic = new BlockList()
/** The only allocated part of IPv6. Loopback, link-local, IPv4-mapped and -compatible addresses are outside of it. */
const allocated6 = new BlockList()
allocated6.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of special6) notPublic.addSubnet(network, prefix, 'ipv6')
// In networks of IPv6 alone (NAT64), the DNS gives IPv4 addresses in this form.
allocated6.addSubnet('64:ff9b::', 96, 'ipv6')
for (const [network, prefix] of special4) {
  notPublic.addSubnet(network, prefix, 'ipv4')
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}

/** @param address an IP address; any other text is not public */
export function isPublic(address: string): boolean {
  // An address with a zone is link-local.
  if (isIP(address) === 0 || address.includes('%')) return false
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4')
  return allocated6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

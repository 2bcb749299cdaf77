// Brings an artifact from where the gateway says it is. The gateway is not trusted to name an address of our own network:
// only public ones are spoken to, and the gateway itself, which may run privately. Bounded in bytes and in time as a whole
// (a timeout between bytes is no bound: one may drip); redirects are not followed and nothing is unpacked, which `fetch` would
// do without a bound. A file that came with the gateway's answer is in its own address.

import { lookup as lookUp } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { isPublic } from './public-address.ts'

export type Downloaded =
  | { readonly ok: true; readonly bytes: Buffer }
  /** `unavailable` may be over soon; a file that is `gone`, is something else, or is where we do not go, will stay so. */
  | {
      readonly ok: false
      readonly reason: 'too-large' | 'unavailable' | 'gone' | 'not-media' | 'forbidden'
    }

export interface Downloads {
  get(url: string): Promise<Downloaded>
  close(): Promise<void>
}

interface Resolved {
  readonly address: string
  readonly family: number
}

export interface DownloadSettings {
  /** What is at its very host and port may be private. */
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
    async get(address) {
      const inline = /^data:[^,]*;base64,/.exec(address)
      if (inline) return { ok: true, bytes: Buffer.from(address.slice(inline[0].length), 'base64') }
      const url = webUrl(address)
      const dispatcher = url && dispatcherFor(url)
      return url && dispatcher ? download(url, dispatcher, limits) : { ok: false, reason: 'forbidden' }
    },
    async close() {
      await Promise.all([ofGateway.destroy(), ofPublic.destroy()])
    },
  }
}

/** Undefined for other protocols, and where somebody's name or password would be told. */
function webUrl(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
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

/** What Telegram takes, in a time that even 50 MB need not exceed. */
const usual = { maxBytes: 50 * 1024 * 1024, deadlineMs: 120_000 }

async function download(
  url: URL,
  dispatcher: Dispatcher,
  { maxBytes = usual.maxBytes, deadlineMs = usual.deadlineMs }: Omit<DownloadSettings, 'gatewayUrl'>,
): Promise<Downloaded> {
  try {
    const signal = AbortSignal.timeout(deadlineMs)
    const answer = await request(url, { dispatcher, signal, headers: { 'accept-encoding': 'identity' } })
    // Who lets go of a body early makes it fail, and nobody listens any more.
    answer.body.on('error', () => undefined)
    const reason = refusal(answer, maxBytes)
    const bytes = reason ? undefined : await collect(answer.body, maxBytes)
    if (bytes) return { ok: true, bytes }
    answer.body.destroy()
    return { ok: false, reason: reason ?? 'too-large' }
  } catch (error) {
    return { ok: false, reason: error instanceof NotPublic ? 'forbidden' : 'unavailable' }
  }
}

const passing = new Set([408, 425, 429])

function refusal({ statusCode, headers }: Dispatcher.ResponseData, maxBytes: number) {
  if (statusCode >= 500 || passing.has(statusCode)) return 'unavailable'
  if (statusCode !== 200) return 'gone'
  if (/^(text\/|application\/(json|xml|xhtml))/i.test(String(headers['content-type']))) return 'not-media'
  if (!/^(|identity)$/i.test(String(headers['content-encoding'] ?? ''))) return 'not-media'
  return Number(headers['content-length'] ?? 0) > maxBytes ? 'too-large' : undefined
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

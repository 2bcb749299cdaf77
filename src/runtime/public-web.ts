// Requests to addresses that were given by others: results of the gateway, links of users. They must not lead into our own network, so
// connections are made only to public addresses; each redirect is checked like the first address. Requests carry no key, cookie or
// referrer. Who asks limits the time and the size.

import { lookup as lookUp } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from './undici.ts'

export interface PublicWeb {
  /** Asks for an address, and follows redirects. The body must be read or destroyed. */
  open(address: string, options: Options): Promise<Opened>
  close(): Promise<void>
}

interface Options {
  /** Limits the whole time, also that of reading the body. */
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

type Opened =
  | { readonly ok: true; readonly url: URL; readonly answer: Dispatcher.ResponseData }
  /** `forbidden`: not a public address. `refused`: too many redirects. */
  | { readonly ok: false; readonly reason: 'forbidden' | 'refused' | 'unavailable' }

interface Resolved {
  readonly address: string
  readonly family: number
}

export interface WebSettings {
  /** The hosts with their ports whose addresses may be private; see `hostAndPort`. */
  readonly mayBePrivate: readonly string[]
  /** Returns all addresses of a name; the system's resolver by default. */
  readonly resolve?: ((hostname: string) => Promise<Resolved[]>) | undefined
}

class NotPublic extends Error {
  override name = 'NotPublic'
}

export function createPublicWeb({ mayBePrivate, resolve = systemResolve }: WebSettings): PublicWeb {
  const ofPrivate = new Agent()
  const ofPublic = new Agent({ connect: { lookup: onlyPublic(resolve) } })
  const dispatcherFor = (url: URL) => {
    if (mayBePrivate.includes(hostAndPort(url))) return ofPrivate
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // For a literal address `lookup` is not called.
    return isIP(literal) === 0 || isPublic(literal) ? ofPublic : undefined
  }
  return {
    open: (address, options) => open(address, dispatcherFor, options),
    async close() {
      await Promise.all([ofPrivate.destroy(), ofPublic.destroy()])
    },
  }
}

/** Parses an http(s) URL; undefined for other protocols, and for URLs with credentials. */
export function webUrl(address: string, base?: URL): URL | undefined {
  if (!URL.canParse(address, base?.href)) return undefined
  const url = new URL(address, base)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
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

const maxRedirects = 5

/**
 * Follows redirects, with the same checks for each. Redirects from https to http are followed as well: the gateway may give an http
 * link in the first place, nothing secret is sent, and otherwise a file that was paid for would be lost.
 */
async function open(
  address: string,
  dispatcherFor: (url: URL) => Dispatcher | undefined,
  { signal, headers }: Options,
): Promise<Opened> {
  try {
    let url = webUrl(address)
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const dispatcher = url && dispatcherFor(url)
      if (!url || !dispatcher) return { ok: false, reason: 'forbidden' }
      const answer = await request(url, {
        dispatcher,
        signal,
        headers: { 'accept-encoding': 'identity', ...headers },
      })
      // A body that is not read to its end emits an error, which would be unhandled.
      answer.body.on('error', () => undefined)
      const location = redirectIn(answer)
      if (location === undefined) return { ok: true, url, answer }
      answer.body.destroy()
      url = webUrl(location, url)
    }
    return { ok: false, reason: 'refused' }
  } catch (error) {
    return { ok: false, reason: error instanceof NotPublic ? 'forbidden' : 'unavailable' }
  }
}

type Header = string | string[] | undefined
export const firstOf = (header: Header): string | undefined => (Array.isArray(header) ? header[0] : header)

const redirects = new Set([301, 302, 303, 307, 308])
const redirectIn = ({ statusCode, headers }: Dispatcher.ResponseData): string | undefined =>
  redirects.has(statusCode) ? firstOf(headers.location) : undefined

// Addresses of the public internet, and all others. The others may belong to machines that trust their network: this one, a database, a
// cloud's metadata service.

/** IANA's special-purpose registry, multicast and reserved addresses. */
const special4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 ' +
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'

/** Exceptions within the allocated part of IPv6: tunnels to IPv4, and documentation addresses. */
const special6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'

const notPublic = new BlockList()
/** The only allocated part of IPv6. Loopback, link-local, IPv4-mapped and -compatible addresses are outside of it. */
const allocated6 = new BlockList()
allocated6.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of ranges(special6)) notPublic.addSubnet(network, prefix, 'ipv6')
// In networks of IPv6 alone (NAT64), the DNS gives IPv4 addresses in this form.
allocated6.addSubnet('64:ff9b::', 96, 'ipv6')
for (const [network, prefix] of ranges(special4)) {
  notPublic.addSubnet(network, prefix, 'ipv4')
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
}

function ranges(list: string): [network: string, prefix: number][] {
  return list.split(' ').map((range) => {
    const [network = '', prefix] = range.split('/')
    return [network, Number(prefix)]
  })
}

/** @param address an IP address; any other text is not public */
export function isPublic(address: string): boolean {
  // An address with a zone is link-local.
  if (isIP(address) === 0 || address.includes('%')) return false
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4')
  return allocated6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

// Requests by undici under the name of this app, and connections through a proxy.

import { type Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent, request as send } from 'undici'

export { Agent, type Dispatcher } from 'undici'

/** Connections through an HTTP proxy or a SOCKS5 proxy. */
export function throughProxy(proxy: string, options: Agent.Options): Dispatcher {
  if (proxy.startsWith('socks5:')) return new Socks5ProxyAgent(proxy)
  // A server without TLS is reached by CONNECT as well: a proxy that forwards requests would log their addresses, which have the token.
  return new ProxyAgent({ ...options, uri: proxy, proxyTunnel: true })
}

/** undici names no client, and some hosts refuse requests of unnamed clients. */
const userAgent = 'generation-bot'

type Options = Omit<NonNullable<Parameters<typeof send<null>>[1]>, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>
}

export const request = (url: string | URL, { headers, ...options }: Options = {}) =>
  send<null>(url, { ...options, headers: { 'user-agent': userAgent, ...headers } })

/** Reads a body until there are more bytes than `enough`; the rest is not fetched. @throws when it breaks off */
export async function bytesUpTo(body: AsyncIterable<Buffer>, enough: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > enough) break
  }
  return Buffer.concat(chunks)
}

// Checks whether Telegram can call an address: Telegram requires HTTPS, one of four ports, and a host on the public internet. Source:
// telegram.md. A self-hosted Bot API server calls any address.

import { isIP } from 'node:net'
import { isPublic } from '../delivery/public-address.ts'

export const publicApiRoot = 'https://api.telegram.org'

/** The ports that Telegram calls. The empty one is that of an https address without a port. */
const ports = ['', '443', '80', '88', '8443']

interface Addresses {
  readonly UPDATES: string
  readonly PUBLIC_URL?: string | undefined
  readonly TELEGRAM_API_ROOT: string
}

/** Advice for an address that Telegram does not call; undefined for an address that it calls. */
export function wrongWebhook({ UPDATES, PUBLIC_URL, TELEGRAM_API_ROOT }: Addresses): string | undefined {
  if (UPDATES !== 'webhook' || PUBLIC_URL === undefined || TELEGRAM_API_ROOT !== publicApiRoot)
    return undefined
  const { protocol, port, hostname } = new URL(PUBLIC_URL)
  if (protocol !== 'https:') return 'write an address with https://: Telegram calls no other'
  if (!ports.includes(port)) return 'write the port 443, 80, 88 or 8443: Telegram calls no other'
  if (isReachable(hostname)) return undefined
  return 'write the public name of this machine, which Telegram can reach, or UPDATES=polling'
}

function isReachable(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return isPublic(host)
  return host.includes('.') && !/\.(local|localhost|internal|test|invalid)$/.test(host)
}

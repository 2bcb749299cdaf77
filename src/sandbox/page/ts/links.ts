// What happens on a press of a link. Telegram opens its own addresses inside; a link behind other words is shown first.

import { confirmLink } from './dialog.ts'
import { safeUrl } from './entity-nodes.ts'

const hosts = new Set(['t.me', 'telegram.me'])

/** @returns {boolean} false when the browser itself should follow the link */
export function followLink(url, disguised, { bot, start, payLink }) {
  const href = safeUrl(url)
  if (!href) return true
  const { protocol, hostname, pathname, searchParams } = new URL(href)
  const isTelegram = hosts.has(hostname) && protocol.startsWith('http')
  if (isTelegram && pathname.startsWith('/$')) {
    payLink(href)
    return true
  }
  if (isTelegram && pathname.slice(1).toLowerCase() === bot.username.toLowerCase()) {
    start(searchParams.get('start') ?? '')
    return true
  }
  if (disguised) confirmLink(href)
  return disguised
}

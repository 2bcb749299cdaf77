// Links: which addresses may be opened, and what happens on a click.

import type { Bot } from './api.ts'
import { confirmLink } from './dialog.ts'

const openable = new Set(['http:', 'https:', 'mailto:', 'tel:', 'tg:'])

/** @returns an address that is safe to open; undefined for other protocols, such as `javascript:` */
export function safeUrl(url: string): string | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[^/]+:\d/.test(url) ? url : `http://${url}`
  try {
    const parsed = new URL(whole)
    return openable.has(parsed.protocol) ? parsed.href : undefined
  } catch {
    return undefined
  }
}

const telegramHosts = new Set(['t.me', 'telegram.me'])

interface LinkActions {
  readonly bot: Bot
  start(payload: string): void
}

/**
 * Handles links that Telegram opens in the app itself: a link to this bot.
 * @returns false when the browser itself should follow the link
 */
export function followLink(url: string, disguised: boolean, { bot, start }: LinkActions): boolean {
  const href = safeUrl(url)
  if (!href) return true
  const { protocol, hostname, pathname, searchParams } = new URL(href)
  const isTelegram = telegramHosts.has(hostname) && protocol.startsWith('http')
  if (isTelegram && pathname.slice(1).toLowerCase() === bot.username.toLowerCase()) {
    start(searchParams.get('start') ?? '')
    return true
  }
  if (disguised) confirmLink(href)
  return disguised
}

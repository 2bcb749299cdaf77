// Metrics of calls to Telegram, by method and HTTP status. The URL of a call contains the bot token: only the method is kept.

import { Counter, Histogram, type Registry } from 'prom-client'
import { startAtZero } from './start-at-zero.ts'

export interface TelegramMetrics {
  /** @param url the full URL of the call @param status undefined when there was no response */
  called(url: string | URL, status: number | undefined, elapsedMs: number): void
}

const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

export function createTelegramMetrics(registry: Registry): TelegramMetrics {
  const registers = [registry]
  const calls = new Counter({
    name: 'bot_telegram_calls_total',
    help: 'Calls to the Bot API, by method and HTTP status',
    labelNames: ['method', 'code'],
    registers,
  })
  const seconds = new Histogram({
    name: 'bot_telegram_seconds',
    help: 'How long the Bot API took, without long polling',
    buckets,
    registers,
  })
  startAtZero(calls, { method: usualMethods, code: usualCodes })
  return {
    called(url, status, elapsedMs) {
      const method = methodIn(url)
      calls.inc({ method, code: status === undefined ? 'none' : String(status) })
      if (method !== 'getUpdates') seconds.observe(elapsedMs / 1000)
    },
  }
}

const usualCodes = ['200', '400', '403', '429', '500', '502', '503', '504', 'none']
const usualMethods = [
  ...['getUpdates', 'getFile', 'sendMessage', 'editMessageText', 'answerCallbackQuery', 'sendChatAction'],
  ...['sendPhoto', 'sendVideo', 'sendVoice', 'sendAudio', 'sendDocument', 'sendMediaGroup'],
  ...['sendInvoice', 'answerPreCheckoutQuery'],
]

/** The method in the URL of a call: `sendMessage` in `https://api.telegram.org/bot<token>/sendMessage`. */
function methodIn(url: string | URL): string {
  const [, method] = /\/bot[^/]+\/([a-z][a-zA-Z]{2,40})(\?|$)/.exec(String(url)) ?? []
  return method ?? 'other'
}

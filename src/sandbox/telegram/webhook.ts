// Delivers updates to the bot's webhook, one at a time in each queue. After any answer other than 2xx it retries: at once, then after 2, 4,
// 8 ... seconds, as Telegram does.

import type { Clock } from '../../runtime/clock.ts'
import type { QueuedUpdate, State, WebhookSettings } from './state.ts'
import type { Updates } from './updates.ts'

const answerTimeoutMs = 60_000
const longestPauseMs = 60_000

export interface Webhook {
  /** Must be called when the settings have changed: ends deliveries with the old ones. */
  restart(): void
}

/** The pause before the next attempt after this number of failures. */
export const retryPauseMs = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(1000 * 2 ** (failures - 1), longestPauseMs)

type Answer = { ok: true } | { ok: false; error: string; retryAfterMs: number }

async function send(settings: WebhookSettings, entry: QueuedUpdate, signal: AbortSignal): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (settings.secretToken) headers['x-telegram-bot-api-secret-token'] = settings.secretToken
  try {
    const body = JSON.stringify(entry.update)
    const response = await fetch(settings.url, { method: 'POST', headers, body, signal })
    await response.arrayBuffer()
    if (response.ok) return { ok: true }
    const retryAfterMs = 1000 * Math.min(Number(response.headers.get('retry-after')) || 0, 3600)
    const error = `Wrong response from the webhook: ${response.status} ${response.statusText}`.trim()
    return { ok: false, error, retryAfterMs }
  } catch {
    return {
      ok: false,
      error: signal.aborted ? 'Read timeout expired' : 'Connection refused',
      retryAfterMs: 0,
    }
  }
}

interface Deps {
  readonly state: State
  readonly updates: Updates
  readonly clock: Clock
  readonly closing: AbortSignal
}

export function createWebhook({ state, updates, clock, closing }: Deps): Webhook {
  const busy = new Map<string, AbortController>()

  async function attempt(settings: WebhookSettings, entry: QueuedUpdate): Promise<Answer> {
    const done = new AbortController()
    const late = new AbortController()
    void clock.wait(answerTimeoutMs, done.signal).then(() => late.abort())
    const answer = await send(settings, entry, AbortSignal.any([late.signal, closing]))
    done.abort()
    if (!answer.ok)
      settings.lastError = { date: Math.floor(clock.now().getTime() / 1000), message: answer.error }
    return answer
  }

  async function deliver(settings: WebhookSettings, entry: QueuedUpdate, stop: AbortSignal): Promise<void> {
    const doubled = updates.isDoubled(entry)
    for (let failures = 0; !stop.aborted && updates.pending().includes(entry); ) {
      const answer = await attempt(settings, entry)
      if (answer.ok) {
        updates.remove(entry)
        if (doubled) await attempt(settings, entry)
        return
      }
      failures += 1
      const pauseMs = answer.retryAfterMs || retryPauseMs(failures)
      if (pauseMs > 0) await clock.wait(pauseMs, stop)
    }
  }

  async function drain(queue: string, settings: WebhookSettings, stopped: AbortController): Promise<void> {
    const stop = AbortSignal.any([stopped.signal, closing])
    while (!stop.aborted) {
      const next = updates.pending().find((entry) => entry.queue === queue)
      if (!next) break
      await deliver(settings, next, stop)
    }
    if (busy.get(queue) === stopped) busy.delete(queue)
    kick()
  }

  function kick(): void {
    const settings = state.webhook
    if (!settings || closing.aborted) return
    for (const { queue } of updates.pending()) {
      if (busy.has(queue) || busy.size >= settings.maxConnections) continue
      const stopped = new AbortController()
      busy.set(queue, stopped)
      void drain(queue, settings, stopped)
    }
  }

  updates.onPush(kick)
  return {
    restart() {
      for (const stopped of busy.values()) stopped.abort()
      busy.clear()
      kick()
    },
  }
}

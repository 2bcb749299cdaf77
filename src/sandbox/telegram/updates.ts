// The updates for the bot: they are created, kept until confirmed, and delivered by long polling or to the bot's webhook, there one at a time in
// each queue. After any answer of the webhook other than 2xx it retries: at once, then after 2, 4, 8 ... seconds, as Telegram does.

import type { Update } from 'grammy/types'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import { refuse } from './refusal.ts'
import type { QueuedUpdate, State, WebhookSettings } from './state.ts'

type UpdateContent = Omit<Update, 'update_id'>

const keptRecent = 500
const lifetimeMs = 24 * 3600 * 1000
/** The lifetime of an update: short if a user or Telegram waits for its answer. */
function lifetimeOf({ callback_query, pre_checkout_query, inline_query }: UpdateContent): number {
  if (inline_query) return 30_000
  return callback_query || pre_checkout_query ? 150_000 : lifetimeMs
}
const otherPoller = 'terminated by other getUpdates request; make sure that only one bot instance is running'

/** Updates of one chat, and queries of one kind of one user, wait for each other. */
function queueOf(content: UpdateContent): string {
  const message = content.message ?? content.edited_message
  if (message) return `messages ${message.chat.id}`
  const kinds = ['callback_query', 'pre_checkout_query', 'inline_query'] as const
  const kind = kinds.find((one) => content[one])
  return kind ? `${kind} ${content[kind]?.from.id}` : 'other'
}

type Wake = 'update' | 'poller' | 'webhook'

interface Deps {
  readonly state: State
  readonly clock: Clock
  readonly faults: Faults
  readonly closing: AbortSignal
  changed(): void
}

export type Updates = ReturnType<typeof createUpdates>

export function createUpdates({ state, clock, faults, closing, changed }: Deps) {
  const pushListeners: (() => void)[] = []
  let wakePoll: ((reason: Wake) => void) | undefined
  const now = () => clock.now().getTime()

  const isWanted = (content: UpdateContent) =>
    state.allowedUpdates.length === 0 || state.allowedUpdates.some((type) => content[type])

  const isLost = ({ message }: UpdateContent) =>
    (['successful_payment', 'refunded_payment'] as const).some(
      (content) =>
        message?.[content] !== undefined && faults.take('telegram', content, ['cut']) !== undefined,
    )

  function enqueue(update: Update, again: boolean): void {
    const expiresAt = now() + lifetimeOf(update)
    state.pending.push({ update, queue: queueOf(update), expiresAt, sent: false, again })
    wakePoll?.('update')
    for (const listener of pushListeners) listener()
  }

  function confirm(offset: number): void {
    if (offset < 0) state.pending = state.pending.slice(offset)
    else state.pending = state.pending.filter((one) => one.again || one.update.update_id >= offset)
  }

  /** The queued updates; expired ones are removed first. */
  function pending(): QueuedUpdate[] {
    state.pending = state.pending.filter((one) => one.expiresAt > now())
    return state.pending
  }

  /** Whether a scripted fault makes this the first of two deliveries. */
  function isDoubled(entry: QueuedUpdate): boolean {
    const first = !entry.sent
    entry.sent = true
    return first && faults.take('telegram', 'update', ['twice']) !== undefined
  }

  function take(limit: number): Update[] {
    const batch = pending().slice(0, limit)
    const doubled = batch.filter(isDoubled)
    state.pending = state.pending.filter((one) => !(one.again && batch.includes(one)))
    for (const { update } of doubled) enqueue(update, true)
    return batch.map((one) => one.update)
  }

  async function nextWake(timeoutMs: number, hungUp: AbortSignal): Promise<Wake | undefined> {
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, hungUp, closing])
    const woken = new Promise<Wake>((resolve) => {
      wakePoll = resolve
    })
    const own = wakePoll
    const reason = await Promise.race([woken, clock.wait(timeoutMs, signal).then(() => undefined)])
    ended.abort()
    if (wakePoll === own) wakePoll = undefined
    return reason
  }

  async function poll(
    offset: number,
    limit: number,
    timeoutMs: number,
    hungUp: AbortSignal,
  ): Promise<Update[]> {
    wakePoll?.('poller')
    if (offset !== 0) confirm(offset)
    if (pending().length === 0 && timeoutMs > 0) {
      const reason = await nextWake(timeoutMs, hungUp)
      if (reason === 'poller') refuse(otherPoller, 409)
      if (reason === 'webhook') refuse('terminated by setWebhook request', 409)
    }
    return hungUp.aborted ? [] : take(limit)
  }

  return {
    /** @returns the id of the update; undefined when the bot does not receive it */
    push(content: UpdateContent): number | undefined {
      if (!isWanted(content) || isLost(content)) return undefined
      const update = { update_id: state.nextUpdateId, ...content }
      state.nextUpdateId += 1
      state.recent = [...state.recent, update].slice(-keptRecent)
      enqueue(update, false)
      return update.update_id
    },
    poll,
    /** Delivers an update again under its own id. @returns false when it is no longer kept */
    redeliver(updateId: number): boolean {
      const update = state.recent.find((one) => one.update_id === updateId)
      if (update) enqueue(update, true)
      return update !== undefined
    },
    /** Ends a waiting poll, because a webhook was set. */
    webhookWasSet: () => wakePoll?.('webhook'),
    pending,
    remove(entry: QueuedUpdate) {
      state.pending = state.pending.filter((one) => one !== entry)
      changed()
    },
    isDoubled,
    onPush: (listener: () => void) => void pushListeners.push(listener),
  }
}

const answerTimeoutMs = 60_000
const longestPauseMs = 60_000

export type Webhook = ReturnType<typeof createWebhook>

/** The pause before the next attempt after this number of failures. */
const retryPauseMs = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(1000 * 2 ** (failures - 1), longestPauseMs)

/** @returns undefined when the update was taken */
async function send(
  { url, secretToken: secret }: WebhookSettings,
  { update }: QueuedUpdate,
  signal: AbortSignal,
) {
  const headers = {
    'content-type': 'application/json',
    ...(secret && { 'x-telegram-bot-api-secret-token': secret }),
  }
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update), signal })
    await response.arrayBuffer()
    if (response.ok) return undefined
    const retryAfterMs = 1000 * Math.min(Number(response.headers.get('retry-after')) || 0, 3600)
    const error = `Wrong response from the webhook: ${response.status} ${response.statusText}`.trim()
    return { error, retryAfterMs }
  } catch {
    return { error: signal.aborted ? 'Read timeout expired' : 'Connection refused', retryAfterMs: 0 }
  }
}

interface WebhookDeps extends Omit<Deps, 'faults' | 'changed'> {
  readonly updates: Updates
}

export function createWebhook({ state, updates, clock, closing }: WebhookDeps) {
  const busy = new Map<string, AbortController>()

  async function attempt(settings: WebhookSettings, entry: QueuedUpdate) {
    const done = new AbortController()
    const late = new AbortController()
    void clock.wait(answerTimeoutMs, done.signal).then(() => late.abort())
    const failed = await send(settings, entry, AbortSignal.any([late.signal, closing]))
    done.abort()
    if (failed) settings.lastError = { date: Math.floor(clock.now().getTime() / 1000), message: failed.error }
    return failed
  }

  async function deliver(settings: WebhookSettings, entry: QueuedUpdate, stop: AbortSignal): Promise<void> {
    const doubled = updates.isDoubled(entry)
    for (let failures = 0; !stop.aborted && updates.pending().includes(entry); ) {
      const failed = await attempt(settings, entry)
      if (!failed) {
        updates.remove(entry)
        if (doubled) await attempt(settings, entry)
        return
      }
      failures += 1
      const pauseMs = failed.retryAfterMs || retryPauseMs(failures)
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
    /** Must be called when the settings have changed: ends deliveries with the old ones. */
    restart() {
      for (const stopped of busy.values()) stopped.abort()
      busy.clear()
      kick()
    },
  }
}

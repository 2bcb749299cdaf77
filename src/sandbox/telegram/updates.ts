// The updates for the bot: they are created, kept until confirmed, and delivered by long polling or by webhook.ts.

import type { Update } from 'grammy/types'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import { takeFault } from './faults.ts'
import { refuse } from './refusal.ts'
import type { QueuedUpdate, State } from './state.ts'

type UpdateContent = Omit<Update, 'update_id'>

const keptRecent = 500
const lifetimeMs = 24 * 3600 * 1000
/** Lifetimes of updates for whose answer a user or Telegram waits. */
const shortLifetimesMs = {
  callback_query: 150_000,
  pre_checkout_query: 150_000,
  inline_query: 30_000,
} as const satisfies Partial<Record<keyof Update, number>>
const otherPoller = 'terminated by other getUpdates request; make sure that only one bot instance is running'

interface PollParams {
  offset: number
  limit: number
  timeoutMs: number
}

export interface Updates {
  /** @returns the id of the update; undefined when the bot does not receive it */
  push(content: UpdateContent): number | undefined
  poll(params: PollParams, hungUp: AbortSignal): Promise<Update[]>
  /** Delivers an update again under its own id. @returns false when it is no longer kept */
  redeliver(updateId: number): boolean
  /** Ends a waiting poll, because a webhook was set. */
  webhookWasSet(): void
  /** The updates that are neither confirmed nor expired. */
  pending(): QueuedUpdate[]
  remove(entry: QueuedUpdate): void
  /** Whether a scripted fault makes this the first of two deliveries. */
  isDoubled(entry: QueuedUpdate): boolean
  onPush(listener: () => void): void
}

function queueOf(content: UpdateContent): string {
  const message = content.message ?? content.edited_message
  if (message) return `messages ${message.chat.id}`
  if (content.callback_query) return `callbacks ${content.callback_query.from.id}`
  const payment = content.pre_checkout_query
  if (payment) return `payments ${payment.from.id}`
  const inline = content.inline_query
  if (inline) return `inline ${inline.from.id}`
  return 'other'
}

function lifetimeOf(update: UpdateContent): number {
  const short = Object.entries(shortLifetimesMs).find(([type]) => Object.hasOwn(update, type))
  return short?.[1] ?? lifetimeMs
}

type Wake = 'update' | 'poller' | 'webhook'

interface Deps {
  state: State
  clock: Clock
  faults: Faults
  closing: AbortSignal
  changed(): void
}

export function createUpdates({ state, clock, faults, closing, changed }: Deps): Updates {
  const pushListeners: (() => void)[] = []
  let wakePoll: ((reason: Wake) => void) | undefined
  const now = () => clock.now().getTime()

  /** Reactions are sent only to a bot that lists them in `allowed_updates`. */
  const isWanted = (content: UpdateContent) =>
    Object.keys(content).every((type) =>
      state.allowedUpdates.length > 0
        ? state.allowedUpdates.some((one) => one === type)
        : type !== 'message_reaction',
    )

  const isLost = ({ message }: UpdateContent) =>
    (['successful_payment', 'refunded_payment'] as const).some(
      (content) => message?.[content] !== undefined && takeFault(faults, content, ['cut']) !== undefined,
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

  function pending(): QueuedUpdate[] {
    state.pending = state.pending.filter((one) => one.expiresAt > now())
    return state.pending
  }

  function isDoubled(entry: QueuedUpdate): boolean {
    const first = !entry.sent
    entry.sent = true
    return first && takeFault(faults, 'update', ['twice']) !== undefined
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

  async function poll({ offset, limit, timeoutMs }: PollParams, hungUp: AbortSignal): Promise<Update[]> {
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
    push(content) {
      if (!isWanted(content) || isLost(content)) return undefined
      const update = { update_id: state.nextUpdateId, ...content }
      state.nextUpdateId += 1
      state.recent = [...state.recent, update].slice(-keptRecent)
      enqueue(update, false)
      return update.update_id
    },
    poll,
    redeliver(updateId) {
      const update = state.recent.find((one) => one.update_id === updateId)
      if (update) enqueue(update, true)
      return update !== undefined
    },
    webhookWasSet: () => wakePoll?.('webhook'),
    pending,
    remove(entry) {
      state.pending = state.pending.filter((one) => one !== entry)
      changed()
    },
    isDoubled,
    onPush: (listener) => void pushListeners.push(listener),
  }
}

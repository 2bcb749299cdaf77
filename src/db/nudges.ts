// Nudges tell all processes that there may be work. They carry no state: a nudged process reads the tables. A lost nudge only delays the
// work until the next poll. Other processes get them by PostgreSQL's NOTIFY.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { randomIds } from '../runtime/ids.ts'

const topics = ['updates', 'generations', 'broadcasts', 'notices', 'stop', 'alarms'] as const
type Topic = (typeof topics)[number]

/** @param about a short, non-secret detail for topics whose listeners need one */
type Listener = (about: string) => void

export interface Nudges {
  /** Calls the listeners of this process at once, and those of other processes soon. */
  send(topic: Topic, about?: string): void
  on(topic: Topic, listener: Listener): void
}

/** Nudges within one process. @param forward sends a nudge to other processes */
export function createNudges(forward: (topic: Topic, about: string) => void = () => undefined) {
  const listeners = new Map<Topic, Listener[]>()
  const notify = (topic: Topic, about: string) => {
    for (const listener of listeners.get(topic) ?? []) listener(about)
  }
  const nudges: Nudges = {
    send(topic, about = '') {
      notify(topic, about)
      forward(topic, about)
    },
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
    },
  }
  return { nudges, notify }
}

/** The channel is named after the format of its payload: processes of an earlier version cannot read this format, and poll meanwhile. */
const channel = 'nudges_2'

const payloadSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.object({ from: z.string(), nudges: z.array(z.tuple([z.enum(topics), z.string()])) }))

/** Executes NOTIFY. */
type Send = (channel: string, payload: string) => Promise<unknown>

/**
 * Nudges of the same microtask, and those that come while others are being sent, are batched into one statement. A process ignores its own
 * notifications, since their nudges were delivered at once.
 * @param listening opens a separate connection that reconnects by itself; used only if this process has listeners
 */
export function notifyOver(send: Send, listening: Pick<Sql, 'listen'>): Nudges {
  const self = randomIds.next()
  const batch = new Map<string, readonly [Topic, string]>()
  let isListening = false
  let isSending = false

  const flush = async () => {
    while (batch.size > 0) {
      const payload = JSON.stringify({ from: self, nudges: [...batch.values()] })
      batch.clear()
      await send(channel, payload).catch(() => undefined)
    }
    isSending = false
  }

  const { nudges, notify } = createNudges((topic, about) => {
    batch.set(`${topic} ${about}`, [topic, about])
    if (!isSending) queueMicrotask(flush)
    isSending = true
  })

  const receive = (payload: string) => {
    const { from, nudges: received } = payloadSchema.parse(payload)
    if (from !== self) for (const [topic, about] of received) notify(topic, about)
  }

  return {
    send: nudges.send,
    on(topic, listener) {
      nudges.on(topic, listener)
      if (!isListening) listening.listen(channel, receive).catch(() => undefined)
      isListening = true
    },
  }
}

// Stores messages that wait for the sandbox as long as the tab exists, so that a reload loses none. Each tab has its own messages.

import type { SentMessage } from './api.ts'

export type Outgoing = Omit<SentMessage, 'from'>

const key = 'sandbox.outbox.own'
/** In characters: a browser stores about five million. Messages above the limit wait without being stored. */
const mostLength = 2_000_000

/** The waiting messages by chat and user. */
export function readWaiting(): Map<string, Outgoing[]> {
  try {
    return new Map(Object.entries<Outgoing[]>(JSON.parse(sessionStorage.getItem(key) ?? '{}')))
  } catch {
    return new Map()
  }
}

/** Stores the oldest messages of each chat, since later messages are also sent later. */
export function writeWaiting(waiting: ReadonlyMap<string, readonly Outgoing[]>): void {
  let left = mostLength
  const fits = (one: Outgoing): boolean => {
    left -= JSON.stringify(one).length
    return left >= 0
  }
  const kept = [...waiting].map(([place, queue]) => [place, queue.filter(fits)] as const)
  const stored = kept.filter(([, queue]) => queue.length > 0)
  try {
    if (stored.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(stored)))
  } catch {
    // The browser stores less than the limit: the messages wait in memory only.
  }
}

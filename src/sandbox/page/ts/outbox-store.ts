// Messages that wait for the sandbox, kept for as long as the tab: a reload loses none of them. Another tab has its own.

import { otherBot, type SentMessage } from './api.ts'

export type Outgoing = Omit<SentMessage, 'from'>

const key = `sandbox.outbox.${otherBot ?? 'own'}`
/** A browser keeps about five million characters. Above this a message waits without being stored. */
const mostLength = 2_000_000

/** By the chat and user. */
export function readWaiting(): Map<string, Outgoing[]> {
  try {
    return new Map(Object.entries<Outgoing[]>(JSON.parse(sessionStorage.getItem(key) ?? '{}')))
  } catch {
    return new Map()
  }
}

/** Keeps the oldest of each chat: what is sent later goes out later. */
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
    // The browser keeps less than that: the messages wait in memory only.
  }
}

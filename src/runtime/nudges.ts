// Nudges tell all processes that there may be work. They carry no state: a nudged process reads the tables. A lost nudge only delays
// the work until the next poll.

export const topics = ['updates', 'generations', 'broadcasts', 'notices', 'stop', 'alarms'] as const
export type Topic = (typeof topics)[number]

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

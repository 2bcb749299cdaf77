// "There may be something to do", said to every process: whoever hears it looks at the tables, which alone decide. One that
// is lost costs only the time until the next look.

export const topics = ['updates', 'generations', 'broadcasts', 'notices', 'stop'] as const
export type Topic = (typeof topics)[number]

/** @param about what it concerns, where the listener must know; short, and no secret */
export type Listener = (about: string) => void

export interface Nudges {
  /** Heard in this process at once, and soon in the others. */
  send(topic: Topic, about?: string): void
  on(topic: Topic, listener: Listener): void
}

/** Within one process. @param pass hands it on to the others */
export function createNudges(pass: (topic: Topic, about: string) => void = () => undefined) {
  const listeners = new Map<Topic, Listener[]>()
  const hear = (topic: Topic, about: string) => {
    for (const listener of listeners.get(topic) ?? []) listener(about)
  }
  const nudges: Nudges = {
    send(topic, about = '') {
      hear(topic, about)
      pass(topic, about)
    },
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
    },
  }
  return { nudges, hear }
}

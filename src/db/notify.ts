// Nudges over PostgreSQL's NOTIFY. Nudges of the same microtask are batched into one statement.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { createNudges, type Nudges, type Topic, topics } from '../runtime/nudges.ts'

const channel = 'nudges'

const payloadSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.tuple([z.enum(topics), z.string()])))

/** Listens on a separate connection, which reconnects by itself, and only if this process has listeners. */
export function notifyOver(client: Sql): Nudges {
  const batch = new Map<string, readonly [Topic, string]>()
  let isListening = false

  const flush = () => {
    const payload = JSON.stringify([...batch.values()])
    batch.clear()
    client.notify(channel, payload).catch(() => undefined)
  }

  const { nudges, notify } = createNudges((topic, about) => {
    if (batch.size === 0) queueMicrotask(flush)
    batch.set(`${topic} ${about}`, [topic, about])
  })

  // A process also receives its own nudges; repeated nudges are harmless.
  const receive = (payload: string) => {
    for (const [topic, about] of payloadSchema.parse(payload)) notify(topic, about)
  }

  return {
    send: nudges.send,
    on(topic, listener) {
      nudges.on(topic, listener)
      if (!isListening) client.listen(channel, receive).catch(() => undefined)
      isListening = true
    },
  }
}

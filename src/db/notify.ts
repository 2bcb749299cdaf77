// Nudges over PostgreSQL's NOTIFY: those of one moment together, since every one of them is a statement.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { createNudges, type Nudges, type Topic, topics } from '../runtime/nudges.ts'

const channel = 'nudges'

const heard = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.array(z.tuple([z.enum(topics), z.string()])))

/** Listens on a connection of its own, which comes back by itself; only if anybody here listens. */
export function notifyOver(client: Sql): Nudges {
  const gathered = new Map<string, readonly [Topic, string]>()
  let isListening = false

  const flush = () => {
    const payload = JSON.stringify([...gathered.values()])
    gathered.clear()
    client.notify(channel, payload).catch(() => undefined)
  }

  const { nudges, hear } = createNudges((topic, about) => {
    if (gathered.size === 0) queueMicrotask(flush)
    gathered.set(`${topic} ${about}`, [topic, about])
  })

  // Our own come back too: to be told twice is to be told.
  const take = (payload: string) => {
    for (const [topic, about] of heard.parse(payload)) hear(topic, about)
  }

  return {
    send: nudges.send,
    on(topic, listener) {
      nudges.on(topic, listener)
      if (!isListening) client.listen(channel, take).catch(() => undefined)
      isListening = true
    },
  }
}

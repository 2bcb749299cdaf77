// Status messages are brought up to date beside the steps, so that a slow Telegram holds up nobody. Of one generation one is
// under way at a time, and however often it changes meanwhile, it is shown once more.

import { eq } from 'drizzle-orm'
import { generations } from '../db/schema.ts'
import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { within } from '../runtime/trace.ts'

export interface Shows {
  /** Soon, or never when too many wait: the next look shows again. */
  show(id: string): void
  /** Forgets what waits of this generation, and waits for what is under way. */
  quiet(id: string): Promise<void>
  /** When everything has been shown. */
  idle(): Promise<void>
}

const mostAtOnce = 8
const mostWaiting = 1000

export function createShows(deps: Pick<GenerationDeps, 'db' | 'messenger' | 'log'>): Shows {
  const show = (id: string) =>
    showNewest(deps, id).catch((error: unknown) =>
      deps.log.warn({ generation: id, error }, 'status message not shown'),
    )
  // Whoever ends lets the next begin, which belongs to another.
  return createQueue((id) => within({ generation: id }, () => show(id)))
}

/** @param show never rejects */
export function createQueue(show: (id: string) => Promise<void>): Shows {
  const waiting = new Set<string>()
  const showing = new Map<string, Promise<void>>()

  const begin = () => {
    for (const id of waiting) {
      if (showing.size >= mostAtOnce) return
      if (showing.has(id)) continue
      waiting.delete(id)
      const shown = show(id).finally(() => {
        showing.delete(id)
        begin()
      })
      showing.set(id, shown)
    }
  }

  return {
    show(id) {
      if (waiting.size >= mostWaiting) return
      waiting.add(id)
      begin()
    },
    async quiet(id) {
      waiting.delete(id)
      await showing.get(id)
    },
    async idle() {
      while (showing.size > 0) await Promise.all(showing.values())
    },
  }
}

/** Read when its turn comes; and if it changed while it was shown, another process may have shown that before: once more. */
async function showNewest(
  { db, messenger }: Pick<GenerationDeps, 'db' | 'messenger'>,
  id: string,
): Promise<void> {
  const read = async () => (await db.select().from(generations).where(eq(generations.id, id)))[0]
  let shown: Generation | undefined
  for (let now = await read(); now && !looksLike(now, shown); now = await read()) {
    await messenger.show(now)
    shown = now
  }
}

const looksLike = (one: Generation, other: Generation | undefined): boolean =>
  one.state === other?.state && one.delivery === other.delivery

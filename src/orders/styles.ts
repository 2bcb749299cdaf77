// Custom styles and concepts of the gateway.

import { desc, eq } from 'drizzle-orm'
import { maxInlineBytes } from '../catalog/media.ts'
import type { Database } from '../db/client.ts'
import { styles } from '../db/schema.ts'
import type { Concept } from '../gateway/client.ts'
import { GatewayError, GatewayRefused } from '../gateway/errors.ts'
import { allSettledWithin, type Clock, hourMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { pathStatuses } from '../sales/refusal-words.ts'
import type { GenerationDeps } from './generation.ts'
import { readForModel } from './submit.ts'

// Custom styles: pictures are sent to the gateway, and the id that it returns is stored, so that the user can choose the style.

type StyleMade =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'refused'; readonly said: string | undefined }
  /** The gateway or a picture is temporarily unavailable. */
  | { readonly ok: false; readonly reason: 'unavailable' }

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log' | 'gateway' | 'media' | 'refusals'>

export interface StyleOrder {
  readonly userId: bigint
  readonly name: string
  /** Telegram's file ids of one to five pictures. */
  readonly files: readonly { readonly file: string; readonly mime: string }[]
}

/** Makes a style by `POST /v1/styles`. The documentation of the gateway names no price for it, so nothing is charged. */
export async function makeStyle(deps: Deps, { userId, name, files }: StyleOrder): Promise<StyleMade> {
  const images = await Promise.all(files.map((one) => dataUri(deps, one)))
  if (!images.every((image) => image !== undefined)) return { ok: false, reason: 'unavailable' }
  try {
    const { id } = await deps.gateway.createStyle({ name, images })
    await deps.db
      .insert(styles)
      .values({ id, userId, name, createdAt: deps.clock.now() })
      .onConflictDoNothing()
    return { ok: true, id }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    deps.log.warn({ error }, 'style not made')
    const refusal = deps.refusals.of(error, undefined, { name })
    if (refusal) await deps.refusals.stop(refusal)
    else if (error instanceof GatewayRefused && !pathStatuses.includes(error.status))
      return { ok: false, reason: 'refused', said: error.said }
    return { ok: false, reason: 'unavailable' }
  }
}

async function dataUri({ media }: Deps, file: StyleOrder['files'][number]): Promise<string | undefined> {
  const read = await readForModel(media, file, maxInlineBytes)
  return read.ok ? `data:${read.mime};base64,${read.bytes.toString('base64')}` : undefined
}

export const stylesOf = (
  db: Database,
  userId: bigint,
  most: number,
): Promise<(typeof styles.$inferSelect)[]> =>
  db.select().from(styles).where(eq(styles.userId, userId)).orderBy(desc(styles.createdAt)).limit(most)

// A cache of the gateway's list of concepts, refreshed at most once an hour. When a refresh fails, the last list is used.

const freshMs = hourMs
const retryMs = 60_000
/** The longest that a slow gateway delays a card. */
const waitMs = 3000

export type { Concept }

export function cachedConcepts(
  ask: () => Promise<readonly Concept[]>,
  clock: Clock,
  log: Log,
): () => Promise<readonly Concept[]> {
  let known: readonly Concept[] = []
  let refreshAt = 0
  let refreshing: Promise<void> | undefined
  const after = (ms: number) => clock.now().getTime() + ms
  const refresh = async () => {
    try {
      known = await ask()
      refreshAt = after(freshMs)
    } catch (error) {
      refreshAt = after(retryMs)
      log.warn({ error }, 'concepts cannot be read')
    } finally {
      refreshing = undefined
    }
  }
  return async () => {
    if (clock.now().getTime() < refreshAt) return known
    refreshing ??= refresh()
    await allSettledWithin([refreshing], clock, waitMs)
    return known
  }
}

// Checks that what a request refers to exists: custom styles, earlier videos, concepts and files. Links to this machine are fetched, as the
// real gateway would fetch them; all other links are accepted unread, so that the sandbox needs no network.

import { z } from 'zod'
import type { Flat } from '../../catalog/field.ts'
import { GatewayRefusal } from './answer.ts'
import { isConcept } from './concepts.ts'

export interface Known {
  isStyle(id: string): boolean
  /** Whether the gateway made a video of this id. */
  isVideo(id: string): boolean
}

const references = z.object({
  style_id: z.string().optional().catch(undefined),
  keyframes: z
    .record(z.string(), z.object({ id: z.string().optional() }))
    .catch({})
    .default({}),
  concepts: z
    .array(z.object({ key: z.string() }))
    .catch([])
    .default([]),
})

/** @throws GatewayRefusal */
export function checkReferences(known: Known, body: Record<string, unknown>): void {
  const { style_id, keyframes, concepts } = references.parse(body)
  if (style_id !== undefined && !known.isStyle(style_id)) {
    throw new GatewayRefusal(400, 'unknown_style', `style_id: no style "${style_id}" was created`)
  }
  for (const [frame, { id }] of Object.entries(keyframes)) {
    if (id === undefined || known.isVideo(id)) continue
    throw new GatewayRefusal(400, 'unknown_generation', `keyframes.${frame}: there is no video "${id}"`)
  }
  const unknown = concepts.find(({ key }) => !isConcept(key))
  if (unknown) throw new GatewayRefusal(400, 'unknown_concept', `concepts: there is no "${unknown.key}"`)
}

const thisMachine = /^http:\/\/(127\.0\.0\.1|localhost)[:/]/

/**
 * @param files the values of the media fields in a request
 * @throws GatewayRefusal with the path of the first link that cannot be fetched
 */
export async function checkFiles(files: Flat, signal: AbortSignal): Promise<void> {
  for (const { place, link } of linksIn(files)) {
    const isThere = await fetch(link, { signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]) })
      .then(async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      })
      .catch(() => false)
    if (!isThere) throw new GatewayRefusal(400, 'unreachable_file', `${place}: the file cannot be fetched`)
  }
}

interface FoundLink {
  readonly place: string
  readonly link: string
}

function linksIn(value: unknown, place = ''): FoundLink[] {
  if (typeof value === 'string') return thisMachine.test(value) ? [{ place, link: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => linksIn(item, place ? `${place}.${key}` : key))
}

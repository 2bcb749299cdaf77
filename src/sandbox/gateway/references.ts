// What a request can refer to: custom styles, earlier videos, concepts and files. They must exist. gateway-api.md says only that
// `POST /v1/styles` creates a style and that its id is a UUID; here the request is `{name?, style?, images: [1 to 5 links or data URIs]}`, the
// answer is HTTP 200 with `{"id": "..."}`, and it costs nothing. Nor does it show the camera and motion effects of MODEL-VIDEO-DREAM; here their
// list is `{"data": [{"key": "...", "name": "..."}]}`.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Flat } from '../../catalog/field.ts'
import { bad } from './answer.ts'
import { check } from './text/ask.ts'

const picture = z.string().regex(/^(https?:\/\/\S+|data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+)$/, {
  error: 'must be an http(s) URL or a data URI of a PNG, JPEG or WebP picture',
})
const newStyle = z.object({ images: z.array(picture).min(1).max(5) })

/** @throws GatewayRefusal */
export const checkStyle = (body: unknown) => check(newStyle, body, 'name style')

/** A UUID of version 4, unique as long as the ids are. */
export function uuidFrom(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex')
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

const concepts =
  'static pan_left pan_right tilt_up tilt_down zoom_in zoom_out dolly_zoom orbit_left orbit_right crane_up handheld'.split(
    ' ',
  )

const nameOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')

export const conceptList = () => ({ data: concepts.map((key) => ({ key, name: nameOf(key) })) })

interface Known {
  isStyle(id: string): boolean
  /** Whether the gateway made a video of this id. */
  isVideo(id: string): boolean
}

const references = z.object({
  style_id: z.string().optional().catch(undefined),
  keyframes: z.record(z.string(), z.object({ id: z.string().optional() })).catch({}),
  concepts: z.array(z.object({ key: z.string() })).catch([]),
})

/** @throws GatewayRefusal */
export function checkReferences(known: Known, body: Record<string, unknown>): void {
  const { style_id, keyframes, concepts: asked } = references.parse(body)
  if (style_id !== undefined && !known.isStyle(style_id.toLowerCase()))
    throw bad(`style_id: no style "${style_id}" was created`, 'unknown_style')
  for (const [frame, { id }] of Object.entries(keyframes))
    if (id !== undefined && !known.isVideo(id))
      throw bad(`keyframes.${frame}: there is no video "${id}"`, 'unknown_generation')
  const unknown = asked.find(({ key }) => !concepts.includes(key))
  if (unknown) throw bad(`concepts: there is no "${unknown.key}"`, 'unknown_concept')
}

const thisMachine = /^http:\/\/(127\.0\.0\.1|localhost)[:/]/

/**
 * @param files the values of the media fields in a request
 * @throws GatewayRefusal with the path of the first link that cannot be fetched
 */
export async function checkFiles(files: Flat, signal: AbortSignal): Promise<void> {
  for (const { place, link } of linksIn(files)) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(20_000)])
    const answer = await fetch(link, { signal: limited }).catch(() => undefined)
    await answer?.body?.cancel()
    if (!answer?.ok) throw bad(`${place}: the file cannot be fetched`, 'unreachable_file')
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

// Custom styles, made from pictures. gateway-api.md says only that `POST /v1/styles` creates one and that its id is a UUID; here
// the request is `{name?, style?, images: [1 to 5 links or data URIs]}`, the answer is HTTP 200 with `{"id": "..."}`, and it
// costs nothing.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { check } from './text/check.ts'

export const styleState = z.object({ id: z.string(), name: z.string().optional(), createdAt: z.number() })
type Style = z.output<typeof styleState>

const picture = z.string().regex(/^(https?:\/\/\S+|data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+)$/, {
  error: 'must be an http(s) URL or a data URI of a PNG, JPEG or WebP picture',
})
const request = z.strictObject({
  name: z.string().min(1).max(100).optional(),
  /** The stock style on which this style is based. */
  style: z.enum(['any', 'realistic_image', 'digital_illustration', 'vector_illustration', 'icon']).optional(),
  images: z.array(picture).min(1).max(5),
})

export interface Styles {
  /** @throws GatewayRefusal */
  create(body: unknown): { readonly id: string }
  has(id: string): boolean
  list(): readonly Style[]
}

interface Deps {
  readonly now: () => Date
  readonly newId: () => string
}

export function openStyles({ now, newId }: Deps, loaded: readonly Style[]): Styles {
  const styles = [...loaded]
  return {
    create(body) {
      const { name } = check(request, body)
      const id = uuidFrom(newId())
      styles.push({ id, createdAt: now().getTime(), ...(name === undefined ? {} : { name }) })
      return { id }
    },
    has: (id) => styles.some((style) => style.id === id.toLowerCase()),
    list: () => styles,
  }
}

/** A UUID of version 4, unique as long as the ids are. */
function uuidFrom(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

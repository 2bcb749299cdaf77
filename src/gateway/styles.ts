// Custom styles, and the concepts of the video-dream model. gateway-api.md shows neither shape. Assumed: a style is created with the
// fields of `CreateStyle` and returned with its id under a usual name; concepts are a list of keys or of objects with a key, directly
// or under a usual name.

import { z } from 'zod'
import { understand } from './answer.ts'
import type { Http } from './http.ts'

export interface CreateStyle {
  readonly name?: string
  /** The stock style on which the new style is based. */
  readonly style?: string
  /** The pictures as data URIs. */
  readonly images: readonly string[]
}

export interface Concept {
  readonly key: string
  readonly name?: string
}

export interface Styles {
  /** @throws GatewayError; GatewayUnknownOutcome means that the style may exist. */
  createStyle(body: CreateStyle): Promise<{ readonly id: string }>
  /** @throws GatewayError */
  concepts(): Promise<readonly Concept[]>
}

const uuid = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .pipe(z.string().regex(/^[\w-]{1,100}$/))
const style = z.union([
  z.object({ id: uuid }),
  z.object({ style_id: uuid }).transform(({ style_id }) => ({ id: style_id })),
  z.object({ uuid }).transform((found) => ({ id: found.uuid })),
  z.object({ data: z.object({ id: uuid }) }).transform(({ data }) => ({ id: data.id })),
])

const key = z.string().min(1)
const name = z.string().min(1).optional().catch(undefined)
const concept = z.union([
  key.transform((only): Concept => ({ key: only })),
  z.object({ key, name, label: name, description: name }).transform((one): Concept => {
    const found = one.name ?? one.label ?? one.description
    return { key: one.key, ...(found === undefined ? {} : { name: found }) }
  }),
])
const list = z.array(z.unknown())
const lists = z.union([
  list,
  z.object({ data: list }).transform(({ data }) => data),
  z.object({ concepts: list }).transform(({ concepts }) => concepts),
  z.object({ items: list }).transform(({ items }) => items),
  z.object({ data: z.object({ concepts: list }) }).transform(({ data }) => data.concepts),
])

export function createStyles(http: Http): Styles {
  return {
    async createStyle(body) {
      const operation = 'create style'
      const answer = await http.call({ operation, method: 'POST', path: '/v1/styles', body })
      return understand(operation, style, answer.json())
    },
    async concepts() {
      const operation = 'list concepts'
      const answer = await http.call({ operation, method: 'GET', path: '/v1/generations/concepts/list' })
      const items = understand(operation, lists, answer.json())
      return items.flatMap((item) => concept.safeParse(item).data ?? [])
    },
  }
}

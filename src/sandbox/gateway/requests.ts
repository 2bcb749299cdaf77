// The newest requests that came to the gateway, for looking at. Headers are left out, and with them the key.

import { z } from 'zod'

export interface RequestRecord {
  readonly at: string
  readonly method: string
  readonly path: string
  /** Null when the connection was cut. */
  readonly status: number | null
  /** The W3C trace it belongs to, if it said so. */
  readonly trace?: string
  readonly body?: unknown
}

export interface Requests {
  add(record: RequestRecord): void
  /** The newest last. */
  list(): readonly RequestRecord[]
}

const kept = 200
const largeText = 2000

export function createRequests(): Requests {
  const records: RequestRecord[] = []
  return {
    add(record) {
      records.push(record)
      if (records.length > kept) records.shift()
    },
    list: () => records,
  }
}

/** A body as it is worth looking at: JSON whose long texts (pictures, mostly) are cut short. */
export function readable(body: unknown): unknown {
  if (typeof body === 'string' && body.length > largeText) return `${body.slice(0, largeText)}...`
  if (Array.isArray(body)) return body.map(readable)
  const object = z.record(z.string(), z.unknown()).safeParse(body)
  if (!object.success) return body
  return Object.fromEntries(Object.entries(object.data).map(([key, value]) => [key, readable(value)]))
}

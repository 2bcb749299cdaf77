// Short random ids that fit into callback data, unguessable tokens, and the numbers of rows.

import { randomBytes } from 'node:crypto'

export interface Ids {
  /** 10 characters, 50 random bits: names a row, guards nothing. */
  next(): string
  /** 32 characters, 160 random bits: knowing it is permission. */
  secret(): string
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const random = (length: number) => [...randomBytes(length)].map((byte) => alphabet[byte % 32]).join('')

export const randomIds: Ids = { next: () => random(10), secret: () => random(32) }

const largestNumber = 2n ** 63n - 1n

/** The number of a row, as people write it or a button carries it; undefined for what no row can have. */
export function parseNumber(text: string): bigint | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined
  const number = BigInt(text)
  return number <= largestNumber ? number : undefined
}

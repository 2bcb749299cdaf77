// Short random ids that fit into callback data, and unguessable tokens.

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

// Random ids that are short enough for callback data, unguessable tokens, and the comparison of secrets.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Ids {
  /** 10 characters, 50 random bits: identifies a row; not a secret. */
  next(): string
  /** 32 characters, 160 random bits: an unguessable token that grants access. */
  secret(): string
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const random = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % 32]).join('')

export const randomIds: Ids = { next: () => random(10), secret: () => random(32) }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares secrets in constant time. */
export const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(digest(given), digest(wanted))

// Random ids that are short enough for callback data, unguessable tokens, and parsing of row ids.

import { randomFillSync } from 'node:crypto'

export interface Ids {
  /** 10 characters, 50 random bits: identifies a row; not a secret. */
  next(): string
  /** 32 characters, 160 random bits: an unguessable token that grants access. */
  secret(): string
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Random bytes that are generated in advance; each is used once. Generating many costs little more than generating one. */
const pool = new Uint8Array(4096)
let used = pool.length

function random(length: number): string {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (const byte of pool.subarray(used, used + length)) text += alphabet[byte % 32]
  used += length
  return text
}

export const randomIds: Ids = { next: () => random(10), secret: () => random(32) }

// The token in a callback's address: unguessable, one for each generation, and signed, so that a made-up one is recognised
// without the database.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ids } from '../runtime/ids.ts'

export interface CallbackTokens {
  make(): string
  /** Whether this installation made it; tokens of versions that did not sign are not recognised. */
  isSigned(token: string): boolean
}

/** Together as long as a token without a signature, which a version before this one still accepts in the address. */
const length = { random: 20, signature: 12 }

/** 100 random bits and a signature of 60. @param secret what only this installation knows: its bot token */
export function createCallbackTokens(secret: string, ids: Pick<Ids, 'secret'>): CallbackTokens {
  const sign = (random: string) =>
    [...createHmac('sha256', secret).update(`callback ${random}`).digest().subarray(0, length.signature)]
      .map((byte) => alphabet[byte % alphabet.length])
      .join('')
  return {
    make() {
      const random = ids.secret().slice(0, length.random)
      return random + sign(random)
    },
    isSigned(token) {
      const wanted = Buffer.from(sign(token.slice(0, length.random)))
      const given = Buffer.from(token.slice(length.random))
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    },
  }
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

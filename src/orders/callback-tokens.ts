// The token in a callback's address: unguessable, one per generation, and signed, so that a forged one is refused without a
// query.

import { createHmac } from 'node:crypto'
import { type Ids, isSame } from '../runtime/ids.ts'

export interface CallbackTokens {
  make(): string
  /** Whether this installation made the token. Tokens of versions that did not sign are not recognised. */
  isSigned(token: string): boolean
}

/** In characters. The sum is the length of an unsigned token, which an earlier version still accepts in the address. */
const length = { random: 20, signature: 12 }

/** Tokens have 100 random bits and a signature of 60 bits. @param secret known to this installation only: its bot token */
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
    isSigned: (token) => isSame(token.slice(length.random), sign(token.slice(0, length.random))),
  }
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

// Tokens in the addresses of callbacks.

import { expect, it } from 'vitest'
import { createCallbackTokens } from '../../src/orders/callback-tokens.ts'
import { randomIds } from '../../src/runtime/ids.ts'

const tokens = createCallbackTokens('the bot token', randomIds)

it('a token has 32 characters, of which 20 are random, and is recognised by the same installation only', () => {
  const [token, other] = [tokens.make(), tokens.make()]
  expect(token).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/)
  expect(token.slice(0, 20)).not.toBe(other.slice(0, 20))
  expect(tokens.isSigned(token)).toBe(true)
  expect(createCallbackTokens('the bot token', randomIds).isSigned(token)).toBe(true)
  expect(createCallbackTokens('another bot token', randomIds).isSigned(token)).toBe(false)
  const sameRandom = createCallbackTokens('another bot token', { secret: () => token })
  expect(sameRandom.make().slice(0, 20)).toBe(token.slice(0, 20))
})

it('a token with any changed, added or missing character is not recognised', () => {
  const token = tokens.make()
  for (let at = 0; at < token.length; at += 1) {
    const changed = token[at] === '0' ? '1' : '0'
    expect(tokens.isSigned(token.slice(0, at) + changed + token.slice(at + 1))).toBe(false)
  }
  for (const forged of [token.slice(1), token.slice(0, -1), `${token}0`, token.slice(0, 20), ''])
    expect(tokens.isSigned(forged)).toBe(false)
})

// Decoding of plain text files: UTF-8, UTF-16 and Windows-1251 are decoded, everything else is refused.

import { describe, expect, it } from 'vitest'
import { plainTextOf } from '../../src/media/format.ts'

/** Encodes a text in a single-byte encoding, which Buffer does not support. */
function encoded(text: string, encoding: string): Buffer {
  const characters = [...new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, at) => at))]
  return Buffer.from([...text].map((one) => characters.indexOf(one)))
}
const words = 'Привет, мир! Ёлка — 5 шт.\r\n'

describe('a text is read', () => {
  it.each([
    ['UTF-8', Buffer.from(words)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${words}`)],
    ['UTF-16, as Notepad writes it', Buffer.from(`\ufeff${words}`, 'utf16le')],
    ['Windows-1251', encoded(words, 'windows-1251')],
  ])('in %s', (_, bytes) => {
    expect(plainTextOf(bytes)).toBe(words)
  })

  it('in Windows-1251 with English words among the Russian ones', () => {
    const text = 'Команда git rebase переносит commit на другой branch'
    expect(plainTextOf(encoded(text, 'windows-1251'))).toBe(text)
  })
})

describe('no text is read from', () => {
  it.each([
    ['UTF-16 that is cut', Buffer.from([0xff, 0xfe, 0x61])],
    ['UTF-16 with half of a pair', Buffer.from([0xff, 0xfe, 0x3d, 0xd8])],
    ['French in Latin-1', Buffer.from('Élève très pressé, à côté', 'latin1')],
    ['the DOS encoding', encoded('Привет, это старый текст', 'ibm866')],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000', 'hex')],
    ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, at) => ((at * 167) % 255) + 1))],
  ])('%s', (_, bytes) => {
    expect(plainTextOf(bytes)).toBeUndefined()
  })
})

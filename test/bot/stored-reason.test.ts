// Stored reasons that the app itself wrote are shown in the reader's language; reasons that operators typed are not changed.

import { describe, expect, it } from 'vitest'
import { reasonText } from '../../src/bot/balance.ts'
import { builtIn } from '../../src/ledger/built-in-notes.ts'
import { loadTexts, locales } from '../../src/texts.ts'

const texts = loadTexts()
const read = (stored: string, locale: (typeof locales)[number]) =>
  reasonText({ texts }, texts(locale), stored)

const keys = ['refund-lost', 'refund-unsent', 'refund-by-report', 'refund-refused'] as const

describe.each(keys)('%s', (key) => {
  it.each(locales)('is shown in %s', (locale) => {
    expect(read(builtIn(key), locale)).toBe(texts(locale).plain(key))
  })

  it("is shown in the reader's language although it was stored as a text of another language", () => {
    for (const written of locales)
      for (const locale of locales)
        expect(read(texts(written).plain(key), locale)).toBe(texts(locale).plain(key))
  })
})

it.each(['a blank picture', '#1 in the queue', '#refund', ''])('%j stays as it was typed', (typed) => {
  for (const locale of locales) expect(read(typed, locale)).toBe(typed)
})

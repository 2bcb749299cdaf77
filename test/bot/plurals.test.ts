// Nouns agree with the number beside them; texts do not guess the gender of the reader, and name no environment variable; stored reasons that
// the app wrote are shown in the language of the reader.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reasonText } from '../../src/bot/balance.ts'
import { partsText, refusalText } from '../../src/bot/cards/answer-text.ts'
import type { Refusal } from '../../src/form/answer.ts'
import { builtIn } from '../../src/ledger/built-in-notes.ts'
import { type Locale, loadTexts, locales } from '../../src/texts.ts'

const texts = loadTexts()
/** Replaces no-break spaces by ordinary ones. */
const spaced = (text: string) => text.replaceAll('\u00a0', ' ')

describe('the text of a refusal', () => {
  const tooLong = (length: number): Refusal => ({ reason: 'too-long', max: 20, length })
  const tooLongFile = (max: number): Refusal => ({ reason: 'file-too-long', max })
  const tooMany = (max: number): Refusal => ({ reason: 'too-many-files', max })

  it.each<[Locale, Refusal, string]>([
    ['ru', tooLong(21), 'Слишком длинно: 21 знак, а можно не больше 20.'],
    ['ru', tooLong(22), 'Слишком длинно: 22 знака, а'],
    ['ru', tooLong(25), 'Слишком длинно: 25 знаков, а'],
    ['ru', tooLong(2500), 'Слишком длинно: 2 500 знаков, а'],
    ['en', tooLong(2500), 'Too long: 2,500 characters, the limit is 20.'],
    ['ru', tooLongFile(1), 'можно до 1 секунды.'],
    ['ru', tooLongFile(2), 'можно до 2 секунд.'],
    ['ru', tooLongFile(21), 'можно до 21 секунды.'],
    ['en', tooLongFile(1), 'at most 1 second.'],
    ['ru', tooMany(1), 'Не больше 1 файла.'],
    ['ru', tooMany(3), 'Не больше 3 файлов.'],
    ['en', tooMany(1), 'No more than 1 file.'],
  ])('agrees with its number in %s: %o', (locale, refusal, said) => {
    expect(spaced(refusalText(texts(locale), refusal, undefined))).toContain(said)
  })
})

describe('the text of a minimum price', () => {
  it.each([
    ['ru', 'image', 1, 'минимум за 1 картинку'],
    ['ru', 'image', 2, 'минимум за 2 картинки'],
    ['ru', 'image', 5, 'минимум за 5 картинок'],
    ['ru', 'request', 21, 'минимум за 21 заказ'],
    ['ru', 'character', 1000, 'минимум за 1 000 знаков'],
    ['ru', 'second', 1, 'минимум за 1 с'],
    ['en', 'image', 1, 'minimum for 1 picture'],
    ['en', 'second', 1, 'minimum for 1 second'],
    ['en', 'character', 1000, 'minimum for 1,000 characters'],
  ] as const)('agrees with its number in %s, for %s: %i', (locale, unit, quantity, said) => {
    const rate = { roubles: '1', per: 1 }
    const rest = { multiplier: '1', isMinimum: true, count: 1, rounding: '0.01', surcharges: [] }
    const amount = BigInt(quantity) * 100n
    expect(spaced(partsText({ rate, quantity, unit, ...rest }, amount, texts(locale)))).toBe(said)
  })
})

it('the texts about a persona that is too long, and about a document, agree with their numbers', () => {
  const persona = (locale: Locale, length: number) =>
    spaced(texts(locale).html('persona-too-long', { length, max: 2000 }))
  expect(persona('ru', 1)).toContain('Здесь 1 знак,')
  expect(persona('ru', 2003)).toContain('Здесь 2 003 знака,')
  expect(persona('ru', 2500)).toContain('Здесь 2 500 знаков,')
  expect(persona('en', 2500)).toContain('That’s 2,500 characters,')
  const document = (length: number) => texts('en').html('document-uses', { length })
  expect([document(1), document(2500)].join()).toMatch(/📄 1 character\.[\s\S]*📄 2,500 characters\./)
})

/** Gendered forms: `просил(а)`, and the singular `вы отправил` in place of `вы отправили`. */
const gendered = /[а-яё]\((а|ась|ла)\)|(^|[^а-яё])вы ([а-яё]+ )?[а-яё]+(л|ла|лся|лась)(?![а-яё])/i

const linesIn = (locale: string) => {
  const folder = `src/bot/locales/${locale}`
  const files = readdirSync(folder).filter((name) => name.endsWith('.ftl'))
  return files.flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'))
}

it('no Russian text guesses the gender of the reader, and no text names an environment variable', () => {
  expect(linesIn('ru').length).toBeGreaterThan(500)
  expect(linesIn('ru').filter((line) => gendered.test(line))).toEqual([])
  expect(['Не то, что я просил(а)', 'Что вы отправил?'].filter((line) => gendered.test(line))).toHaveLength(2)
  const lines = locales.flatMap(linesIn).filter((line) => !line.startsWith('#'))
  expect(lines.filter((line) => /[A-Z]{2,}_[A-Z]{2,}/.test(line))).toEqual([])
})

describe('A stored reason:', () => {
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
})

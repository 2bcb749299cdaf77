// A tour of the bot in a real browser: one whole journey of each kind, on a phone and a desktop, in both languages.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath } from '../../support/users/browser.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { type Language, openVisitor, type Visitor } from '../../support/users/visitor.ts'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 860 }

const visits = [
  ['a phone in Russian', 'ru', phone],
  ['a phone in English', 'en', phone],
  ['a desktop in Russian', 'ru', desktop],
  ['a desktop in English', 'en', desktop],
] as const

type Words = Readonly<Record<Language, string>>

/** The name of the result, the command in both languages, and the kind of element that shows the result on the page. */
const journeys: readonly (readonly [string, Words, string])[] = [
  ['an image', { ru: '/image красная лодка на рассвете', en: '/image a red boat at dawn' }, 'photo'],
  ['a video', { ru: '/video кот на доске для сёрфинга', en: '/video a cat surfing' }, 'video'],
  ['speech', { ru: '/speech Доброе утро!', en: '/speech Good morning!' }, 'voice-player'],
  [
    'a dialogue',
    { ru: '/dialogue Анна: Привет!\nБорис: Пока!', en: '/dialogue Anna: Hello!\nBob: Bye!' },
    'voice-player',
  ],
  ['music', { ru: '/music спокойная песня о море', en: '/music a calm song about the sea' }, 'audio-player'],
  ['a 3D model', { ru: '/model3d старое кресло', en: '/model3d an old armchair' }, 'document'],
]
const question: Words = { ru: 'Почему небо синее?', en: 'Why is the sky blue?' }

describe.skipIf(!executablePath)('a tour of the bot', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox?.stop())

  describe.each(visits)('on %s', (_, language, viewport) => {
    let visitor: Visitor
    beforeAll(async () => {
      visitor = await openVisitor({ url: sandbox.url, language, name: 'Anna', viewport })
    })
    afterAll(() => visitor?.close())

    it('a top-up succeeds', () => visitor.topsUp('/topup 500'))

    it.each(journeys)('%s is ordered and shown', (_name, words, result) =>
      visitor.orders(words[language], result),
    )

    it('a question is answered', () => visitor.asks(question[language]))

    it('the console has no errors, and no element is wider than the window', async () => {
      const width = await visitor.page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBe(viewport.width)
      expect(visitor.errors).toEqual([])
    })
  })
})

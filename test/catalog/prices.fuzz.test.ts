// Prices of every model with random settings of the operator: exact, rounded up once, and equal to the amount that follows from the text
// on the card. A failing run prints its seed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsText } from '../../src/bot/cards/answer-text.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { amountOf, exactAmount, type Price, type PriceParts, readParts } from '../../src/catalog/price.ts'
import { ttsDialogue } from '../../src/catalog/tts-dialogue.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { ceilKopecks, decimal, type Fraction } from '../../src/money.ts'
import { loadTexts, type Say } from '../../src/texts.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'
import { runs } from '../support/runs.ts'
import { answersFor, multiplier, rising, roubles, rounding, settingsFor } from '../support/users/settings.ts'

const texts = loadTexts()
const says = [texts('ru'), texts('en')]

/** Computes the amount in kopecks from a text like `5 с × 18,49 ₽ × 1,5 (доплата) + доплата 50 ₽, округлено вверх до 1 ₽`. */
function byHand(text: string, mark: ',' | '.'): bigint {
  const withoutMinimum = text.replace(/, (?:минимум за|minimum for) [\d,]+\s[^,]*/, '')
  const [sum = '', step] = withoutMinimum.split(/, (?:округлено вверх до|rounded up to) /)
  const terms = sum.split(' + ').map((term) => term.split(' × ').map((part) => numberIn(part, mark)))
  const scale = terms.flat().reduce((all, { den }) => all * den, 1n)
  const total = terms
    .map((factors) => factors.reduce((product, { num, den }) => (product * num) / den, scale * 100n))
    .reduce((a, b) => a + b, 0n)
  const stepKopecks = step ? kopecks(numberIn(step, mark)) : 1n
  const unit = scale * stepKopecks
  if (!step) expect(total % unit).toBe(0n)
  return ((total + unit - 1n) / unit) * stepKopecks
}

const markOf = ({ locale }: Say) => (locale === 'ru' ? ',' : '.')
const kopecks = ({ num, den }: Fraction) => (num * 100n) / den

/** @param mark the decimal mark; a comma beside a decimal point separates thousands */
function numberIn(text: string, mark: ',' | '.'): Fraction {
  const ungrouped = text.replace(mark === '.' ? /[\s,]/g : /\s/g, '')
  const [number = '', per = '1'] = ungrouped.match(/\d+([.,]\d+)?/g) ?? []
  const [whole = '', part = ''] = number.split(mark)
  return { num: BigInt(whole + part), den: 10n ** BigInt(part.length) * BigInt(per) }
}

/** Replaces no-break spaces by ordinary ones. */
const withSpaces = (text: string) => text.replaceAll('\u00a0', ' ')

/** Whether the text names only the minimum or the length of a text, so that no calculation can be checked. */
const saysQuantity = (text: string) => /^(минимум за|minimum for|за|for) /.test(text)

/** Whether the price is of one unit, or the smallest amount that can be charged. */
const isSingle = ({ quantity, amount, rounding }: Price): boolean =>
  quantity === 1 || amount === ceilKopecks(decimal(rounding))

const stored = (price: Price): PriceParts => {
  const { amount: _, gatewayCost: __, ...parts } = price
  return readParts(JSON.parse(JSON.stringify(parts)))
}

/** @returns whether the price has a text; without one it is a single amount */
function expectExplained(price: Price, parts: PriceParts, say: Say): boolean {
  const text = partsText(parts, price.amount, say)
  const isPlain = parts.count === 1 && parts.surcharges.length === 0
  if (text === '') expect(isSingle(price) && isPlain).toBe(true)
  else if (saysQuantity(text)) expect(isPlain && (parts.isMinimum || parts.unit === 'character')).toBe(true)
  else expect(byHand(text, markOf(say)), text).toBe(price.amount)
  return text !== ''
}

describe.each(models.map((model) => [model.id, model] as const))('%s', (_, model) => {
  const priced = (factor = multiplier) =>
    fc.tuple(settingsFor(model, factor), answersFor(model)).map(([settings, answers]) => {
      const catalog = createCatalog([model], settings)
      const body = catalog.request(model, answers)
      return body && catalog.price(model, body)
    })
  const each = (factor: fc.Arbitrary<string>, look: (price: Price) => void) => {
    let seen = 0
    const run = (price: Price | undefined) => {
      if (!price) return
      seen += 1
      look(price)
    }
    fc.assert(fc.property(priced(factor), run), { numRuns: runs(120) })
    // Refused answers must not be most of them, or too few prices were checked.
    expect(seen).toBeGreaterThan(runs(120) / 6)
  }

  it('has an amount that follows from the stored parts, and from the text on the card', () => {
    let shown = 0
    each(multiplier, (price) => {
      const parts = stored(price)
      expect(amountOf(parts)).toBe(price.amount)
      for (const say of says) shown += expectExplained(price, parts, say) ? 1 : 0
    })
    expect(shown).toBeGreaterThan(0)
  })

  it("is never below the gateway's price while the multiplier is at least one", () => {
    each(rising, (price) => expect(price.amount).toBeGreaterThanOrEqual(price.gatewayCost))
  })
})

const anyParts: fc.Arbitrary<PriceParts> = fc.record({
  unit: fc.constantFrom('second' as const, 'image' as const, 'character' as const, 'request' as const),
  quantity: fc.integer({ min: 1, max: 100_000 }).map((n) => n / 10),
  isMinimum: fc.boolean(),
  count: fc.integer({ min: 1, max: 10 }),
  rate: fc.record({ roubles, per: fc.constantFrom(1, 1000, 1_000_000) }),
  multiplier,
  surcharges: fc.array(
    fc.record({
      label: fc.constant({ ru: 'наценка', en: 'extra' }),
      multiplier: rising,
      add: roubles,
      per: fc.constantFrom('second' as const, 'result' as const, 'request' as const),
    }),
    { maxLength: 3 },
  ),
  rounding,
})

const isAtMost = (a: Fraction, b: Fraction) => a.num * b.den <= b.num * a.den
const holds = <T>(arbitrary: fc.Arbitrary<T>, look: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, look), { numRuns: runs(300) })

describe('any price', () => {
  it('is rounded up to a multiple of the step, by less than one step', () => {
    holds(anyParts, (parts) => {
      const amount = amountOf(parts)
      const step = ceilKopecks(decimal(parts.rounding))
      const exact = exactAmount(parts)
      expect(amount % step).toBe(0n)
      expect(isAtMost(exact, { num: amount, den: 100n })).toBe(true)
      if (amount === 0n) expect(exact.num).toBe(0n)
      else expect(isAtMost(exact, { num: amount - step, den: 100n })).toBe(false)
    })
  })

  it('of n results is n times the price of one, before rounding and surcharges per request', () => {
    holds(anyParts, (parts) => {
      const surcharges = parts.surcharges.filter(({ per }) => per !== 'request')
      const all = exactAmount({ ...parts, surcharges })
      const one = exactAmount({ ...parts, surcharges, count: 1 })
      expect(all.num * one.den).toBe(one.num * all.den * BigInt(parts.count))
    })
  })

  it('never decreases when a surcharge, a quantity or a factor increases', () => {
    const dearer = fc.tuple(anyParts, rising, roubles, fc.constantFrom('second', 'result', 'request'))
    holds(dearer, ([parts, factor, add, per]) => {
      const more = { label: { ru: '', en: '' }, multiplier: factor, add, per } as const
      const amount = amountOf(parts)
      const with_ = (change: Partial<PriceParts>) => amountOf({ ...parts, ...change })
      expect(with_({ surcharges: [...parts.surcharges, more] })).toBeGreaterThanOrEqual(amount)
      expect(with_({ quantity: parts.quantity + 1 })).toBeGreaterThanOrEqual(amount)
      expect(with_({ count: parts.count + 1 })).toBeGreaterThanOrEqual(amount)
      expect(with_({ multiplier: `1${parts.multiplier}` })).toBeGreaterThanOrEqual(amount)
      const hundredfold = String(ceilKopecks(decimal(parts.rounding)))
      expect(with_({ rounding: hundredfold })).toBeGreaterThanOrEqual(amount)
    })
  })
})

describe("the operator's prices", () => {
  const dream = { prompt: 'a cat', resolution: '4k' }
  const priced = (settings: object, model = videoDream, answers: object = dream) => {
    const catalog = createCatalog(models, catalogSettings.parse({ [model.id]: settings }))
    const body = catalog.request(model, { ...sampleAnswers(model), ...answers })
    const price = body && catalog.price(model, body)
    if (!price) throw new Error('no price')
    return { amount: price.amount, text: withSpaces(partsText(stored(price), price.amount, texts('en'))) }
  }
  const for4k = (more: object) => ({ surcharges: [{ when: { resolution: '4k' }, ...more }] })

  const labelled = (label: object) => for4k({ add: '50', label })
  const wide = { when: { resolution: '4k', aspect_ratio: '16:9' }, add: '1' }
  it.each([
    ['nothing', {}, 264_10n, '5 s × ₽52.82'],
    ['a margin, within the rate', { multiplier: '1.25' }, 330_13n, '5 s × ₽66.025, rounded up to ₽0.01'],
    ['roubles a request', for4k({ add: '50.00' }), 314_10n, '5 s × ₽52.82 + 4k ₽50'],
    ['roubles a second', for4k({ add: '10', per: 'second' }), 314_10n, '5 s × ₽52.82 + 4k ₽50'],
    ['a factor', for4k({ multiplier: '1.5' }), 396_15n, '5 s × ₽52.82 × 1.5 (4k)'],
    ['a coarse step', { rounding: '5' }, 265_00n, '5 s × ₽52.82, rounded up to ₽5'],
    ['other requests', { surcharges: [{ when: { resolution: '720p' }, add: '1' }] }, 264_10n, '5 s × ₽52.82'],
    ['a label', labelled({ ru: 'Кино', en: 'Cinema' }), 314_10n, '5 s × ₽52.82 + Cinema ₽50'],
    ['a label of another language', labelled({ ru: 'Кино' }), 314_10n, '5 s × ₽52.82 + Кино ₽50'],
    ['two options at once', { surcharges: [wide] }, 265_10n, '5 s × ₽52.82 + 4k, 16:9 ₽1'],
  ])('include %s', (_, settings, amount, text) => {
    expect(priced(settings)).toEqual({ amount, text })
  })

  const studio = { when: { voice: 'Kore' }, label: { ru: 'студия' }, multiplier: '2', add: '1' }
  it.each([
    ['a minimum in words', {}, 'ru', 999, 'минимум за 1 000 знаков'],
    ['a minimum in English', {}, 'en', 1, 'minimum for 1,000 characters'],
    ['the minimum itself as usual', {}, 'en', 1000, 'for 1,000 characters'],
    ['more than the minimum as usual', {}, 'ru', 2000, 'за 2 000 знаков'],
    ['a rounded one', { rounding: '1' }, 'en', 5, '₽6.65, minimum for 1,000 characters, rounded up to ₽1'],
    [
      'a minimum with a surcharge',
      { surcharges: [studio] },
      'ru',
      5,
      '6,65 ₽ × 2 (студия) + студия 1 ₽, минимум за 1 000 знаков',
    ],
  ] as const)('show %s', (_, settings, locale, length, shown) => {
    const catalog = createCatalog(models, catalogSettings.parse({ [ttsDialogue.id]: settings }))
    const price = catalog.price(ttsDialogue, {
      model: ttsDialogue.id,
      text: 'a'.repeat(length),
      voice: 'Kore',
    })
    if (!price) throw new Error('no price')
    expect(withSpaces(partsText(stored(price), price.amount, texts(locale)))).toBe(shown)
  })

  it('count results, and match conditions with a minimum', () => {
    const surcharges = [{ when: { numberResults: { min: 2 } }, add: '1', per: 'result' }]
    expect(priced({ surcharges }, videoReel, { numberResults: 2 }).amount).toBe(186_90n)
    expect(priced({ surcharges }, videoReel, { numberResults: 1 }).amount).toBe(92_45n)
  })

  it('match request values that the operator sets', () => {
    const settings = {
      request: { 'safety.mode': 'full' },
      surcharges: [{ when: { 'safety.mode': 'full' }, add: '3' }],
    }
    expect(priced(settings, videoReel, {}).amount).toBe(95_45n)
  })

  const old = { unit: 'second', quantity: 5, count: 1, rate: { roubles: '10', per: 1 }, multiplier: '1.1' }

  it('of quotes that were stored before surcharges existed can still be read', () => {
    expect(amountOf(readParts({ ...old, count: 2 }))).toBe(110_00n)
  })

  it.each([
    ['labels by language, as they were once stored', { ru: 'Звук', en: 'Sound' }, 'Sound'],
    ['a label that is no longer in the locale files', 'option-retired', 'option-retired'],
    ['a label of the locale files', 'field-sound', 'Sound'],
  ])('of quotes with %s can still be read', (_, label, shown) => {
    const surcharges = [{ label, multiplier: '1', add: '2', per: 'request' }]
    const parts = readParts({ ...old, surcharges })
    expect(withSpaces(partsText(parts, amountOf(parts), texts('en')))).toBe(`5 s × ₽11 + ${shown} ₽2`)
  })

  it.each([
    [for4k({ add: 50 }), /expected string/],
    [{ surcharges: [{ when: { resolution: '8k' }, add: '1' }] }, /"resolution" is never "8k"/],
    [{ surcharges: [{ when: { resolution: ['4k', 5] }, add: '1' }] }, /"resolution" is never 5/],
    [{ surcharges: [{ when: { quality: '4k' }, add: '1' }] }, /no field "quality"/],
    [{ surcharges: [{ when: {}, add: '1' }] }, /write when it applies/],
    [for4k({ multiplier: '0.9' }), /never makes cheaper/],
    [for4k({ plus: '1' }), /Unrecognized key/],
    [for4k({ add: '1', label: {} }), /at least one language/],
    [for4k({ add: '1', label: { Russian: 'Кино' } }), /a language, like/],
    [{ rounding: '0.001' }, /roubles in quotes/],
    [{ rounding: '0' }, /roubles in quotes/],
  ])('are refused at the start when they are invalid: %j', (settings, message) => {
    expect(() => createCatalog(models, catalogSettings.parse({ [videoDream.id]: settings }))).toThrow(message)
  })

  it('can be per second only for models that are sold by the second', () => {
    const settings = { surcharges: [{ when: { n: 2 }, add: '1', per: 'second' }] }
    const own = catalogSettings.parse({ 'MODEL-IMAGE-DESIGN': settings })
    expect(() => createCatalog(models, own)).toThrow('MODEL-IMAGE-DESIGN: not sold by the second: write')
  })
})

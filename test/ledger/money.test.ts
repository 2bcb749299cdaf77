import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountFormat,
  ceilKopecks,
  decimal,
  formatRoubles,
  parseRoubles,
  parseSureRoubles,
  plus,
  times,
} from '../../src/money.ts'
import { threadTime } from '../support/runtime/cpu-time.ts'

describe('exact arithmetic', () => {
  it('rounds a price up once, and adds fractions of different scale exactly', () => {
    for (const [rate, quantity, kopecks] of [
      ['18.49', '5', 9245n],
      ['18.49', '3.5', 6472n],
      ['39.62', '0.000001', 1n],
      ['0.01', '1', 1n],
      ['0.001', '1', 1n],
      ['0', '15', 0n],
    ] as const)
      expect(ceilKopecks(times(decimal(rate), decimal(quantity)))).toBe(kopecks)
    expect(ceilKopecks(plus(decimal('0.1'), decimal('0.2')))).toBe(30n)
    for (const text of ['', '-1', '1e3', '0x10', '1,5', 'NaN', '٣'])
      expect(() => decimal(text), text).toThrow(RangeError)
  })

  it('rounds up by less than a kopeck', () => {
    const price = fc.tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 100_000 }))
    fc.assert(
      fc.property(price, ([millis, quantity]) => {
        const exact = BigInt(millis) * BigInt(quantity)
        const kopecks = ceilKopecks(times({ num: BigInt(millis), den: 1000n }, decimal(quantity)))
        expect(kopecks * 10n >= exact && (kopecks - 1n) * 10n < exact).toBe(true)
      }),
    )
  })
})

describe('amounts as users read and write them', () => {
  it('are written with kopecks, however large', () => {
    for (const [kopecks, text] of [
      [9245n, '92,45 ₽'],
      [0n, '0,00 ₽'],
      [5n, '0,05 ₽'],
      [100000000n, '1 000 000,00 ₽'],
      [-150n, '−1,50 ₽'],
      [12345678901234567890n, '123 456 789 012 345 678,90 ₽'],
    ] as const)
      expect(formatRoubles(kopecks)).toBe(text)
  })

  it('many spaces between words are read quickly', () => {
    const began = threadTime()
    expect(parseRoubles(`1${' '.repeat(50_000)}!`)).toBeUndefined()
    expect(threadTime() - began).toBeLessThan(500)
  })

  it('are not sure where a thousand may be one', () => {
    for (const text of ['1,000', '1.234', '1,000 ₽', '₽1,000'])
      expect(parseSureRoubles(text), text).toBeUndefined()
    for (const text of ['1000', '1 000', "1'000", '1,000.00', '1.000,00'])
      expect(parseSureRoubles(text), text).toBe(1000_00n)
  })

  it.each([
    ['ru-RU', '18,49_₽', '27,735_₽', '6_650_₽', '1,50', '1_000_000', '−1_234,50_₽'],
    ['en-GB', '₽18.49', '₽27.735', '₽6,650', '1.50', '1,000,000', '−₽1,234.50'],
    ['de-DE', '18,49_₽', '27,735_₽', '6.650_₽', '1,50', '1.000.000', '−1.234,50_₽'],
    ['ja-JP', '₽18.49', '₽27.735', '₽6,650', '1.50', '1,000,000', '−₽1,234.50'],
  ])('are written as in %s, with no-break spaces (here _)', (tag, ...expected) => {
    const [rate, product, large, setting, whole, debt] = expected.map((text) =>
      text.replaceAll('_', '\u00a0'),
    )
    const format = amountFormat(tag)
    expect(format.rate(decimal('18.49'))).toBe(rate)
    expect(format.rate(times(decimal('18.49'), decimal('1.5')))).toBe(product)
    expect(format.rate(decimal('6650'))).toBe(large)
    expect(format.decimal('1.50')).toBe(setting)
    expect(format.number(1_000_000)).toBe(whole)
    expect(format.roubles(-123450n)).toBe(debt)
    expect(format.roubles(665000n)).toBe(large)
    expect(format.inColumn(-123450n)).toBe(debt)
  })
})

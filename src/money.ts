// Money is whole kopecks in bigint; rates and quantities are exact fractions. Rounding happens once, upward, at the end.

export type Kopecks = bigint

/** An exact non-negative number; `den` is positive. */
export interface Fraction {
  readonly num: bigint
  readonly den: bigint
}

const decimalPattern = /^\d{1,15}(\.\d{1,12})?$/

/** Reads `"18.49"` or `5` exactly. @throws RangeError when it is not a plain non-negative decimal. */
export function decimal(value: string | number | bigint): Fraction {
  const text = String(value)
  if (!decimalPattern.test(text)) throw new RangeError(`not a plain decimal: ${text}`)
  const [whole = '', part = ''] = text.split('.')
  return { num: BigInt(whole + part), den: 10n ** BigInt(part.length) }
}

export function times(...factors: readonly Fraction[]): Fraction {
  return factors.reduce((a, b) => ({ num: a.num * b.num, den: a.den * b.den }), { num: 1n, den: 1n })
}

export function plus(...terms: readonly Fraction[]): Fraction {
  return terms.reduce((a, b) => ({ num: a.num * b.den + b.num * a.den, den: a.den * b.den }), {
    num: 0n,
    den: 1n,
  })
}

/** Roubles to whole kopecks, rounded up to a multiple of `step`. */
export function ceilKopecks(roubles: Fraction, step: Kopecks = 1n): Kopecks {
  const [num, den] = [roubles.num * 100n, roubles.den * step]
  return ((num + den - 1n) / den) * step
}

/** `92,45 ₽`; thousands are set apart by a space. */
export function formatRoubles(amount: Kopecks): string {
  const sign = amount < 0n ? '−' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ' ')
  return `${sign}${whole},${digits.slice(-2)} ₽`
}

/** What a person types as an amount: `500`, `99,50`, `1 000 ₽`. */
export function parseRoubles(text: string): Kopecks | undefined {
  const plain = text
    .replace(/(₽|руб\.?|р\.?|rub)\s*$/i, '')
    .replace(/\s/g, '')
    .replace(',', '.')
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return undefined
  return ceilKopecks(decimal(plain))
}

/** `18,49` or `27,735`: a decimal number of roubles, exact, with at least two decimals. */
export function formatRate(roubles: Fraction): string {
  const scale = 10n ** 12n
  const units = (roubles.num * scale) / roubles.den
  const [whole, part] = [units / scale, (units % scale).toString().padStart(12, '0')]
  return `${whole},${part.replace(/0+$/, '').padEnd(2, '0')}`
}

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

/** How one language writes amounts. */
export interface AmountFormat {
  /** `1 092,45 ₽`, `₽1,092.45`; never broken between lines. */
  roubles(amount: Kopecks): string
  /** `18,49 ₽`, `₽27.735`: an exact amount with at least two decimals, not grouped. */
  rate(roubles: Fraction): string
  /** A decimal as it was written in the settings, with the decimal mark of the language: `1.50` -> `1,50`. */
  decimal(text: string): string
  /** `1 000 000`, `1000` or `1,000` */
  whole(count: number): string
}

/** @param tag an Intl locale, like `ru-RU` */
export function amountFormat(tag: string): AmountFormat {
  const currency = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'RUB',
    currencyDisplay: 'narrowSymbol',
  })
  const exact = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'RUB',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 12,
    useGrouping: false,
    roundingMode: 'trunc',
  })
  // Russian writes four digits without a space.
  const grouped = new Intl.NumberFormat(tag, { useGrouping: tag.startsWith('ru') ? 'min2' : 'auto' })
  const mark = exact.formatToParts(0).find(({ type }) => type === 'decimal')?.value ?? '.'
  return {
    roubles: (amount) => normal(currency.format(decimalText(amount, 2))),
    rate: ({ num, den }) => normal(exact.format(decimalText((num * 10n ** 12n) / den, 12))),
    decimal: (text) => text.replace('.', mark),
    whole: (count) => normal(grouped.format(count)),
  }
}

/** One kind of no-break space, and a minus as long as a plus. */
const normal = (text: string): string => text.replace(/\s/gu, '\u00a0').replace('-', '−')

/** `9245n` with 2 digits -> `92.45`, which Intl formats exactly. */
function decimalText(units: bigint, digits: number): `${number}` {
  const sign = units < 0n ? '-' : ''
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}` as `${number}`
}

/** `92,45 ₽`, as in Russia: for terminals and logs. A user reads amounts as `say.roubles` writes them. */
export function formatRoubles(amount: Kopecks): string {
  inRussia ??= amountFormat('ru-RU')
  return inRussia.roubles(amount).replaceAll('\u00a0', ' ')
}
let inRussia: AmountFormat | undefined

const currencyWord = /\s*(?:₽|руб(?:\.|л\p{L}{0,3})?|р\.?|rub(?:\.|les?)?|roubles?|r\.?)$/iu
const plainNumber = /^\d{1,9}(?:[.,]\d{1,2})?$/
const spaced = /^\d{1,3}([ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})?(?:[.,]\d{1,2})?$/
/** Commas that cannot be a decimal mark: there are several, or a point follows. */
const withCommas = /^\d{1,3}(?:,\d{3}){1,2}\.\d{1,2}$|^\d{1,3}(?:,\d{3}){2}$/
/** As languages write it that put the sign first. */
const signedThousands = /^₽\s?\d{1,3},\d{3}$/

/**
 * What a person types or pastes as an amount: `500`, `99,50`, `1 000 ₽`, `₽1,092.45`, `500 roubles`. What can be read in two ways is no
 * amount: `1,000`, `500 100`.
 */
export function parseRoubles(text: string): Kopecks | undefined {
  const typed = text.trim()
  const number = typed.replace(/^₽\s?/, '').replace(currencyWord, '')
  if (signedThousands.test(typed) || withCommas.test(number)) return kopecksIn(number.replaceAll(',', ''))
  if (!plainNumber.test(number) && !spaced.test(number)) return undefined
  return kopecksIn(number.replaceAll(/\s/g, '').replace(',', '.'))
}

const kopecksIn = (plain: string): Kopecks => ceilKopecks(decimal(plain))

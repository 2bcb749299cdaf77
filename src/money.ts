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

export const ceilDiv = (num: bigint, den: bigint): bigint => (num + den - 1n) / den
export const lower = (one: Kopecks, other: Kopecks): Kopecks => (one < other ? one : other)
export const higher = (one: Kopecks, other: Kopecks): Kopecks => (one > other ? one : other)

/** Roubles to whole kopecks, rounded up to a multiple of `step`. */
export function ceilKopecks(roubles: Fraction, step: Kopecks = 1n): Kopecks {
  return ceilDiv(roubles.num * 100n, roubles.den * step) * step
}

/** How one language writes amounts. */
export interface AmountFormat {
  /** `1 092,45 ₽`, `₽1,092.45`, and whole roubles without kopecks: `500 ₽`; never broken between lines. */
  roubles(amount: Kopecks): string
  /** `500,00 ₽`: always with kopecks, for the column of amounts of a statement. */
  inColumn(amount: Kopecks): string
  /** `18,49 ₽`, `₽27.735`, `11 ₽`: an exact amount, with no or at least two decimals. */
  rate(roubles: Fraction): string
  /** A decimal as it was written in the settings, with the decimal mark of the language: `1.50` -> `1,50`. */
  decimal(text: string): string
  /** `30 000`, `30,000.5` */
  number(value: number): string
}

/** @param tag an Intl locale, like `ru-RU` */
export function amountFormat(tag: string): AmountFormat {
  const currency = { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' } as const
  const column = new Intl.NumberFormat(tag, currency)
  const exact = new Intl.NumberFormat(tag, {
    ...currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 12,
    roundingMode: 'trunc',
    trailingZeroDisplay: 'stripIfInteger',
  })
  // Thousands are separated by marks, as in amounts and in the numbers that Fluent writes.
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 12 })
  const mark = column.formatToParts(0).find(({ type }) => type === 'decimal')?.value ?? '.'
  return {
    roubles: (amount) => normal(exact.format(decimalText(amount, 2))),
    inColumn: (amount) => normal(column.format(decimalText(amount, 2))),
    rate: ({ num, den }) => normal(exact.format(decimalText((num * 10n ** 12n) / den, 12))),
    decimal: (text) => text.replace('.', mark),
    number: (value) => normal(number.format(value)),
  }
}

/** Replaces all spaces by one kind of no-break space, and the hyphen by a minus sign that is as long as a plus. */
const normal = (text: string): string => text.replace(/\s/gu, '\u00a0').replace('-', '−')

/** Writes units as a decimal, which Intl formats exactly: `9245n` with 2 digits -> `92.45`. */
function decimalText(units: bigint, digits: number): `${number}` {
  const sign = units < 0n ? '-' : ''
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}` as `${number}`
}

/** `92,45 ₽`, `500,00 ₽`, as in Russia: for terminals and logs. A user reads amounts as `say.roubles` writes them. */
export function formatRoubles(amount: Kopecks): string {
  inRussia ??= amountFormat('ru-RU')
  return inRussia.inColumn(amount).replaceAll('\u00a0', ' ')
}
let inRussia: AmountFormat | undefined

/** A match begins only before the first space of a row: trying each space would take the square of their number in time. */
const currencyWord = /(?<!\s)\s*(?:₽|руб(?:\.|л\p{L}{0,3})?|р\.?|rub(?:\.|les?)?|roubles?|r\.?)$/iu
/** Groups of three digits between marks of one kind: `1 000`, `1,000`, `1.000.000`, `1'000,50`. */
const grouped =
  /^[1-9]\d{0,2}([ \u00a0\u2009\u202f.,'’])\d{3}(?:\1\d{3}){0,4}(?:(?!\1)[.,](?!\d{3}$)\d{1,6})?$/
/** Three digits after a mark are a fraction only where they cannot be thousands: `0,125`, `1234.567`. */
const ungrouped = /^(?:\d{1,16}|(?:0|\d{4,16})[.,]\d{3}|\d{1,16}[.,](?!\d{3}$)\d{1,6})$/

/**
 * Reads a number as people write it, and removes the marks of groups: `1,000` -> `1000`, `1.000,5` -> `1000.5`. Undefined for unreadable
 * text: `1,00,0`.
 */
export function plainNumber(typed: string): string | undefined {
  const [, mark] = grouped.exec(typed) ?? []
  if (mark !== undefined) return typed.replaceAll(mark, '').replace(',', '.')
  return ungrouped.test(typed) ? typed.replace(',', '.') : undefined
}

const numberOf = (typed: string): string => typed.trim().replace(/^₽\s?/, '').replace(currencyWord, '')

/**
 * Reads an amount that a person types or pastes, and that is shown before it counts: `500`, `99,50`, `1 000 ₽`, `₽1,092.45`, `500 roubles`.
 * Three digits after a comma or a point are thousands: `1,000`, `1.000`.
 */
export function parseRoubles(text: string): Kopecks | undefined {
  const plain = plainNumber(numberOf(text))
  return plain !== undefined && /^\d{1,9}(?:\.\d{1,2})?$/.test(plain)
    ? ceilKopecks(decimal(plain))
    : undefined
}

/** Reads an amount that counts at once. `1,000` is refused: its writer may have meant a fraction, and there is no confirmation. */
export const parseSureRoubles = (text: string): Kopecks | undefined =>
  /^\d{1,3}[.,]\d{3}$/.test(numberOf(text)) ? undefined : parseRoubles(text)

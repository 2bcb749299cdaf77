// Amounts, sizes, durations and dates in the current language.

import { language, t } from './i18n.ts'

const locale = () => (language() === 'ru' ? 'ru-RU' : 'en-GB')

/** Currencies without a minor unit. Amounts of other currencies are in hundredths. */
const whole = new Set(['XTR', 'JPY', 'KRW', 'VND', 'CLP', 'ISK', 'UGX', 'PYG'])

/** @param total in the smallest unit of the currency */
export function money(total: number, currency: string): string {
  if (currency === 'XTR') return `⭐\u00a0${new Intl.NumberFormat(locale()).format(total)}`
  const digits = whole.has(currency) ? 0 : 2
  const amount = new Intl.NumberFormat(locale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: 'always',
  }).format(total / 10 ** digits)
  if (currency !== 'RUB') return `${amount}\u00a0${currency}`
  return language() === 'ru' ? `${amount}\u00a0₽` : `₽${amount}`
}

/** @param bytes NaN when unknown, which gives an empty text */
export function fileSize(bytes: number): string {
  if (!Number.isFinite(bytes)) return ''
  const units = [t('unitB'), t('unitKB'), t('unitMB'), t('unitGB')]
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const value = bytes / 1024 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value)} ${units[power]}`
}

/** Formats seconds as `0:07` or `1:02:03`. */
export function clockTime(seconds: number): string {
  const all = Math.max(0, Math.round(Number.isFinite(seconds) ? seconds : 0))
  const hours = Math.floor(all / 3600)
  const minutes = Math.floor((all % 3600) / 60)
  const rest = String(all % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

const dateOf = (unixSeconds: number) => new Date(unixSeconds * 1000)

export function timeOfDay(unixSeconds: number): string {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(dateOf(unixSeconds))
}

export function fullDate(unixSeconds: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'medium' }).format(
    dateOf(unixSeconds),
  )
}

/** A number for the local day of a time: equal within a day, and larger for later days. */
export function dayKey(unixSeconds: number): number {
  const date = dateOf(unixSeconds)
  return date.getFullYear() * 10000 + (date.getMonth() + 1) * 100 + date.getDate()
}

export function dayName(unixSeconds: number): string {
  const now = Date.now() / 1000
  if (dayKey(unixSeconds) === dayKey(now)) return t('today')
  if (dayKey(unixSeconds) === dayKey(now - 86400)) return t('yesterday')
  const date = dateOf(unixSeconds)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  const day = { day: 'numeric', month: 'long' } as const
  return new Intl.DateTimeFormat(locale(), isThisYear ? day : { ...day, year: 'numeric' }).format(date)
}

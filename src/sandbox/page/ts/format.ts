// Amounts, sizes, durations and dates, as a person of the current language reads them.

import { language, t } from './i18n.ts'

const locale = () => (language() === 'ru' ? 'ru-RU' : 'en-GB')

/** Currencies without a minor unit; the rest count in hundredths. */
const whole = new Set(['XTR', 'JPY', 'KRW', 'VND', 'CLP', 'ISK', 'UGX', 'PYG'])

/** @param {number} total in the smallest units of the currency */
export function money(total, currency) {
  if (currency === 'XTR') return `⭐ ${new Intl.NumberFormat(locale()).format(total)}`
  const digits = whole.has(currency) ? 0 : 2
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: 'always' }
  const print = (place) => new Intl.NumberFormat(place, options).format(total / 10 ** digits)
  // Roubles look the same in every language, as the bot writes them.
  return currency === 'RUB' ? `${print('ru-RU')} ₽` : `${print(locale())} ${currency}`
}

export function fileSize(bytes) {
  if (!Number.isFinite(bytes)) return ''
  const units = [t('unitB'), t('unitKB'), t('unitMB'), t('unitGB')]
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  const value = bytes / 1024 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value)} ${units[power]}`
}

/** Seconds as `0:07` or `1:02:03`. */
export function clockTime(seconds) {
  const all = Math.max(0, Math.round(Number.isFinite(seconds) ? seconds : 0))
  const hours = Math.floor(all / 3600)
  const minutes = Math.floor((all % 3600) / 60)
  const rest = String(all % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

export const dateOf = (unixSeconds) => new Date(unixSeconds * 1000)

export function timeOfDay(unixSeconds) {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(dateOf(unixSeconds))
}

export function fullDate(unixSeconds) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'medium' }).format(
    dateOf(unixSeconds),
  )
}

/** A key that is equal for moments of one local day and sorts by time. */
export function dayKey(unixSeconds) {
  const date = dateOf(unixSeconds)
  return date.getFullYear() * 10000 + (date.getMonth() + 1) * 100 + date.getDate()
}

export function dayName(unixSeconds) {
  const now = Date.now() / 1000
  if (dayKey(unixSeconds) === dayKey(now)) return t('today')
  if (dayKey(unixSeconds) === dayKey(now - 86400)) return t('yesterday')
  const thisYear = dateOf(unixSeconds).getFullYear() === new Date().getFullYear()
  const options = { day: 'numeric', month: 'long', ...(thisYear ? {} : { year: 'numeric' }) }
  return new Intl.DateTimeFormat(locale(), options).format(dateOf(unixSeconds))
}

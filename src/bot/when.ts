// Dates of the statement and in names of files: Moscow time, as the statement says. Other dates: telegram/local-time.ts.

import { datesOf, type Locale } from '../texts.ts'

const zone = { timeZone: 'Europe/Moscow' } as const
const day = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
const minute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const format = (intlLocale: string, options: Intl.DateTimeFormatOptions, time: Date): string =>
  new Intl.DateTimeFormat(intlLocale, { ...zone, ...options }).format(time)

/** `21.11, 08:15` */
export const formatShort = (locale: Locale, time: Date): string =>
  format(datesOf(locale), { day: '2-digit', month: '2-digit', ...minute }, time)

/** `2026-11-21 08:15:03`, which spreadsheets in every language recognise as a time. */
export const formatSecond = (time: Date): string =>
  format('sv-SE', { ...day, ...minute, second: '2-digit' }, time)

/** `2026-11-21`, for names of files. */
export const formatDay = (time: Date): string => new Intl.DateTimeFormat('sv-SE', zone).format(time)

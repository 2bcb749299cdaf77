// Times in messages: entities that each reader's client shows in its own time zone, which a bot cannot know. Clients that do not know the
// entity show its text: Moscow time, with the zone named.

import { datesOf, type Html, type Locale, type Say } from '../texts.ts'

const zone = { timeZone: 'Europe/Moscow', hourCycle: 'h23' } as const
const minute = { hour: '2-digit', minute: '2-digit' } as const
const day = { day: '2-digit', month: '2-digit', year: 'numeric' } as const

const entity = (say: Say, time: Date, format: string, options: Intl.DateTimeFormatOptions): Html => {
  const text = new Intl.DateTimeFormat(datesOf(say.locale), { ...zone, ...options }).format(time)
  const named = say.html('moscow-time', { time: text })
  return {
    html: `<tg-time unix="${Math.floor(time.getTime() / 1000)}" format="${format}">${named}</tg-time>`,
  }
}

/** `08:15` */
export const localTime = (say: Say, time: Date): Html => entity(say, time, 't', minute)

/** `21.11.2026, 08:15` */
export const localMinute = (say: Say, time: Date): Html => entity(say, time, 'dt', { ...day, ...minute })

/** `21.11.2026`, for texts that have no entities: the day in Moscow. */
export const plainDay = (say: Say, time: Date): string =>
  new Intl.DateTimeFormat(datesOf(say.locale), { timeZone: zone.timeZone, ...day }).format(time)

// Dates of the statement and in names of files.

const format = (intlLocale: string, options: Intl.DateTimeFormatOptions, time: Date): string =>
  new Intl.DateTimeFormat(intlLocale, { ...zone, ...options }).format(time)

/** `21.11, 08:15` */
export const formatShort = (locale: Locale, time: Date): string =>
  format(datesOf(locale), { day: '2-digit', month: '2-digit', ...minute }, time)

/** `2026-11-21 08:15:03`, which spreadsheets in every language recognise as a time. */
export const formatSecond = (time: Date): string =>
  format('sv-SE', { ...day, ...minute, second: '2-digit' }, time)

/** `2026-11-21`, for names of files. */
export const formatDay = (time: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone.timeZone }).format(time)

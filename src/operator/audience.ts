// Whom a broadcast reaches: an audience, a language and a source. Everybody was there when it started, and everything else is true when
// their turn comes: who has paid, ordered or switched broadcasts off in the meantime is judged by that.

import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { type broadcasts, drafts, generations, payments, turns, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs } from '../runtime/clock.ts'
import { foreignLocale, isLocale, type Locale, localeByCode, locales } from '../texts.ts'
import { localeFrom } from '../users/user.ts'
import type { OperatorDeps } from './actions.ts'
import { sourceOf } from './sources.ts'

type To = typeof broadcasts.$inferSelect

export interface Recipient {
  readonly userId: bigint
  readonly telegramId: number
  readonly locale: Locale
}

/** The first person behind the cursor. */
export async function nextRecipient({ db, clock }: OperatorDeps, to: To): Promise<Recipient | undefined> {
  const where = reachable(to, clock.now())
  const [found] = await db.select().from(users).where(where).orderBy(asc(users.id)).limit(1)
  if (!found || found.telegramId === null) return undefined
  return { userId: found.id, telegramId: found.telegramId, locale: localeFrom(found) }
}

export const countRecipients = ({ db, clock }: OperatorDeps, to: To): Promise<number> =>
  db.$count(users, reachable(to, clock.now()))

const reachable = (to: To, now: Date): SQL | undefined =>
  and(
    gt(users.id, to.lastUserId),
    to.startedAt ? lte(users.createdAt, to.startedAt) : undefined,
    isNotNull(users.telegramId),
    isNull(users.bannedAt),
    isNull(users.forgottenAt),
    isNull(users.newsOffAt),
    isIn(to, now),
    to.language !== null && isLocale(to.language) ? speaks(to.language) : undefined,
    to.source === null ? undefined : eq(sourceOf, to.source),
  )

/** The condition on users who belong to an audience. Whoever has changed a card or asked something is not quiet. */
function isIn({ audience, quietDays }: To, now: Date): SQL | undefined {
  const quietSince = timestamp(now, -quietDays * dayMs)
  const exists = (table: SQL) => sql`exists (select from ${table} where user_id = ${users.id})`
  switch (audience) {
    case 'payers':
      return exists(sql`${payments}`)
    case 'newcomers':
      return sql`not ${exists(sql`${generations}`)} and not ${exists(sql`${turns}`)}`
    case 'quiet':
      return sql`${users.createdAt} < ${quietSince}
        and not exists (select from ${drafts} where user_id = ${users.id} and updated_at >= ${quietSince})
        and not exists (select from ${turns} where user_id = ${users.id} and created_at >= ${quietSince})`
    default:
      return undefined
  }
}

/** `localeFrom` as a condition. */
function speaks(locale: Locale): SQL | undefined {
  const code = sql`split_part(coalesce(${users.telegramLanguage}, ''), '-', 1)`
  const codes = [...localeByCode].filter(([, one]) => (one === locale) === (locale !== foreignLocale))
  const list = codes.map(([one]) => one)
  const isTheirs = locale === foreignLocale ? notInArray(code, list) : inArray(code, list)
  const isUnset = or(isNull(users.language), notInArray(users.language, [...locales]))
  return or(eq(users.language, locale), and(isUnset, isTheirs))
}

// A person and their balance row are made together, so that every user can hold money from the first message on.

import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { balances, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isLocale, type Locale, localeOf } from '../texts.ts'

export interface User {
  readonly id: bigint
  readonly telegramId: number | null
  readonly locale: Locale
  /** As Telegram shows it; null when it is not known, or was deleted. */
  readonly name: string | null
  readonly bannedAt: Date | null
}

export interface Person {
  readonly telegramId: number
  readonly languageCode: string | undefined
  /** As Telegram shows it; what is not told here stays as it was. */
  readonly name?: string
  readonly username?: string | null
}

/** New is who has not been greeted yet; see `setGreeted`. */
export async function ensureUser(
  db: Database,
  person: Person,
  now: Date,
): Promise<{ user: User; isNew: boolean }> {
  const known = await findByTelegramId(db, person.telegramId)
  const telegramLanguage = person.languageCode ?? null
  const { name = known?.name ?? null, username = known?.username ?? null } = person
  const isSame = known?.telegramLanguage === telegramLanguage && known.name === name
  const isNew = known?.greetedAt == null
  if (known && isSame && known.username === username) return { user: toUser(known), isNew }
  const upsert = sql`
    with person as (
      insert into ${users} (telegram_id, telegram_language, name, username, created_at)
      values (${person.telegramId}::bigint, ${telegramLanguage}::text, ${name}::text, ${username}::text,
        ${timestamp(now)})
      on conflict (telegram_id) do update set telegram_language = excluded.telegram_language,
        name = excluded.name, username = excluded.username
      returning id
    ),
    balance as (
      insert into ${balances} (user_id) select id from person on conflict (user_id) do nothing
    )
    select id from person`
  await rows(db, upsert, z.object({ id: z.coerce.bigint() }))
  const created = await findByTelegramId(db, person.telegramId)
  if (!created) throw new Error('an upserted user is there')
  return { user: toUser(created), isNew }
}

/** Done last: whoever was not is greeted again, which gives nothing twice. */
export async function setGreeted(db: Database, id: bigint, now: Date): Promise<void> {
  await db.update(users).set({ greetedAt: now }).where(eq(users.id, id))
}

export async function findUser(db: Database, id: bigint): Promise<User | undefined> {
  const [found] = await db.select().from(users).where(eq(users.id, id))
  return found && toUser(found)
}

/** Somebody who has written to the bot. */
export async function findByTelegram(db: Database, telegramId: number): Promise<User | undefined> {
  const found = await findByTelegramId(db, telegramId)
  return found && toUser(found)
}

/** null follows Telegram's language again. */
export async function setLanguage(db: Database, id: bigint, language: Locale | null): Promise<void> {
  await db.update(users).set({ language }).where(eq(users.id, id))
}

async function findByTelegramId(db: Database, telegramId: number) {
  const [found] = await db.select().from(users).where(eq(users.telegramId, telegramId))
  return found
}

const toUser = ({
  id,
  telegramId,
  language,
  telegramLanguage,
  name,
  bannedAt,
}: typeof users.$inferSelect): User => ({
  id,
  telegramId,
  locale: language && isLocale(language) ? language : localeOf(telegramLanguage),
  name,
  bannedAt,
})

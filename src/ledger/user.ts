// A person and their balance row are made together, so that every user can hold money from the first message on.

import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Locale } from '../catalog/field.ts'
import { type Database, rows } from '../db/client.ts'
import { balances, users } from '../db/schema.ts'
import { localeOf } from '../texts.ts'

export interface User {
  readonly id: bigint
  readonly telegramId: number | null
  readonly locale: Locale
}

interface Person {
  readonly telegramId: number
  readonly languageCode: string | undefined
}

export async function ensureUser(
  db: Database,
  person: Person,
  now: Date,
): Promise<{ user: User; isNew: boolean }> {
  const known = await findByTelegramId(db, person.telegramId)
  if (known && known.telegramLanguage === (person.languageCode ?? null))
    return { user: toUser(known), isNew: false }
  const upsert = sql`
    with person as (
      insert into ${users} (telegram_id, telegram_language, created_at)
      values (${person.telegramId}::bigint, ${person.languageCode ?? null}::text, ${now}::timestamptz)
      on conflict (telegram_id) do update set telegram_language = excluded.telegram_language
      returning id
    ),
    balance as (
      insert into ${balances} (user_id) select id from person on conflict (user_id) do nothing
    )
    select id from person`
  await rows(db, upsert, z.object({ id: z.coerce.bigint() }))
  const created = await findByTelegramId(db, person.telegramId)
  if (!created) throw new Error('an upserted user is there')
  return { user: toUser(created), isNew: known === undefined }
}

export async function findUser(db: Database, id: bigint): Promise<User | undefined> {
  const [found] = await db.select().from(users).where(eq(users.id, id))
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

const toUser = ({ id, telegramId, language, telegramLanguage }: typeof users.$inferSelect): User => ({
  id,
  telegramId,
  locale: language ?? localeOf(telegramLanguage),
})

// Users. A user's row and their balance are created together, so money can be held from the first message on.

import { createHmac } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { visible } from '../catalog/fields.ts'
import { commands, shapes } from '../catalog/model.ts'
import { type Database, oneRow, rows } from '../db/client.ts'
import { accounts, operatorActions, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isLocale, type Locale, localeOf } from '../texts.ts'

export interface User {
  readonly id: bigint
  readonly telegramId: number | null
  readonly locale: Locale
  /** The name as Telegram shows it; null when it is unknown or was deleted. */
  readonly name: string | null
  readonly bannedAt: Date | null
  /** Words without a command are always a question; otherwise the user chooses what becomes of them. */
  readonly isAlwaysAnswered: boolean
  /** Whether the user has switched broadcasts off. */
  readonly isNewsOff: boolean
  readonly cardDefaults: CardDefaults
  /** The version of the operator's terms that the user agreed to. */
  readonly consentVersion: string | null
}

const cardDefaults = z.partialRecord(
  z.enum(commands),
  z.object({ model: z.string().exactOptional(), shape: z.enum(shapes).exactOptional() }),
)
/** The model and the shape of the first card of each kind; without one those of the operator and of the model. */
export type CardDefaults = z.output<typeof cardDefaults>

interface TelegramPerson {
  readonly telegramId: number
  readonly languageCode: string | undefined
  /** The name as Telegram shows it. If name or username is not given, the stored one is kept. */
  readonly name?: string | null
  readonly username?: string | null
}

type UserRow = typeof users.$inferSelect

/** Finds or creates a user. A user is new (`isNew`) until `greetedAt` is stored. */
export async function ensureUser(
  db: Database,
  person: TelegramPerson,
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
    account as (
      insert into ${accounts} (kind, owner_id, created_at) select 'user', id, ${timestamp(now)} from person
      on conflict (owner_id) where kind = 'user' do nothing
    )
    select id from person`
  await rows(db, upsert, z.object({ id: z.coerce.bigint() }))
  const created = await findByTelegramId(db, person.telegramId)
  if (!created) throw new Error('an upsert leaves a row')
  return { user: toUser(created), isNew }
}

type Changes = Partial<
  Pick<
    UserRow,
    | 'greetedAt'
    | 'language'
    | 'answersAcceptedAt'
    | 'newsOffAt'
    | 'cardDefaults'
    | 'email'
    | 'consentVersion'
    | 'consentedAt'
    | 'consentUpdateId'
  >
>

export async function changeUser(db: Database, id: bigint, changes: Changes): Promise<void> {
  await db.update(users).set(changes).where(eq(users.id, id))
}

export async function findUser(db: Database, id: bigint): Promise<User | undefined> {
  const [found] = await db.select().from(users).where(eq(users.id, id))
  return found && toUser(found)
}

export async function findByTelegram(db: Database, telegramId: number): Promise<User | undefined> {
  const found = await findByTelegramId(db, telegramId)
  return found && toUser(found)
}

/** Zod's own pattern refuses top-level domains in other scripts, such as `xn--p1ai` (`рф`). */
const pattern = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i
const address = z.email({ pattern }).max(100)

/** Reads a typed e-mail address, with a Cyrillic domain in ASCII, as payment providers need it; undefined when it is not an address. */
export const readEmail = (typed: string): string | undefined =>
  address.safeParse(typed.trim().replace(/(?<=@)[а-яё\d.-]+$/i, domainToASCII)).data

/** The e-mail address to which fiscal receipts are sent. */
export async function emailOf(db: Database, id: bigint): Promise<string | null> {
  const [found] = await db.select({ email: users.email }).from(users).where(eq(users.id, id))
  return found?.email ?? null
}

async function findByTelegramId(db: Database, telegramId: number) {
  const [found] = await db.select().from(users).where(eq(users.telegramId, telegramId))
  return found
}

const toUser = (row: UserRow): User => {
  const { id, telegramId, name, bannedAt, answersAcceptedAt, consentVersion } = row
  const { data: defaults = {} } = cardDefaults.safeParse(row.cardDefaults)
  return {
    id,
    telegramId,
    locale: localeFrom(row),
    name,
    bannedAt,
    isAlwaysAnswered: answersAcceptedAt !== null,
    isNewsOff: row.newsOffAt !== null,
    cardDefaults: defaults,
    consentVersion,
  }
}

export const localeFrom = ({
  language,
  telegramLanguage,
}: Pick<typeof users.$inferSelect, 'language' | 'telegramLanguage'>): Locale =>
  language && isLocale(language) ? language : localeOf(telegramLanguage)

// The names that people and groups give themselves, as others see them.

/** Marks that change the direction of the text around a name, such as an amount behind it. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name on one line, without direction marks; empty if no character of it is visible. */
export const shownName = (given: string): string =>
  visible(given.replaceAll(directions, '').replaceAll(/[\s\p{Cc}]+/gu, ' '))

// A keyed hash of the Telegram id. It is kept after a user's data was deleted, only to recognise a person who comes back. Without the bot
// token it cannot be compared with Telegram ids.

/** @param secret the bot token; after it was changed, earlier hashes match no person */
export function hashOfPerson(secret: string, telegramId: number): string {
  const key = createHmac('sha256', 'forgotten people').update(secret).digest()
  return createHmac('sha256', key).update(String(telegramId)).digest('base64url').slice(0, 24)
}

/** A deletion is recorded as an action with the hash only, without the user's number. */
const action = 'forget'
const subjectOf = (personHash: string) => `person:${personHash}`

export const recordForgotten = (personHash: string, now: Date, from: SQL): SQL => sql`
  insert into ${operatorActions} (action, subject, details, created_at)
  select ${action}, ${subjectOf(personHash)}, '{}'::jsonb, ${timestamp(now)} from ${from}`

/** An SQL condition: this person's data was deleted at that time or later. */
export const forgottenSince = (personHash: string, time: SQL): SQL => sql`exists (
  select from ${operatorActions} a
  where a.action = ${action} and a.subject = ${subjectOf(personHash)} and a.created_at >= ${time})`

export async function wasForgotten(
  db: Database,
  personHash: string,
  since = sql`'-infinity'::timestamptz`,
): Promise<boolean> {
  const asked = sql`select ${forgottenSince(personHash, since)} as yes`
  return (await oneRow(db, asked, z.object({ yes: z.boolean() }))).yes
}

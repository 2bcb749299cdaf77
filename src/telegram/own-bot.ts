// The bot that a database belongs to: the first one that Telegram identified. Another bot's users, chats and files mean nothing to it.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { installation } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { CannotStart } from '../runtime/cannot-start.ts'

/** A token that is made anew for the same bot begins with the same id. */
export const botIdOf = (token: string): number => Number.parseInt(token, 10)

/** @throws CannotStart when the database belongs to another bot; without one it belongs to this one from now on */
export async function claimDatabase(db: Database, token: string, now: Date): Promise<void> {
  const botId = botIdOf(token)
  const claim = sql`
    insert into ${installation} (id, bot_id, since) values (1, ${botId}, ${timestamp(now)})
    on conflict (id) do update set bot_id = ${installation}.bot_id returning bot_id`
  const owner = await oneRow(db, claim, z.object({ bot_id: z.coerce.number() }))
  if (owner.bot_id !== botId) throw new CannotStart(otherBotText(owner.bot_id, botId))
}

/** Undefined before the first start. */
export async function ownerOf(db: Database): Promise<number | undefined> {
  const [found] = await db.select().from(installation)
  return found?.botId
}

export const otherBotText = (owner: number, botId: number): string =>
  `BOT_TOKEN: the database belongs to the bot ${owner}, and the token is that of the bot ${botId}: write the token of the first one, or another DATABASE_URL. If the bot is replaced for good: npm run admin -- change-bot ${botId} <reason>`

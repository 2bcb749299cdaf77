// `npm run admin -- …`: what operators do in the chat, from a terminal, in DATABASE_URL; without it, in the sandbox's own
// database. With BOT_TOKEN the users are told of it. Exit code 1 when it was refused, 2 when it was not understood.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTeller } from '../bot/admin/outgoing.ts'
import { createBot } from '../bot/bot.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { models } from '../catalog/index.ts'
import { type Database, openDatabase } from '../db/client.ts'
import { FolderInUse } from '../db/folder-lock.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import { silentLog } from '../runtime/log.ts'
import { telegramClient } from '../telegram/client.ts'
import { loadTexts } from '../texts.ts'
import { runCommand, usage } from './admin/commands.ts'

const clock = systemClock

function end(code: number, lines: readonly string[]): never {
  const stream = code === 0 ? process.stdout : process.stderr
  stream.write(`${lines.join('\n')}\n`)
  process.exit(code)
}

function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  return [error.message || error.name, ...(error.cause ? causesOf(error.cause) : [])]
}

function tellerOf(db: Database) {
  const token = process.env.BOT_TOKEN
  if (!token) return undefined
  const telegram = telegramClient(process.env.TELEGRAM_API_ROOT || 'https://api.telegram.org', clock)
  const { api } = createBot(token, telegram.options)
  const texts = loadTexts(process.env.TEXTS_DIR || undefined)
  return createTeller({ api, db, texts, log: silentLog, catalog: createCatalog(models, {}) })
}

const words = process.argv.slice(2)
if (words.length === 0) end(2, usage)

const folder = join(process.env.DATA_DIR || './data', 'database')
if (!process.env.DATABASE_URL && !existsSync(folder)) {
  end(1, [`DATABASE_URL: write postgres://user:password@host/name; the sandbox has no database in ${folder}`])
}
const { db, close } = await openDatabase(process.env.DATABASE_URL || `pglite:${folder}`).catch(
  (error: unknown) => {
    if (error instanceof FolderInUse) {
      return end(1, [`${error.message}; while the sandbox runs, write /admin in its chat`])
    }
    return end(1, [`The database can not be opened: ${causesOf(error).join(': ')}`])
  },
)
const { code, lines } = await runCommand({ db, clock, ids: randomIds, teller: tellerOf(db) }, words)
await close()
end(code, lines)

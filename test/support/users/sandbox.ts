// A sandbox for a test: on a free port, in a temporary folder, with fast tasks.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../../src/db/client.ts'
import { users } from '../../../src/db/schema.ts'
import { type Log, silentLog } from '../../../src/runtime/log.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { type Engine, fewConnections, freshUrl } from '../database/database.ts'
import { prepareEmbedded } from '../database/embedded.ts'
import { createUser } from './user.ts'

export interface TestSandbox extends Sandbox {
  /** A new user with this language, who has already accepted that answers cost money. */
  user(name: string, language?: 'ru' | 'en'): ReturnType<typeof createUser>
  /** A new user with this language, who has not yet accepted that answers cost money. */
  newcomer(name: string, language?: 'ru' | 'en'): ReturnType<typeof createUser>
  /** Scripts the next faults, optionally after some successes; see src/sandbox/faults.ts. */
  breaks(
    target: 'telegram' | 'gateway' | 'yookassa',
    operation: string,
    fault: object,
    times?: number,
    skip?: number,
  ): Promise<void>
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
}

/** Makes new users of this database count as having accepted that answers cost money. */
export async function letAllKnowPrices(db: Database): Promise<void> {
  await db.execute('alter table users alter column answers_accepted_at set default now()')
}

/**
 * Announces orders five times a second. The queue finds an order that is due for a look at its task by the poll of a second, which is short
 * beside the minutes of a real task and long beside the milliseconds of one in a test.
 */
function announceOrders(db: Database): () => void {
  const payload = JSON.stringify({ from: 'tests', nudges: [['generations', '']] })
  const send = () => void db.execute(sql`select pg_notify('nudges_2', ${payload})`).catch(() => undefined)
  const timer = setInterval(send, 200)
  return () => clearInterval(timer)
}

export async function openSandbox(
  engine: Engine = 'postgres',
  env: Record<string, string> = {},
  speed = 160,
  log: Log = silentLog,
): Promise<TestSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bot-sandbox-'))
  const embedded = join(dataDir, 'database')
  if (engine === 'pglite') await prepareEmbedded(embedded)
  const database = engine === 'postgres' ? await freshUrl('postgres') : `pglite:${embedded}`
  const sandbox = await startSandbox({
    port: 0,
    dataDir,
    speed,
    log,
    keepsState: false,
    env: { DATABASE_URL: database, DATABASE_CONNECTIONS: String(fewConnections), ...env },
  })
  const { url } = sandbox
  const { db } = sandbox.app
  await letAllKnowPrices(db)
  const silence = engine === 'postgres' ? announceOrders(db) : () => undefined
  const read = async <T>(answer: Response): Promise<T> => {
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const headers = { 'content-type': 'application/json' }
  const post = async <T>(path: string, body: object) =>
    read<T>(await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }))
  return {
    ...sandbox,
    user: (first_name, language_code = 'en') => createUser(url, { first_name, language_code }),
    async newcomer(first_name, language_code = 'en') {
      const one = await createUser(url, { first_name, language_code })
      const person = { telegramId: one.id, languageCode: language_code, name: first_name }
      const { user } = await ensureUser(db, person, new Date())
      await db.update(users).set({ answersAcceptedAt: null }).where(eq(users.id, user.id))
      return one
    },
    async breaks(target, operation, fault, times = 1, skip = 0) {
      await post('/api/faults', { target, operation, fault, times, skip })
    },
    get: async (path) => read(await fetch(url + path)),
    post,
    async stop() {
      silence()
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

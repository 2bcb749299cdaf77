// Sandboxes for tests: on a free port, in a temporary folder, with fast tasks. The test files of a worker share one with the usual
// settings (`sharedSandbox`); a file that needs other settings, or changes what all users see, opens its own (`openSandbox`).

import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { z } from 'zod'
import { type Database, oneRow } from '../../../src/db/client.ts'
import { generations, salesStops, switches, turns, updates, users } from '../../../src/db/schema.ts'
import { post as postTransfer } from '../../../src/ledger/ledger.ts'
import { welcome } from '../../../src/ledger/moves.ts'
import { storeBonuses } from '../../../src/ledger/referral.ts'
import { parseRoubles } from '../../../src/money.ts'
import { type Log, silentLog } from '../../../src/runtime/log.ts'
import type { ScriptedFault } from '../../../src/sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { changeUser, ensureUser } from '../../../src/users/user.ts'
import { type Engine, fewConnections, freshUrl } from '../database/database.ts'
import { prepareEmbedded } from '../database/embedded.ts'
import { createUser, type SandboxUser } from './user.ts'

type Language = 'ru' | 'en'
/** The welcome credit of one user in roubles, in place of WELCOME_CREDIT. */
type Given = { readonly credit?: string }

export interface TestSandbox extends Sandbox {
  /** A new user with this language, who has already accepted that answers cost money. */
  user(name: string, language?: Language, given?: Given): Promise<SandboxUser>
  /** A new user with this language, who has not yet accepted that answers cost money. */
  newcomer(name: string, language?: Language, given?: Given): Promise<SandboxUser>
  /** Scripts the next faults, optionally after some successes; see src/sandbox/faults.ts. */
  breaks(
    target: ScriptedFault['target'],
    operation: string,
    fault: object,
    times?: number,
    skip?: number,
  ): Promise<void>
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
  readonly dataDir: string
}

/** Settings without the providers that have a page to pay on: invoices are left. */
export const withoutLinks = {
  YOOKASSA_SHOP_ID: '',
  YOOKASSA_SECRET_KEY: '',
  PLATEGA_MERCHANT_ID: '',
  PLATEGA_SECRET: '',
  CRYPTOPAY_TOKEN: '',
}

/** Makes new users of this database count as having accepted that answers cost money. */
export async function letAllKnowPrices(db: Database): Promise<void> {
  await db.execute('alter table users alter column answers_accepted_at set default now()')
}

/**
 * Announces due orders five times a second. The queue finds an order that is due for a look at its task by the poll of a second, which is
 * short beside the minutes of a real task and long beside the milliseconds of one in a test.
 */
function announceOrders(db: Database): () => void {
  const payload = JSON.stringify({ from: 'tests', nudges: [['generations', '']] })
  const due = sql`select pg_notify('nudges_2', ${payload}) from ${generations} where next_check_at <= now() limit 1`
  const send = () => void db.execute(due).catch(() => undefined)
  const timer = setInterval(send, 200)
  return () => clearInterval(timer)
}

async function storedId(db: Database, telegramId: number, languageCode: string, name: string) {
  return (await ensureUser(db, { telegramId, languageCode, name }, new Date())).user.id
}

/** Gives a user another welcome credit than the settings say, before their first message. */
async function giveCredit(db: Database, id: bigint, credit: string): Promise<void> {
  const amount = parseRoubles(credit)
  if (amount === undefined) throw new Error(`not an amount: ${credit}`)
  // A user who was greeted gets no credit any more.
  if (amount === 0n) return changeUser(db, id, { greetedAt: new Date() })
  const none = { invitedBonus: 0n, referralBonus: 0n, referralPercent: 0, topUp: { bonusSteps: [] } }
  await storeBonuses(db, { ...none, welcomeCredit: amount })
  await postTransfer(db, welcome(id, amount), new Date())
}

export async function openSandbox(
  engine: Engine = 'postgres',
  env: Record<string, string> = {},
  speed = 160,
  log: Log = silentLog,
): Promise<TestSandbox> {
  const sandbox = await open(engine, env, speed, log)
  const silence = engine === 'postgres' ? announceOrders(sandbox.app.db) : () => undefined
  const stop = async () => {
    silence()
    await sandbox.stop()
  }
  return { ...sandbox, stop }
}

async function open(
  engine: Engine,
  env: Record<string, string>,
  speed: number,
  log: Log,
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
    dataDir,
    async user(first_name, language_code = 'en', { credit } = {}) {
      const one = await createUser(url, { first_name, language_code })
      if (credit) await giveCredit(db, await storedId(db, one.id, language_code, first_name), credit)
      return one
    },
    async newcomer(first_name, language_code = 'en', { credit } = {}) {
      const one = await createUser(url, { first_name, language_code })
      const id = await storedId(db, one.id, language_code, first_name)
      if (credit) await giveCredit(db, id, credit)
      await db.update(users).set({ answersAcceptedAt: null }).where(eq(users.id, id))
      return one
    },
    async breaks(target, operation, fault, times = 1, skip = 0) {
      await post('/api/faults', { target, operation, fault, times, skip })
    },
    get: async (path) => read(await fetch(url + path)),
    post,
    async stop() {
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

let shared: Promise<TestSandbox> | undefined

/**
 * The worker's sandbox, which its test files use one after the other: `const sandbox = await sharedSandbox()` at the top of a file. It has the
 * usual settings, users of earlier files and the gateway's last 200 requests, so that a test makes users of its own and counts only theirs.
 * After each test the scripted faults are removed, and after the last one the audit must be clean. No file stops it; if one leaves work
 * under way or sales stopped, the next file gets a new one.
 * @param usual what each user of the file is given
 */
export async function sharedSandbox(usual: Given = {}): Promise<TestSandbox> {
  shared ??= open('postgres', {}, 160, silentLog).then(removedAtExit)
  const sandbox = await shared
  const silence = announceOrders(sandbox.app.db)
  afterEach(() => sandbox.faults.clear())
  afterAll(async () => {
    await sandbox.post('/api/gateway/release', {})
    const isAtRest = async () => (await unrest(sandbox.app.db)) === 0
    const rested = await vi.waitUntil(isAtRest, { timeout: 5000 }).catch(() => false)
    silence()
    const found = await sandbox.get('/api/audit')
    if (!rested) {
      shared = undefined
      await sandbox.stop()
    }
    expect(found).toMatchObject({ clean: true, findings: [] })
  })
  const { user, newcomer } = sandbox
  return {
    ...sandbox,
    user: (name, language, given = usual) => user(name, language, given),
    newcomer: (name, language, given = usual) => newcomer(name, language, given),
  }
}

/** The runner ends its workers by this signal, without a word to the test files. */
function removedAtExit(sandbox: TestSandbox): TestSandbox {
  process.once('SIGTERM', () => {
    rmSync(sandbox.dataDir, { recursive: true, force: true })
    process.kill(process.pid, 'SIGTERM')
  })
  return sandbox
}

/** How many things are under way, or stop sales. */
async function unrest(db: Database): Promise<number> {
  const counted = sql`select (select count(*) from ${updates} where done_at is null and set_aside_at is null)
    + (select count(*) from ${generations} where next_check_at is not null)
    + (select count(*) from ${turns} where state = 'streaming' or send_at is not null)
    + (select count(*) from ${switches}) + (select count(*) from ${salesStops}) as count`
  return (await oneRow(db, counted, z.object({ count: z.coerce.number() }))).count
}

// The payments room with a database, a clock moved by hand, a local YooKassa that can not reach us, and what people were told.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { notices, topUps } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { correct } from '../../../src/operator/corrections.ts'
import { openLink } from '../../../src/payments/links.ts'
import type { Provider } from '../../../src/payments/provider.ts'
import { createTelegramRub } from '../../../src/payments/telegram-rub.ts'
import { openTopUp, type TopUp, type TopUpDeps } from '../../../src/payments/top-ups.ts'
import { createYookassa } from '../../../src/payments/yookassa.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { Log } from '../../../src/runtime/log.ts'
import { createFaults, faultSchema } from '../../../src/sandbox/faults.ts'
import { serve } from '../../../src/sandbox/http.ts'
import { createYookassa as createLookAlike } from '../../../src/sandbox/yookassa/index.ts'
import { ensureUser, type User } from '../../../src/users/user.ts'
import { freshDatabase } from '../database/database.ts'
import { handClock } from '../runtime/clock.ts'

export const shop = { shopId: '100500', secretKey: 'canary-secret-key' }

export interface Remembered {
  readonly level: string
  readonly facts: object
  readonly event: string
}

function memoryLog(lines: Remembered[]): Log {
  const write = (level: string) => (facts: object, event: string) => void lines.push({ level, facts, event })
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

let telegramId = 50_000

export async function openPaying(more: readonly Provider[] = [], timeoutMs = 2000) {
  const database = await freshDatabase('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'paying-'))
  const clock = handClock()
  const faults = createFaults()
  const lookAlike = createLookAlike({
    ...shop,
    ...{ folder, clock, faults, random: Math.random },
    baseUrl: () => server.url,
    noticeUrl: () => 'http://127.0.0.1:9/',
  })
  const server = await serve(0, [lookAlike.handler])
  const yookassa = createYookassa({
    settings: { ...shop, url: `${server.url}/yookassa/v3` },
    ...{ clock, timeoutMs, vatCode: undefined, returnUrl: () => 'https://t.me/some_bot' },
  })
  const lines: Remembered[] = []
  const deps: TopUpDeps = {
    db: database.db,
    clock: { now: clock.now, wait: async (ms) => clock.advance(ms) },
    ids: randomIds,
    random: () => 0.5,
    log: memoryLog(lines),
    providers: [...more, createTelegramRub('1:TEST:x', undefined), yookassa],
    limits: { min: 50_00n, max: 15_000_00n },
    pollIntervalMs: 3000,
    noticed: () => undefined,
  }
  return {
    ...{ deps, clock, faults, lines, yookassa, url: server.url, databaseUrl: database.url },
    /** What people were told, in order. */
    async told(): Promise<string[]> {
      const written = await deps.db.select().from(notices).orderBy(notices.id)
      return written.map(({ kind, amount }) => `${kind} ${amount}`)
    },
    forgetTold: () => deps.db.delete(notices),
    fault: (operation: string, fault: object, times = 1) => faults.add(faultOf(operation, fault, times)),
    async user(balance = 0n): Promise<User & { telegramId: number }> {
      telegramId += 1
      const { user } = await ensureUser(deps.db, { telegramId, languageCode: 'ru' }, clock.now())
      if (balance > 0n) await this.gives(user.id, balance)
      return { ...user, telegramId }
    },
    async gives(userId: bigint, amount: bigint) {
      const one = { key: randomIds.next(), by: null, userId, amount, reason: 'test' }
      const corrected = await correct(deps, one)
      if (!corrected.ok) throw new Error(corrected.reason)
    },
    async open(userId: bigint, credit: bigint, providerId: string): Promise<TopUp> {
      const opened = await openTopUp(deps, userId, credit, providerId)
      if (!opened.ok) throw new Error(opened.reason)
      return opened.topUp
    },
    /** A top-up whose page the user has been given. */
    async link(userId: bigint, credit: bigint): Promise<TopUp & { externalId: string }> {
      const topUp = await this.open(userId, credit, 'yookassa')
      if (yookassa.way.by !== 'link') throw new Error('paid by link')
      const order = { description: 'Top-up', item: 'Пополнение', email: null }
      const linked = await openLink(deps, yookassa.way, topUp, order)
      if (!linked.ok) throw new Error(linked.reason)
      const found = await this.reread(topUp)
      return { ...found, externalId: found.externalId ?? '' }
    },
    async reread({ id }: { id: string }): Promise<TopUp> {
      const [found] = await deps.db.select().from(topUps).where(eq(topUps.id, id))
      if (!found) throw new Error(`no top-up ${id}`)
      return found
    },
    /** On the page, or in the shop's cabinet. */
    async decides(externalId: string, action: 'pay' | 'cancel' | 'refund') {
      const path = `/api/yookassa/payments/${externalId}`
      const answer = await fetch(server.url + path, { method: 'POST', body: JSON.stringify({ action }) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    available: async (userId: bigint) => (await readBalance(deps.db, userId)).available,
    audit: () => audit(deps.db),
    async close() {
      await yookassa.close?.()
      await lookAlike.close()
      await server.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Paying = Awaited<ReturnType<typeof openPaying>>

function faultOf(operation: string, fault: object, times: number) {
  return faultSchema.parse({ target: 'yookassa', operation, fault, times })
}

// The room `payments` on a database, with a clock that tests advance, a log in memory and the doubles of payment providers, whose
// notifications do not reach the app.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { notices, topUps } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { correct } from '../../../src/operator/corrections.ts'
import { openLink } from '../../../src/payments/links.ts'
import {
  type Notice,
  type ProviderContext,
  type RefundOutcome,
  type StarAccount,
  worthOfKopecks,
} from '../../../src/payments/provider.ts'
import {
  configureProviders,
  createProviders,
  type Provider,
  type ProviderId,
} from '../../../src/payments/providers.ts'
import { openTopUp, type TopUp, type TopUpDeps } from '../../../src/payments/top-ups.ts'
import type { Environment } from '../../../src/runtime/env-values.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { createFaults, faultSchema, type PaymentTarget } from '../../../src/sandbox/faults.ts'
import { type Handler, serve } from '../../../src/sandbox/http.ts'
import { createPaymentDoubles } from '../../../src/sandbox/payments/index.ts'
import { ensureUser, type User } from '../../../src/users/user.ts'
import { freshDatabase } from '../database/database.ts'
import { handClock } from '../runtime/clock.ts'
import { loggingTo } from '../runtime/log.ts'

const noStars: StarAccount = {
  refund: () => Promise.reject(new Error('this test has no Stars')),
  transactions: () => Promise.reject(new Error('this test has no Stars')),
}

/** The payment provider that these environment variables switch on. */
export function providerFrom(env: Environment, context: Partial<ProviderContext> = {}): Provider {
  const [provider] = createProviders(configureProviders(env).configured, {
    vatCode: undefined,
    returnUrl: () => 'https://t.me/some_bot',
    starAccount: noStars,
    ...context,
  })
  if (!provider) throw new Error('no provider is switched on')
  return provider
}

/** Stars at a world without payments: a credit of any size costs 100 of them. @param refund what Telegram does when it is asked to refund */
export const starsThat = (refund: () => Promise<RefundOutcome>): Provider => ({
  id: 'stars',
  minCredit: 0n,
  worth: worthOfKopecks(undefined),
  charge: () => ({ currency: 'XTR', amount: 100n }),
  way: { by: 'invoice', token: '', extras: () => ({}) },
  refund,
})

/** A notification as it arrives over HTTP. */
export const noticeOf = (body: unknown, headers: Readonly<Record<string, string>> = {}): Notice => ({
  text: JSON.stringify(body) ?? '',
  header: (name) => headers[name] ?? '',
})

let telegramId = 50_000

/** A top-up with a page to pay on, and a notification of YooKassa about it, which repeats the metadata of the payment. */
export type Linked = TopUp & {
  readonly externalId: string
  readonly notification: { readonly object: z.output<typeof payment> }
}

const payment = z.looseObject({ id: z.string(), metadata: z.record(z.string(), z.string()) })

/** @param starAccount the account of Stars, with which a Star credits two roubles; without it Stars are switched off */
export async function openPaying(starAccount?: StarAccount) {
  const database = await freshDatabase('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'paying-'))
  const clock = handClock()
  const faults = createFaults()
  const handlers: Handler[] = []
  const server = await serve(0, handlers)
  const doubles = createPaymentDoubles({
    keepsState: true,
    clock,
    faults,
    random: Math.random,
    baseUrl: server.url,
    publicUrl: 'http://127.0.0.1:9',
    folder: (name) => join(folder, name),
  })
  handlers.push(...doubles.handlers)
  const { TOPUP_ROUBLES_PER_STAR: _, ...others } = doubles.env
  const env: Readonly<Record<string, string>> = {
    ...others,
    ...(starAccount ? { TOPUP_ROUBLES_PER_STAR: '2' } : {}),
  }
  const providers = createProviders(configureProviders(env).configured, {
    vatCode: undefined,
    returnUrl: () => 'https://t.me/some_bot',
    starAccount: starAccount ?? noStars,
  })
  const log = loggingTo()
  const deps: TopUpDeps = {
    db: database.db,
    clock: { now: clock.now, wait: async (ms) => clock.advance(ms) },
    ids: randomIds,
    random: () => 0.5,
    log,
    providers,
    limits: { min: 50_00n, max: 15_000_00n },
    pollIntervalMs: 3000,
    wakeNotices: () => undefined,
  }
  return {
    deps,
    env,
    clock,
    faults,
    lines: log.lines,
    url: server.url,
    databaseUrl: database.url,
    provider(id: ProviderId): Provider {
      const found = providers.find((one) => one.id === id)
      if (!found) throw new Error(`${id} is switched off`)
      return found
    },
    /** The notices to users, in order. */
    async told(): Promise<string[]> {
      const written = await deps.db.select().from(notices).orderBy(notices.id)
      return written.map(({ kind, amount }) => `${kind} ${amount}`)
    },
    forgetTold: () => deps.db.delete(notices),
    fault: (operation: string, fault: object, times = 1, target: PaymentTarget | 'tax' = 'yookassa') =>
      faults.add(faultSchema.parse({ target, operation, fault, times })),
    async user(balance = 0n): Promise<User & { telegramId: number }> {
      telegramId += 1
      const { user } = await ensureUser(deps.db, { telegramId, languageCode: 'ru' }, clock.now())
      if (balance > 0n) await this.gives(user.id, balance)
      return { ...user, telegramId }
    },
    async gives(userId: bigint, amount: bigint) {
      const one = { key: randomIds.next(), by: null, userId, amount, reason: 'test' }
      const corrected = await correct(deps, one)
      if (corrected !== 'done') throw new Error(corrected)
    },
    async open(userId: bigint, credit: bigint, providerId: ProviderId): Promise<TopUp> {
      const opened = await openTopUp(deps, userId, credit, providerId)
      if (!opened.ok) throw new Error(opened.reason)
      return opened.topUp
    },
    /** A top-up whose page the user has received. */
    async linkBy(providerId: ProviderId, userId: bigint, credit: bigint) {
      const topUp = await this.open(userId, credit, providerId)
      const { way } = this.provider(providerId)
      if (way.by !== 'link') throw new Error(`${providerId} has no page to pay on`)
      const order = { description: 'Top-up', item: 'Пополнение', email: null }
      const url = await openLink(deps, way, topUp, order)
      if (!url) throw new Error('the page was not opened')
      const found = await this.reread(topUp)
      return { ...found, externalId: found.externalId ?? '', url }
    },
    /** The same at YooKassa. */
    async link(userId: bigint, credit: bigint): Promise<Linked> {
      const { url: _, ...found } = await this.linkBy('yookassa', userId, credit)
      const { externalId } = found
      const object = payment.parse(await this.asksYookassa('GET', `/payments/${externalId}`))
      return { ...found, notification: { object } }
    },
    async reread({ id }: { id: string }): Promise<TopUp> {
      const [found] = await deps.db.select().from(topUps).where(eq(topUps.id, id))
      if (!found) throw new Error(`no top-up ${id}`)
      return found
    },
    /** Pays or cancels on the page of the provider, or refunds in its cabinet. */
    async decides(
      externalId: string,
      action: 'pay' | 'cancel' | 'refund',
      at: PaymentTarget = 'yookassa',
    ): Promise<void> {
      const path = `/api/${at}/payments/${externalId}`
      const answer = await fetch(server.url + path, { method: 'POST', body: JSON.stringify({ action }) })
      if (!answer.ok) throw new Error(await answer.text())
    },
    /** Sends a request to the API of YooKassa, with the key of the shop. */
    async asksYookassa(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
      const { YOOKASSA_URL, YOOKASSA_SHOP_ID, YOOKASSA_SECRET_KEY } = env
      const key = btoa(`${YOOKASSA_SHOP_ID}:${YOOKASSA_SECRET_KEY}`)
      const headers = { authorization: `Basic ${key}`, 'idempotence-key': randomIds.next() }
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      return (await fetch(`${YOOKASSA_URL}${path}`, init)).json()
    },
    available: async (userId: bigint) => (await readBalance(deps.db, userId)).available,
    audit: () => audit(deps.db),
    async close() {
      for (const provider of providers) await provider.close?.()
      await doubles.close()
      await server.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Paying = Awaited<ReturnType<typeof openPaying>>

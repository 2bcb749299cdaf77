// Many clients move the money of a few users at once, in several processes, on a real PostgreSQL. In every snapshot the sums agree,
// no balance is negative and no daily cap exceeded; at the end each user has what the results of the calls add up to. The random choices
// of a run are repeated with BANK_SEED.

import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Database, rows } from '../../src/db/client.ts'
import { accounts, conversations, users } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { storeBonuses } from '../../src/ledger/referral.ts'
import { openWallet } from '../../src/ledger/wallets.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { acts, type Bank, bonus, type Client, code, percent } from '../support/worlds/bank.ts'
import { createWorld, userWith } from '../support/worlds/generations.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

const seed = Number(process.env.BANK_SEED ?? Date.now() % 1_000_000)
const clients = 36
const actsEach = 40
/** The initial balance: small, so that many moves are refused. */
const start = 200_00n
const limits = { concurrent: 2, dailySpend: 900_00n, timeZone: 'Europe/Moscow' }

const world = await createWorld()
const processes = await Promise.all([1, 2, 3].map(() => openWithTransactions(world.database.url)))
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()))
  await world.close()
})

async function openBank(): Promise<Bank> {
  const { db, clock } = world.deps
  const now = clock.now()
  const found: Bank['users'][number][] = []
  for (let at = 0; at < 10; at += 1) found.push(await userWith(world, start))
  for (const [at, { id }] of found.entries()) {
    const referrerId = found[at - 1]?.id ?? null
    await db.update(users).set({ referrerId }).where(sql`id = ${id}::bigint`)
    const thread = { id: `thread-${id}`, userId: id, chatId: Number(id), modelId: 'x' }
    await db
      .insert(conversations)
      .values({ ...thread, modes: { thinking: false, search: false, code: false }, createdAt: now })
  }
  const given = { welcomeCredit: 7_00n, invitedBonus: 0n, referralBonus: bonus, referralPercent: percent }
  await storeBonuses(db, { ...given, topUp: { bonusSteps: [] } })
  await makePromos(db, { code, amount: 13_00n, maxUses: 6, createdAt: now })
  const worth = new Map(found.map(({ id }) => [id, start]))
  const wallets = await Promise.all(
    found
      .slice(0, 3)
      .map(({ id: ownerId }) =>
        openWallet(db, { ownerId, chatId: -Number(ownerId), title: 'We', dailyCap: 1n }, now),
      ),
  )
  return {
    wallets: wallets.filter((one) => one !== undefined),
    users: found,
    tally: new Map(),
    worth,
    charges: [],
    succeeded: [],
  }
}

async function works(client: Client): Promise<void> {
  for (let done = 0; done < actsEach; done += 1) await acts[client.pick(acts.length)]?.(client)
}

const sum = z.coerce.bigint()
const sums = z.object({ balances: sum, moved: sum, least: sum, spent: sum })

/** Checks one snapshot: the balances are what came in less what went out, nobody is above the daily cap, and the audit is clean. */
async function look({ db }: { db: Database }): Promise<void> {
  await db.transaction(
    async (tx) => {
      const inside = `('available', 'held', 'group', 'group-held')`
      const query = sql.raw(`
        select (select sum(available + held) from accounts) as balances,
          (select min(least(available, held)) from accounts) as least,
          (select max(spent_today) from accounts where kind = 'user') as spent,
          (select sum(case when credit in ${inside} then amount else 0 end - case when debit in ${inside} then amount else 0 end)
            from transfers) as moved`)
      const [now] = await rows(tx, query, sums)
      expect(now?.moved).toBe(now?.balances)
      expect(now?.least).toBeGreaterThanOrEqual(0n)
      expect(now?.spent).toBeLessThanOrEqual(limits.dailySpend)
      expect(await audit(tx)).toEqual([])
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

it(`many concurrent clients keep the sums, the balances and the audit correct, with seed ${seed}`, {
  timeout: 120_000,
}, async () => {
  const bank = await openBank()
  let isOpen = true
  let looks = 0
  const watch = async () => {
    for (; isOpen; looks += 1) await look(world.deps)
  }
  const watching = [watch()]
  const working = Array.from({ length: clients }, (_, at) => {
    const random = seededRandom(seed + at)
    const db = processes[at % processes.length]?.db ?? world.deps.db
    const pick = (below: number) => Math.floor(random() * below)
    return works({ world, bank, deps: { ...world.deps, db, limits }, pick })
  })
  await Promise.all(working).finally(() => {
    isOpen = false
  })
  await Promise.all(watching)
  await look(world.deps)

  const have = new Map<bigint, bigint>()
  for (const { ownerId, available, held } of await world.deps.db.select().from(accounts))
    if (bank.worth.has(ownerId)) have.set(ownerId, (have.get(ownerId) ?? 0n) + available + held)
  expect(have).toEqual(bank.worth)
  expect(looks).toBeGreaterThan(5)
  const missing = wanted.filter((what) => !bank.tally.has(what))
  expect(missing, JSON.stringify([...bank.tally])).toEqual([])
})

/** The outcomes that a meaningful run must contain. */
const wanted = [
  ...['order ok', 'order already', 'order insufficient', 'order too-many', 'order daily-cap'],
  ...['capture', 'capture part', 'release'],
  ...[
    'deposit',
    'deposit duplicate',
    'partner',
    'referral',
    'payment refunded',
    'payment refused',
    'payment spent',
  ],
  ...['price refunded', 'price already', 'promo ok', 'promo used-before', 'welcome ok', 'welcome duplicate'],
  ...['correction done', 'correction before', 'correction insufficient'],
  ...['question ok', 'question insufficient', 'answer ok'],
  ...['fund ok', 'fund duplicate', 'fund insufficient', 'taken back', 'nothing to take back'],
]

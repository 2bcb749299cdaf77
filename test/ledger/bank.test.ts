// Many clients move the money of a few users and their wallets at once, in several processes, on a real PostgreSQL. In every snapshot the
// sums agree, no balance is negative and no daily cap exceeded; at the end each user has what the results of the calls add up to. The random
// choices of a run are repeated with BANK_SEED.

import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type TextModel, textModelList } from '../../src/catalog/text-models.ts'
import type { Conversation } from '../../src/chat/conversations.ts'
import { beginTurn } from '../../src/chat/hold.ts'
import { type Outcome, settleAnswer } from '../../src/chat/turns.ts'
import { rows } from '../../src/db/client.ts'
import { accounts, conversations, users } from '../../src/db/schema.ts'
import { timestamp } from '../../src/db/sql.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post } from '../../src/ledger/ledger.ts'
import { welcome } from '../../src/ledger/moves.ts'
import { redeem } from '../../src/ledger/promo.ts'
import { storeBonuses } from '../../src/ledger/referral.ts'
import { emptyWallet, fundWallet, setDailyCap, switchWallet, type Wallet } from '../../src/ledger/wallets.ts'
import { correct } from '../../src/operator/corrections.ts'
import { refundGeneration } from '../../src/operator/refunds.ts'
import { claim, type Generation, write, writeAndRelease } from '../../src/orders/generation.ts'
import { fail, succeed } from '../../src/orders/settle.ts'
import type { RefundOutcome } from '../../src/payments/provider.ts'
import { refundPayment } from '../../src/payments/refunds.ts'
import { createRewards } from '../../src/payments/rewards.ts'
import { creditPayment, type FollowUp, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { seededRandom } from '../../src/sandbox/random.ts'
import type { User } from '../../src/users/user.ts'
import { claimNow } from '../support/database/claim.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { createWorld, type GenerationWorld, quoteFor, userWith } from '../support/worlds/generations.ts'
import { starsThat } from '../support/worlds/payments.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'
import { orderIn, walletWith } from '../support/worlds/wallets.ts'

const seed = Number(process.env.BANK_SEED ?? Date.now() % 1_000_000)
const clients = 24
const actsEach = 30
/** The initial balance: small, so that many moves are refused. */
const start = 200_00n
const limits = { concurrent: 2, dailySpend: 500_00n, timeZone: 'Europe/Moscow' }
const gift = 7_00n
const bonus = 11_00n
const percent = 7

const world = await createWorld()
const { db } = world.deps
const processes = await Promise.all([1, 2, 3].map(() => openWithTransactions(world.database.url)))
afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()))
  await world.close()
})

const people: User[] = []
const wallets: Wallet[] = []
/** How often each result occurred. */
const tally = new Map<string, number>()
/** The expected money of a user, available and held, also in their wallet. */
const worth = new Map<bigint, bigint>()
const charges: string[] = []
const succeeded: Generation[] = []

interface Client {
  /** Dependencies of one process, with its own connections. */
  readonly deps: GenerationWorld['deps']
  /** A random whole number below `below`. */
  readonly pick: (below: number) => number
}

function note(what: string, userId?: bigint, change = 0n): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
  if (userId !== undefined) worth.set(userId, (worth.get(userId) ?? 0n) + change)
}

const one = <T>({ pick }: Client, all: readonly T[]): T =>
  all[pick(all.length)] ?? expect.unreachable('nothing to pick from')
const twice = <T>(act: () => Promise<T>): Promise<T[]> => Promise.all([act(), act()])
/** Whose money a generation costs: the owner's of its wallet, or else its user's. */
const payerOf = ({ userId, walletId }: Generation) =>
  wallets.find(({ id }) => id === walletId)?.ownerId ?? userId

/** Confirms an order, sometimes three times at once. */
async function orders(client: Client): Promise<void> {
  const { deps, pick } = client
  const user = one(client, people)
  const { quote } = await quoteFor(world, user, { numberResults: 1 + pick(2) })
  const tap = () => confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
  const taps = await Promise.all(pick(4) === 0 ? [tap(), tap(), tap()] : [tap()])
  for (const tapped of taps) note(`order ${tapped.ok ? 'ok' : tapped.reason}`)
  expect(taps.filter(({ ok }) => ok).length, 'orders of one draft').toBeLessThan(2)
}

async function ordersInGroup(client: Client): Promise<void> {
  const { deps, pick } = client
  const made = await orderIn({ deps }, one(client, wallets), one(client, people), { byGroup: pick(4) > 0 })
  note(`in group ${made.ok ? 'ok' : made.reason}`)
}

/** Settles due generations: with all results, with some, or as failed; sometimes twice at the same time. */
async function settles({ deps, pick }: Client): Promise<void> {
  for (const held of await claim(deps, 'deliveries', claimNow(deps, 2)))
    await writeAndRelease(deps, held, { nextCheckAt: null, delivery: 'delivered', attempts: 0 })
  for (const claimed of await claim(deps, 'orders', claimNow(deps, 2))) {
    const held = (await write(deps, claimed, { state: 'running' })) ?? claimed
    const count = Number(held.request.numberResults ?? 1)
    const arrived = pick(count + 1)
    const urls = Array.from({ length: arrived }, (_, at) => `http://127.0.0.1:9/${at}.mp4`)
    const end = () =>
      arrived > 0
        ? succeed(deps, held, { urls, results: arrived }, { count })
        : fail(deps, held, 'task-failed')
    await (pick(3) === 0 ? twice(end) : end())
    const captured = (held.amount * BigInt(arrived)) / BigInt(count)
    if (captured > 0n) succeeded.push({ ...held, captured })
    const what = arrived === 0 ? 'release' : arrived < count ? 'capture part' : 'capture'
    note(what, payerOf(held), -captured)
  }
}

async function pays(client: Client): Promise<void> {
  const { deps, pick } = client
  const { id: userId } = one(client, people)
  const [topUpId, chargeId, credit] = [randomIds.next(), randomIds.next(), BigInt(10_00 + pick(200_00))]
  await deps.db.execute(sql`insert into top_ups (id, user_id, provider, credit, charge, currency, created_at)
    values (${topUpId}, ${userId}::bigint, 'stars', ${credit}::bigint, 100, 'XTR', ${timestamp(deps.clock.now())})`)
  const paid = { provider: 'stars', topUpId, userId, currency: 'XTR', charge: 100n }
  const report = () => creditPayment(paying(client), paid, chargeId)
  const credited = await Promise.all(Array.from({ length: 1 + pick(3) }, report))
  for (const { ok } of credited) note(ok ? 'deposit' : 'deposit duplicate', userId, ok ? credit : 0n)
  await rewards(client, { provider: 'stars', chargeId, topUpId, userId }, credit)
  charges.push(chargeId)
}

/** What follows a credit, twice at once: percents for the inviter, and a sum for the first payment. */
async function rewards({ deps }: Client, payment: Parameters<FollowUp['onCredited']>[0], credit: bigint) {
  const [payer] = await deps.db.select().from(users).where(eq(users.id, payment.userId))
  if (!payer?.referrerId) return
  let given = 0
  const rules = { referralBonus: bonus, referralPercent: percent, referralPayments: undefined }
  const wakeNotices = () => {
    given += 1
  }
  const { onCredited } = createRewards({ ...deps, ...rules, wakeNotices })
  await twice(() => onCredited(payment))
  note('partner', payer.referrerId, (credit * BigInt(percent)) / 100n)
  if (given > 1) note('referral', payer.referrerId, bonus)
}

/** A payment provider that randomly refunds, refuses or does not answer. */
function paying({ deps, pick }: Client): TopUpDeps {
  const answers: readonly RefundOutcome[] = [
    { is: 'done' },
    { is: 'refused', said: 'no' },
    { is: 'unavailable', said: '' },
  ]
  const stars = starsThat(async () => answers[pick(answers.length)] ?? { is: 'done' })
  const limits = { min: 1n, max: 1_000_000_00n }
  return { ...deps, providers: [stars], limits, wakeNotices: () => undefined }
}

async function returnsPayment(client: Client): Promise<void> {
  const [chargeId] = charges.splice(client.pick(charges.length || 1), 1)
  if (!chargeId) return
  const before = await takenOff(client, chargeId)
  const refunded = await refundPayment(paying(client), 'stars', chargeId)
  const after = await takenOff(client, chargeId)
  note(`payment ${refunded.ok ? 'refunded' : refunded.reason}`, after.userId, before.taken - after.taken)
  if (!refunded.ok && refunded.reason !== 'spent') charges.push(chargeId)
}

async function takenOff({ deps }: Client, chargeId: string) {
  const taken = sql`
    select p.user_id as "userId", coalesce(sum(case t.kind when 'refund' then t.amount else -t.amount end), 0) as taken
      from payments p left join transfers t on t.top_up_id = p.top_up_id and t.kind = 'refund'
        or t.key like 'correction:refund:stars:' || p.charge_id || '%'
      where p.charge_id = ${chargeId} group by p.user_id`
  const [row] = await rows(deps.db, taken, z.object({ userId: z.coerce.bigint(), taken: z.coerce.bigint() }))
  return row ?? expect.unreachable(chargeId)
}

/** Two operators refund the same order at the same time. */
async function returnsPrice({ deps, pick }: Client): Promise<void> {
  const generation = succeeded[pick(succeeded.length || 1)]
  if (!generation) return
  const refund = { by: 1, generationId: generation.id, reason: 'blurred' }
  for (const refunded of await twice(() => refundGeneration(deps, refund))) {
    const change = refunded.ok ? refunded.amount : 0n
    note(`price ${refunded.ok ? 'refunded' : refunded.reason}`, payerOf(generation), change)
  }
}

async function isGiven(client: Client): Promise<void> {
  const { deps } = client
  const { id: userId } = one(client, people)
  const now = deps.clock.now()
  const redeemed = await redeem(deps.db, { userId, personHash: `person-${userId}` }, 'SPRING', now)
  const amount = redeemed.ok && 'amount' in redeemed ? redeemed.amount : 0n
  note(`promo ${redeemed.ok ? 'ok' : redeemed.reason}`, userId, amount)
  const greeted = await post(deps.db, welcome(userId, gift), now)
  note(`welcome ${greeted.ok ? 'ok' : greeted.reason}`, userId, greeted.ok ? gift : 0n)
}

async function isCorrected(client: Client): Promise<void> {
  const { id: userId } = one(client, people)
  const amount = BigInt(client.pick(500_00) - 300_00) || 1n
  const deed = { key: randomIds.next(), by: 1, userId, amount, reason: 'because' }
  for (const corrected of await twice(() => correct(client.deps, deed)))
    note(`correction ${corrected}`, userId, corrected === 'done' ? amount : 0n)
}

/** Two tokens of the question or the answer cost a kopeck. */
const [model] = textModelList.parse([
  { id: 'T', family: 'gpt', rates: { input: '5000', output: '5000' }, maxOutput: 20_000 },
]) as [TextModel]

/** Asks a text model, and settles the answer twice at the same time. */
async function asks(client: Client): Promise<void> {
  const { deps, pick } = client
  const { id: userId } = one(client, people)
  const maxOutput = 2 + pick(20_000)
  const begun = await beginTurn(deps, {
    id: randomIds.next(),
    conversation: { id: `thread-${userId}` } as Conversation,
    userId,
    model: { ...model, maxOutput },
    text: '?',
    files: [],
    messageId: null,
    updateId: pick(Number.MAX_SAFE_INTEGER),
    inputTokens: 2,
    leastOutput: pick(2) === 0 ? 2 : maxOutput,
  })
  note(`question ${begun.ok ? 'ok' : begun.reason}`)
  if (!begun.ok) return
  const { turn } = begun
  const captured = BigInt(pick(Number(turn.amount) + 1))
  const used = { text: '!', thinking: '', sources: [], inputTokens: 2, outputTokens: 2, isEstimate: false }
  const outcome: Outcome = { ...used, state: 'done', failure: null, rates: null, captured }
  const parts = [{ kind: 'text', text: '!', entities: [] }] as const
  const settled = await twice(() => settleAnswer(deps, turn, { outcome, parts, lease: turn.lease ?? '' }))
  expect(settled).toMatchObject([{ captured }, { captured }])
  note('answer ok', userId, -captured)
}

/** Fills a wallet twice by one tap, and sometimes takes what is left back, also twice; limits and switches it. */
async function lends(client: Client): Promise<void> {
  const { deps, pick } = client
  const wallet = one(client, wallets)
  const now = deps.clock.now()
  const filled = { key: randomIds.next(), wallet, amount: BigInt(1 + pick(250_00)) }
  for (const funded of await twice(() => fundWallet(deps.db, filled, now)))
    note(`fund ${funded.ok ? 'ok' : funded.reason}`)
  await setDailyCap(deps.db, wallet.id, pick(2) > 0 ? null : BigInt(pick(200_00)))
  await switchWallet(deps.db, wallet, pick(4) > 0)
  if (pick(2) === 0) return
  const emptied = { key: randomIds.next(), wallet }
  for (const back of await twice(() => emptyWallet(deps.db, emptied, now)))
    note(back > 0n ? 'taken back' : 'nothing to take back')
}

const acts = [
  ...[orders, orders, orders, ordersInGroup, settles, settles, pays, returnsPayment, returnsPayment],
  ...[returnsPrice, isGiven, isCorrected, asks, lends],
] as const

async function openBank(): Promise<void> {
  const createdAt = world.clock.now()
  for (let at = 0; at < 3; at += 1) {
    const { owner, wallet } = await walletWith(world, 0n)
    people.push(owner)
    wallets.push(wallet)
    // The owner of a wallet has ten roubles already.
    await correct(world.deps, {
      key: randomIds.next(),
      by: 1,
      userId: owner.id,
      amount: start - 10_00n,
      reason: 'x',
    })
  }
  while (people.length < 6) people.push(await userWith(world, start))
  const modes = { thinking: false, search: false, code: false }
  for (const [at, { id }] of people.entries()) {
    worth.set(id, start)
    await db
      .update(users)
      .set({ referrerId: people[at - 1]?.id ?? null })
      .where(eq(users.id, id))
    const thread = { id: `thread-${id}`, userId: id, chatId: Number(id), modelId: 'x' }
    await db.insert(conversations).values({ ...thread, modes, createdAt })
  }
  const given = { welcomeCredit: gift, invitedBonus: 0n, referralBonus: bonus, referralPercent: percent }
  await storeBonuses(db, { ...given, topUp: { bonusSteps: [] } })
  await makePromos(db, { code: 'SPRING', amount: 13_00n, maxUses: 4, createdAt })
}

const sum = z.coerce.bigint()
const sums = z.object({ balances: sum, moved: sum, least: sum, spent: sum })

/** Checks one snapshot: the balances are what came in less what went out, nobody is above the daily cap, and the audit is clean. */
const look = () =>
  db.transaction(
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

async function works(client: Client): Promise<void> {
  for (let done = 0; done < actsEach; done += 1) await one(client, acts)(client)
  if (client.pick(2) === 0) await look()
}

it(`many concurrent clients keep the sums, the balances and the audit correct, with seed ${seed}`, {
  timeout: 120_000,
}, async () => {
  await openBank()
  const working = Array.from({ length: clients }, (_, at) => {
    const random = seededRandom(seed + at)
    const own = processes[at % processes.length]?.db ?? db
    return works({ deps: { ...world.deps, db: own, limits }, pick: (below) => Math.floor(random() * below) })
  })
  await Promise.all(working)
  await look()

  const have = new Map<bigint, bigint>()
  for (const { ownerId, available, held } of await db.select().from(accounts))
    have.set(ownerId, (have.get(ownerId) ?? 0n) + available + held)
  expect(have).toEqual(worth)
  const missing = wanted.filter((what) => !tally.has(what))
  expect(missing, JSON.stringify([...tally])).toEqual([])
})

/** The outcomes that a meaningful run must contain. */
const wanted = `order ok, order already, order insufficient, order daily-cap
  in group ok, in group wallet-short, in group wallet-off
  capture, capture part, release, price refunded, price already
  deposit, deposit duplicate, partner, referral, payment refunded, payment refused, payment spent
  promo ok, promo used-before, welcome ok, welcome duplicate
  correction done, correction before, correction insufficient
  question ok, answer ok
  fund ok, fund duplicate, fund insufficient, taken back, nothing to take back`.split(/,?\s*\n\s*|, /)

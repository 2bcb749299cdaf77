// Clients of the bank test. Each moves money by the app's own functions, one call at a time, and records the result. The expected
// balance of a user follows from the results alone.

import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type TextModel, textModelList } from '../../../src/catalog/text-models.ts'
import type { Conversation } from '../../../src/chat/conversations.ts'
import { beginTurn } from '../../../src/chat/hold.ts'
import { type Outcome, settleAnswer } from '../../../src/chat/turns.ts'
import { users } from '../../../src/db/schema.ts'
import { timestamp } from '../../../src/db/sql.ts'
import { post } from '../../../src/ledger/ledger.ts'
import { welcome } from '../../../src/ledger/moves.ts'
import { redeem } from '../../../src/ledger/promo.ts'
import { emptyWallet, fundWallet, type Wallet } from '../../../src/ledger/wallets.ts'
import { correct } from '../../../src/operator/corrections.ts'
import { refundGeneration } from '../../../src/operator/refunds.ts'
import { claim, type Generation, write, writeAndRelease } from '../../../src/orders/generation.ts'
import { fail, succeed } from '../../../src/orders/settle.ts'
import type { RefundOutcome } from '../../../src/payments/provider.ts'
import { refundPayment } from '../../../src/payments/refunds.ts'
import { createRewards } from '../../../src/payments/rewards.ts'
import { creditPayment, type FollowUp, type TopUpDeps } from '../../../src/payments/top-ups.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { User } from '../../../src/users/user.ts'
import { claimNow } from '../database/claim.ts'
import { confirm } from './confirm.ts'
import { type GenerationWorld, quoteFor } from './generations.ts'
import { starsThat } from './payments.ts'

export interface Bank {
  readonly users: readonly User[]
  readonly wallets: readonly Wallet[]
  /** How often each result occurred. */
  readonly tally: Map<string, number>
  /** The expected money of a user, available and held, also in their wallet. */
  readonly worth: Map<bigint, bigint>
  readonly charges: string[]
  readonly succeeded: Generation[]
}

export interface Client {
  readonly world: GenerationWorld
  readonly bank: Bank
  /** Dependencies of one process, with its own connections. */
  readonly deps: GenerationWorld['deps']
  /** A random whole number below `below`. */
  readonly pick: (below: number) => number
}

export const code = 'SPRING'
export const bonus = 11_00n
export const percent = 7

function note({ bank }: Client, what: string, userId?: bigint, change = 0n): void {
  bank.tally.set(what, (bank.tally.get(what) ?? 0) + 1)
  if (userId !== undefined) bank.worth.set(userId, (bank.worth.get(userId) ?? 0n) + change)
}

const one = <T>({ pick }: Client, all: readonly T[]): T => {
  const found = all[pick(all.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

/** Confirms an order, sometimes three times at once. */
async function orders(client: Client): Promise<void> {
  const { world, deps, pick } = client
  const user = one(client, client.bank.users)
  const { quote } = await quoteFor(world, user, { numberResults: 1 + pick(2) })
  const tap = () => confirm(deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
  const taps = await Promise.all(pick(4) === 0 ? [tap(), tap(), tap()] : [tap()])
  for (const tapped of taps) note(client, `order ${tapped.ok ? 'ok' : tapped.reason}`)
  if (taps.filter(({ ok }) => ok).length > 1) throw new Error('one draft was ordered twice')
}

/** Settles due generations: with all results, with some, or as failed; sometimes twice at the same time. */
async function settles(client: Client): Promise<void> {
  const { deps, pick, bank } = client
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
    await Promise.all(pick(3) === 0 ? [end(), end()] : [end()])
    const captured = (held.amount * BigInt(arrived)) / BigInt(count)
    if (captured > 0n) bank.succeeded.push({ ...held, captured })
    note(
      client,
      arrived === 0 ? 'release' : arrived < count ? 'capture part' : 'capture',
      held.userId,
      -captured,
    )
  }
}

async function pays(client: Client): Promise<void> {
  const { deps, pick, bank } = client
  const { id: userId } = one(client, bank.users)
  const [topUpId, chargeId, credit] = [randomIds.next(), randomIds.next(), BigInt(10_00 + pick(200_00))]
  await deps.db.execute(sql`insert into top_ups (id, user_id, provider, credit, charge, currency, created_at)
    values (${topUpId}, ${userId}::bigint, 'stars', ${credit}::bigint, 100, 'XTR', ${timestamp(deps.clock.now())})`)
  const paid = { provider: 'stars', topUpId, userId, currency: 'XTR', charge: 100n }
  const report = () => creditPayment(paying(client), paid, chargeId)
  const credited = await Promise.all(Array.from({ length: 1 + pick(3) }, report))
  for (const { ok } of credited) note(client, ok ? 'deposit' : 'deposit duplicate', userId, ok ? credit : 0n)
  await rewards(client, { provider: 'stars', chargeId, topUpId, userId }, credit)
  bank.charges.push(chargeId)
}

/** What follows a credit, twice at once: percents for the inviter, and a sum for the first payment. */
async function rewards(client: Client, payment: Parameters<FollowUp['onCredited']>[0], credit: bigint) {
  const [payer] = await client.deps.db.select().from(users).where(eq(users.id, payment.userId))
  if (!payer?.referrerId) return
  const { deps } = client
  let given = 0
  const rules = { referralBonus: bonus, referralPercent: percent, referralPayments: undefined }
  const wakeNotices = () => {
    given += 1
  }
  const { onCredited } = createRewards({ ...deps, ...rules, wakeNotices })
  await Promise.all([onCredited(payment), onCredited(payment)])
  note(client, 'partner', payer.referrerId, (credit * BigInt(percent)) / 100n)
  if (given > 1) note(client, 'referral', payer.referrerId, bonus)
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
  const { bank, pick } = client
  const [chargeId] = bank.charges.splice(pick(bank.charges.length || 1), 1)
  if (!chargeId) return
  const before = await takenOff(client, chargeId)
  const refunded = await refundPayment(paying(client), 'stars', chargeId)
  const after = await takenOff(client, chargeId)
  note(
    client,
    `payment ${refunded.ok ? 'refunded' : refunded.reason}`,
    after.userId,
    before.taken - after.taken,
  )
  if (!refunded.ok && refunded.reason !== 'spent') bank.charges.push(chargeId)
}

async function takenOff({ deps }: Client, chargeId: string) {
  const [row] = await deps.db.execute<{ user_id: string; taken: string }>(
    sql`select p.user_id, coalesce(sum(case t.kind when 'refund' then t.amount else -t.amount end), 0) as taken
      from payments p left join transfers t on t.top_up_id = p.top_up_id and t.kind = 'refund'
        or t.key like 'correction:refund:stars:' || p.charge_id || '%'
      where p.charge_id = ${chargeId} group by p.user_id`,
    'objects',
  )
  if (!row) throw new Error(`no payment ${chargeId}`)
  return { userId: BigInt(row.user_id), taken: BigInt(row.taken) }
}

/** Two operators refund the same order at the same time. */
async function returnsPrice(client: Client): Promise<void> {
  const { bank, deps, pick } = client
  const generation = bank.succeeded[pick(bank.succeeded.length || 1)]
  if (!generation) return
  const refund = { by: 1, generationId: generation.id, reason: 'blurred' }
  const refunds = await Promise.all([refundGeneration(deps, refund), refundGeneration(deps, refund)])
  for (const refunded of refunds) {
    const change = refunded.ok ? refunded.amount : 0n
    note(client, `price ${refunded.ok ? 'refunded' : refunded.reason}`, generation.userId, change)
  }
}

async function isGiven(client: Client): Promise<void> {
  const { deps, bank } = client
  const { id: userId } = one(client, bank.users)
  const now = deps.clock.now()
  const redeemed = await redeem(deps.db, { userId, personHash: `person-${userId}` }, code, now)
  note(
    client,
    `promo ${redeemed.ok ? 'ok' : redeemed.reason}`,
    userId,
    redeemed.ok && 'amount' in redeemed ? redeemed.amount : 0n,
  )
  const greeted = await post(deps.db, welcome(userId, 7_00n), now)
  note(client, `welcome ${greeted.ok ? 'ok' : greeted.reason}`, userId, greeted.ok ? 7_00n : 0n)
}

async function isCorrected(client: Client): Promise<void> {
  const { deps, bank, pick } = client
  const { id: userId } = one(client, bank.users)
  const amount = BigInt(pick(500_00) - 300_00) || 1n
  const deed = { key: randomIds.next(), by: 1, userId, amount, reason: 'because' }
  for (const corrected of await Promise.all([correct(deps, deed), correct(deps, deed)]))
    note(client, `correction ${corrected}`, userId, corrected === 'done' ? amount : 0n)
}

/** Two tokens of the question or the answer cost a kopeck. */
const [model] = textModelList.parse([
  { id: 'T', family: 'gpt', rates: { input: '5000', output: '5000' }, maxOutput: 20_000 },
]) as [TextModel]

/** Asks a text model, and settles the answer twice at the same time. */
async function asks(client: Client): Promise<void> {
  const { deps, bank, pick } = client
  const { id: userId } = one(client, bank.users)
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
  note(client, `question ${begun.ok ? 'ok' : begun.reason}`)
  if (!begun.ok) return
  const { turn } = begun
  const captured = BigInt(pick(Number(turn.amount) + 1))
  const used = { text: '!', thinking: '', sources: [], inputTokens: 2, outputTokens: 2, isEstimate: false }
  const outcome: Outcome = { ...used, state: 'done', failure: null, rates: null, captured }
  const parts = [{ kind: 'text', text: '!', entities: [] }] as const
  const settled = () => settleAnswer(deps, turn, { outcome, parts, lease: turn.lease ?? '' })
  expect(await Promise.all([settled(), settled()])).toMatchObject([{ captured }, { captured }])
  note(client, 'answer ok', userId, -captured)
}

/** Fills a wallet twice by one tap, and sometimes takes what is left back, also twice. */
async function lends(client: Client): Promise<void> {
  const { deps, bank, pick } = client
  const wallet = one(client, bank.wallets)
  const now = deps.clock.now()
  const filled = { key: randomIds.next(), wallet, amount: BigInt(1 + pick(50_00)) }
  for (const funded of await Promise.all([
    fundWallet(deps.db, filled, now),
    fundWallet(deps.db, filled, now),
  ]))
    note(client, `fund ${funded.ok ? 'ok' : funded.reason}`)
  if (pick(2) === 0) return
  const emptied = { key: randomIds.next(), wallet }
  for (const back of await Promise.all([
    emptyWallet(deps.db, emptied, now),
    emptyWallet(deps.db, emptied, now),
  ]))
    note(client, back > 0n ? 'taken back' : 'nothing to take back')
}

export const acts = [
  ...[orders, orders, orders, settles, settles, pays, returnsPayment, returnsPayment],
  ...[returnsPrice, isGiven, isCorrected, asks, lends],
] as const

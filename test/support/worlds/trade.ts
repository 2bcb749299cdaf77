// A shop in which everything that moves money can happen: payments by every provider and their refunds, gifts, answers of a text model, orders
// whose result comes late.

import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { textModelList } from '../../../src/catalog/text-models.ts'
import { noModes } from '../../../src/catalog/text-modes.ts'
import { openConversation } from '../../../src/chat/conversations.ts'
import { beginTurn } from '../../../src/chat/hold.ts'
import { type Outcome, settleAnswer } from '../../../src/chat/turns.ts'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { redeem } from '../../../src/ledger/promo.ts'
import { storeBonuses } from '../../../src/ledger/referral.ts'
import { addPromo } from '../../../src/operator/promo.ts'
import { findPayment, type Payment } from '../../../src/payments/payment.ts'
import type { RefundOutcome } from '../../../src/payments/provider.ts'
import { configureProviders, createProviders, type ProviderId } from '../../../src/payments/providers.ts'
import { noteRefund, refundPayment } from '../../../src/payments/refunds.ts'
import { createRewards } from '../../../src/payments/rewards.ts'
import { creditPayment, openTopUp, type TopUpDeps } from '../../../src/payments/top-ups.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { User } from '../../../src/users/user.ts'
import { createWorld, json, order, step } from './generations.ts'
import { boss } from './operator.ts'

// The user pays double; an answer of 3 input and 1000 output tokens costs 0.3 + 132 kopecks at the gateway.
const prices = { input: '1000', output: '1320' }
export const [talker = expect.unreachable()] = textModelList.parse([
  { id: 'talker', family: 'gpt', rates: prices, multiplier: '2', label: 'Talker' },
])

const methods = configureProviders({
  ...{ TOPUP_ROUBLES_PER_STAR: '2', TOPUP_RUB_PROVIDER_TOKEN: '1:TEST:2' },
  ...{ YOOKASSA_SHOP_ID: '100500', YOOKASSA_SECRET_KEY: 'secret', CRYPTOPAY_TOKEN: '1:secret-token' },
  ...{ PLATEGA_MERCHANT_ID: randomUUID(), PLATEGA_SECRET: 'secret' },
}).configured
const bonusSteps = [{ from: 500_00n, percent: 5 }]
const bonuses = { referralBonus: 3_00n, referralPercent: 10, referralPayments: undefined }

export async function createTrade() {
  const world = await createWorld()
  const { db } = world.deps
  const now = () => world.clock.now()
  await storeBonuses(db, { ...bonuses, welcomeCredit: 5_00n, invitedBonus: 4_00n, topUp: { bonusSteps } })
  let updates = 0

  /** What Telegram does when it is asked to refund Stars. */
  const stars: { refund: RefundOutcome } = { refund: { is: 'done' } }
  const transactions = async () => ({ count: 0, movements: [] })
  const starAccount = { refund: async () => stars.refund, transactions }
  const deps = { ...world.deps, ...bonuses, wakeNotices: () => undefined }
  const paying: TopUpDeps = {
    ...deps,
    providers: createProviders(methods, {
      ...{ clock: world.clock, vatCode: undefined, returnUrl: () => '', starAccount },
    }),
    limits: { min: 1_00n, max: 15_000_00n },
    bonusSteps,
    followUp: createRewards(deps),
  }

  async function pays({ id: userId }: User, providerId: ProviderId, credit: bigint): Promise<Payment> {
    const opened = await openTopUp(paying, userId, credit, providerId)
    if (!opened.ok) throw new Error(opened.reason)
    const { id: topUpId, provider, charge, currency } = opened.topUp
    const chargeId = `charge-${topUpId}`
    const credited = await creditPayment(paying, { provider, topUpId, userId, currency, charge }, chargeId)
    expect(credited).toEqual({ ok: true, credit })
    return (await findPayment(db, provider, chargeId)) ?? expect.unreachable()
  }

  /** Of Stars the operator asks Telegram; the others tell of it. */
  async function givesBack({ provider, chargeId, credit, charge }: Payment): Promise<void> {
    if (provider === 'stars')
      expect(await refundPayment(paying, provider, chargeId)).toEqual({ ok: true, credit })
    else expect(await noteRefund(paying, provider, chargeId, charge)).toBe('noted')
  }

  const givesHalfBack = ({ provider, chargeId, charge }: Payment) =>
    noteRefund(paying, provider, chargeId, charge / 2n)

  /** The provider refuses a refund: the credit that was taken is returned. */
  async function refusesRefund({ provider, chargeId }: Payment): Promise<void> {
    stars.refund = { is: 'refused', said: 'CHARGE_NOT_FOUND' }
    const refused = { ok: false, reason: 'refused' }
    expect(await refundPayment(paying, provider, chargeId)).toMatchObject(refused)
    stars.refund = { is: 'done' }
  }

  async function redeems(by: User, code: string, gift: { amount: bigint; percent: number | null }) {
    expect(await addPromo(world.deps, code, { by: boss, ...gift, maxUses: 1, expiresAt: null })).toBe(true)
    const redeemed = await redeem(db, { userId: by.id, personHash: `p${by.id}` }, code, now())
    expect(redeemed).toMatchObject({ ok: true })
  }

  async function answered({ id: userId }: User, outcome: Partial<Outcome> = {}) {
    updates += 1
    const fresh = { userId, modelId: 'talker', system: null, modes: noModes, id: randomIds.next() }
    const conversation = await openConversation(db, { chatId: updates, topicId: 0, ...fresh }, now())
    const begun = await beginTurn(world.deps, {
      ...{ id: randomIds.next(), conversation, userId, model: talker, updateId: updates, messageId: null },
      ...{ text: 'Why?', files: [], inputTokens: 3, leastOutput: 1000 },
    })
    if (!begun.ok) throw new Error(begun.reason)
    const said = { state: 'done', text: 'So.', thinking: '', sources: [], isEstimate: false } as const
    const rates = { ...prices, multiplier: '2' }
    const used = { failure: null, inputTokens: 3, outputTokens: 1000, rates, captured: 265n }
    const ended = await settleAnswer(world.deps, begun.turn, {
      outcome: { ...said, ...used, ...outcome },
      parts: [{ kind: 'text', text: 'So.', entities: [] }],
      lease: begun.turn.lease ?? '',
    })
    return ended ?? expect.unreachable('not settled')
  }

  /** An order is refused, and its result comes after that. */
  async function comesLate(by: User): Promise<void> {
    world.reset()
    const { id } = await order(world, by)
    world.gatewayAnswers(json(400, { error: { message: 'no', type: 't', code: 'c' } }))
    await step(world)
    await db.insert(artifacts).values({ generationId: id, position: 0, url: 'https://a.example/1.mp4' })
    await db.update(generations).set({ arrivedLateAt: now() }).where(eq(generations.id, id))
    world.reset()
  }

  return { world, pays, givesBack, givesHalfBack, refusesRefund, redeems, answered, comesLate }
}

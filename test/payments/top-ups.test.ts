// Which payments pass the checkout and are credited: the right amount and currency from the right user, once.

import { DrizzleQueryError } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assignPayment } from '../../src/operator/assigned-payments.ts'
import { openUnmatched } from '../../src/payments/payment.ts'
import { noteRefund } from '../../src/payments/refunds.ts'
import {
  checkPayment,
  creditPayment,
  type FollowUp,
  openTopUp,
  payMessage,
  type TopUp,
  takeSettledPayMessages,
} from '../../src/payments/top-ups.ts'
import { forget } from '../../src/privacy/forget.ts'
import { writeNote } from '../../src/telegram/message-notes.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { providerFrom } from '../support/worlds/payments.ts'

const world = await auditedPaying()
let user: { id: bigint }
let topUp: TopUp

// The stranger of the tests, whose id is 1.
beforeAll(() => world.user())
beforeEach(async () => {
  user = await world.user()
  topUp = await world.open(user.id, 500_00n, 'telegram-rub')
})

const following = (onCredited: FollowUp['onCredited']) => ({
  ...world.deps,
  followUp: { onCredited, onRefunded: async () => undefined, catchUp: async () => undefined },
})
const right = () => {
  const of = { provider: 'telegram-rub', topUpId: topUp.id, userId: user.id }
  return { ...of, currency: 'RUB', charge: 500_00n }
}
const stranger = () => ({ ...right(), topUpId: 'of-a-lost-backup' })
const assigns = (chargeId: string) =>
  assignPayment(world.deps, { by: null, chargeId, userId: user.id, credit: 450_00n, reason: 'restored' })
const recorded = async (chargeId: string) =>
  (await openUnmatched(world.deps.db)).filter((one) => one.chargeId === chargeId)
const unmatched = { ok: false, reason: 'unmatched' }
const wrongs = [
  ['unknown', { topUpId: 'x' }],
  ['foreign', { userId: 1n }],
  ['wrong-amount', { charge: 500n }],
  ['wrong-amount', { charge: 500_01n }],
  ['wrong-amount', { currency: 'XTR' }],
] as const

describe('before checkout', () => {
  it('a correct payment passes until the top-up is paid, and no other is credited', async () => {
    for (const [reason, change] of wrongs) {
      const wrong = { ...right(), ...change }
      expect(await checkPayment(world.deps, wrong)).toEqual({ ok: false, reason })
      expect(await creditPayment(world.deps, wrong, `bad-${topUp.id}`)).toEqual(unmatched)
    }
    expect(await world.available(user.id)).toBe(0n)
    expect(await checkPayment(world.deps, right())).toMatchObject({ ok: true })
    await creditPayment(world.deps, right(), `charge-${topUp.id}`)
    expect(await checkPayment(world.deps, right())).toEqual({ ok: false, reason: 'already-paid' })
  })

  it('a top-up at a limit of its provider is opened, and a top-up beyond a limit is not', async () => {
    const max = 15_000_00n
    const leasts = { yookassa: 50_00n, 'telegram-rub': 100_00n }
    for (const [provider, min] of Object.entries(leasts)) {
      const opened = (credit: bigint) => openTopUp(world.deps, user.id, credit, provider)
      expect(await opened(min)).toMatchObject({ ok: true, topUp: { credit: min } })
      expect(await opened(max)).toMatchObject({ ok: true, topUp: { credit: max } })
      for (const credit of [min - 1n, max + 1n])
        expect(await opened(credit)).toEqual({ ok: false, reason: 'out-of-range', min, max })
    }
  })
})

describe('a payment', () => {
  it('that fits no top-up is recorded once, and assigned to a user once', async () => {
    const chargeId = `lost-${topUp.id}`
    for (const _ of [1, 2]) await creditPayment(world.deps, stranger(), chargeId)
    const facts = { named: 'of-a-lost-backup', userId: user.id, charge: 500_00n }
    expect(await recorded(chargeId)).toMatchObject([facts])
    const assigned = await Promise.all([1, 2, 3].map(() => assigns(chargeId)))
    expect(assigned.filter(({ ok }) => ok)).toHaveLength(1)
    const before = { ok: false, reason: 'assigned-before' }
    expect(await assigns(chargeId)).toEqual(before)
    expect(await world.available(user.id)).toBe(450_00n)
    expect(await recorded(chargeId)).toEqual([])
    expect(await creditPayment(world.deps, stranger(), chargeId)).toEqual(unmatched)
    expect(await recorded(chargeId)).toEqual([])
    expect(await noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)).toBe('noted')
    expect(await assigns(chargeId)).toEqual(before)
  })

  it('that arrives while the data of its payer is being deleted is recorded, and credited to nobody', async () => {
    const chargeId = `orphan-${topUp.id}`
    const other = await openWithTransactions(world.databaseUrl)
    const { credited } = await other.db.transaction(async (tx) => {
      expect(await forget(tx, user.id, 'person', world.clock.now())).toEqual({ ok: true })
      const begun = creditPayment(world.deps, right(), chargeId)
      await lockWaits(other.db)
      return { credited: begun }
    })
    expect(await credited).toEqual({ ok: false, reason: 'unmatched' })
    expect(await world.available(user.id)).toBe(0n)
    const facts = { named: topUp.id, userId: user.id, charge: 500_00n }
    expect(await recorded(chargeId)).toMatchObject([facts])
    expect(world.lines.at(-1)).toMatchObject({
      level: 'error',
      facts: { chargeId, reason: 'payer forgotten' },
    })
    await other.close()
  })

  it('that fits no top-up and was refunded by its provider cannot be assigned', async () => {
    const chargeId = `returned-${topUp.id}`
    await creditPayment(world.deps, stranger(), chargeId)
    await noteRefund(world.deps, 'stars', chargeId, 500_00n)
    await noteRefund(world.deps, 'telegram-rub', 'another', 500_00n)
    expect(await recorded(chargeId), 'of another provider, or another payment').toHaveLength(1)
    expect(await noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)).toBe('unknown')
    for (const _ of ['once', 'after another report']) {
      expect(await assigns(chargeId)).toEqual({ ok: false, reason: 'unknown-payment' })
      expect(await recorded(chargeId)).toEqual([])
      await creditPayment(world.deps, stranger(), chargeId)
    }
    expect(await world.available(user.id)).toBe(0n)
  })

  it('that was assigned and then refunded by its provider loses its credit', async () => {
    const chargeId = `back-${topUp.id}`
    await creditPayment(world.deps, stranger(), chargeId)
    const refund = noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)
    const [assigned, noted] = await Promise.all([assigns(chargeId), refund])
    expect(assigned.ok).toBe(noted === 'noted')
    await creditPayment(world.deps, stranger(), chargeId)
    expect(await assigns(chargeId)).toMatchObject({ ok: false })
    expect(await world.available(user.id)).toBe(0n)
  })

  it('reported several times at once is credited once; another one for the same top-up is credited, too: it was paid', async () => {
    const reports = Array.from({ length: 10 }, () => creditPayment(world.deps, right(), `a-${topUp.id}`))
    expect((await Promise.all(reports)).filter(({ ok }) => ok)).toHaveLength(1)
    expect(await world.available(user.id)).toBe(500_00n)
    await creditPayment(world.deps, right(), `b-${topUp.id}`)
    expect(await world.available(user.id)).toBe(1000_00n)
  })

  it('that has paid one top-up does not pay another one', async () => {
    const charge = `charge-${topUp.id}`
    expect(await creditPayment(world.deps, right(), charge)).toMatchObject({ ok: true })
    const other = await world.open(user.id, 500_00n, 'telegram-rub')
    const again = await creditPayment(world.deps, { ...right(), topUpId: other.id }, charge)
    expect(again).toEqual({ ok: false, reason: 'duplicate' })
    expect(await world.reread(topUp)).toMatchObject({ state: 'paid' })
    expect(await world.reread(other)).toMatchObject({ state: 'open' })
    expect(await world.available(user.id)).toBe(500_00n)
  })

  it('leads to the removal of the messages that it was paid from, once, and of no other messages of its user', async () => {
    const other = await world.open(user.id, 500_00n, 'telegram-rub')
    for (const [message_id, { id: topUpId }] of [topUp, other].entries()) {
      const note = { kind: payMessage, userId: user.id, about: { topUpId } }
      const chat = { id: Number(user.id) }
      await writeNote(world.deps, { chat, message_id }, note)
      const kind = { ...payMessage, name: 'another' }
      await writeNote(world.deps, { chat, message_id: message_id + 10 }, { ...note, kind })
    }
    const taken = ({ id } = user) => takeSettledPayMessages(world.deps.db, id)
    expect(await taken()).toEqual([])
    await creditPayment(world.deps, right(), `charge-${topUp.id}`)
    expect(await taken(await world.user())).toEqual([])
    expect(await taken()).toEqual([{ chatId: Number(user.id), messageId: 0 }])
    expect(await taken()).toEqual([])
  })

  it('calls onCredited again when its report is repeated, and is credited even if that fails', async () => {
    const called: bigint[] = []
    const deps = following(async ({ userId }) => void called.push(userId))
    await creditPayment(deps, right(), `charge-${topUp.id}`)
    await creditPayment(deps, right(), `charge-${topUp.id}`)
    expect(called).toEqual([user.id, user.id])
    const failing = following(() => Promise.reject(new Error('no bonus')))
    expect(await creditPayment(failing, right(), `other-${topUp.id}`)).toMatchObject({ ok: true })
  })

  it('calls onCredited again if the database is unavailable meanwhile', async () => {
    let calls = 0
    const lost = new DrizzleQueryError('select', [], Object.assign(new Error('lost'), { code: '08006' }))
    const deps = following(async () => {
      calls += 1
      if (calls === 1) throw lost
    })
    const clock = { ...world.clock, wait: async () => undefined }
    const credited = await creditPayment({ ...deps, clock }, right(), `charge-${topUp.id}`)
    expect(credited).toMatchObject({ ok: true })
    expect(calls).toBe(2)
  })
})

const charge = { currency: 'RUB', amount: 1_234_05n }
const extras = (vatCode: number | undefined) => {
  const { way } = providerFrom({ TOPUP_RUB_PROVIDER_TOKEN: '1:TEST:x' }, { vatCode })
  return way.by === 'invoice' ? way.extras(charge, 'Пополнение баланса') : undefined
}

it('the fiscal receipt of a Telegram invoice has the format of the provider, to which the e-mail address is passed', () => {
  const { provider_data = '', ...asked } = extras(4) ?? {}
  expect(asked).toEqual({ need_email: true, send_email_to_provider: true })
  const sold = { description: 'Пополнение баланса', quantity: '1.00', vat_code: 4, measure: 'piece' }
  const paid = { payment_mode: 'full_payment', payment_subject: 'service' }
  const item = { ...sold, ...paid, amount: { value: '1234.05', currency: 'RUB' } }
  expect(JSON.parse(provider_data)).toEqual({ receipt: { items: [item] } })
  expect(extras(undefined), 'it is not sent without a VAT code').toEqual({})
})

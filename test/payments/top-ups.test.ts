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
const right = () => ({
  provider: 'telegram-rub',
  topUpId: topUp.id,
  userId: user.id,
  currency: 'RUB',
  charge: 500_00n,
})
const wrongs = [
  ['unknown', { topUpId: 'x' }],
  ['foreign', { userId: 1n }],
  ['wrong-amount', { charge: 500n }],
  ['wrong-amount', { charge: 500_01n }],
  ['wrong-amount', { currency: 'XTR' }],
] as const

describe('before checkout', () => {
  it.each(wrongs)('%s is refused: %o', async (reason, change) => {
    expect(await checkPayment(world.deps, { ...right(), ...change })).toEqual({ ok: false, reason })
  })

  it('a correct payment passes until the top-up is paid', async () => {
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

  it('a provider that was switched off accepts nothing', async () => {
    const off = { ...world.deps, providers: [] }
    expect(await checkPayment(off, right())).toEqual({ ok: false, reason: 'off' })
    expect(await openTopUp(off, user.id, 500_00n, 'telegram-rub')).toEqual({ ok: false, reason: 'off' })
  })
})

describe('a payment', () => {
  it.each(wrongs)('that is %s is not credited: %o', async (_, change) => {
    const outcome = await creditPayment(world.deps, { ...right(), ...change }, `bad-${topUp.id}`)
    expect(outcome).toEqual({ ok: false, reason: 'unmatched' })
    expect(await world.available(user.id)).toBe(0n)
  })

  it('that fits no top-up is recorded once, and assigned to a user once', async () => {
    const chargeId = `lost-${topUp.id}`
    const stranger = { ...right(), topUpId: 'of-a-lost-backup' }
    for (const _ of [1, 2]) await creditPayment(world.deps, stranger, chargeId)
    const recorded = async () =>
      (await openUnmatched(world.deps.db)).filter((one) => one.chargeId === chargeId)
    expect(await recorded()).toMatchObject([{ named: 'of-a-lost-backup', userId: user.id, charge: 500_00n }])
    const assign = () =>
      assignPayment(world.deps, { by: null, chargeId, userId: user.id, credit: 450_00n, reason: 'restored' })
    const assigned = await Promise.all([assign(), assign(), assign()])
    expect(assigned.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await assign()).toEqual({ ok: false, reason: 'assigned-before' })
    expect(await world.available(user.id)).toBe(450_00n)
    expect(await recorded()).toEqual([])
    expect(await creditPayment(world.deps, stranger, chargeId)).toEqual({ ok: false, reason: 'unmatched' })
    expect(await recorded()).toEqual([])
    expect(await noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)).toBe('noted')
    expect(await assign()).toEqual({ ok: false, reason: 'assigned-before' })
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
    const recorded = (await openUnmatched(world.deps.db)).filter((one) => one.chargeId === chargeId)
    expect(recorded).toMatchObject([{ named: topUp.id, userId: user.id, charge: 500_00n }])
    expect(world.lines.at(-1)).toMatchObject({
      level: 'error',
      facts: { chargeId, reason: 'payer forgotten' },
    })
    await other.close()
  })

  it('that fits no top-up and was refunded by its provider cannot be assigned', async () => {
    const chargeId = `returned-${topUp.id}`
    const stranger = { ...right(), topUpId: 'of-a-lost-backup' }
    await creditPayment(world.deps, stranger, chargeId)
    expect(await noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n)).toBe('unknown')
    const of = { by: null, chargeId, userId: user.id, credit: 450_00n, reason: 'restored' }
    expect(await assignPayment(world.deps, of)).toEqual({ ok: false, reason: 'unknown-payment' })
    expect((await openUnmatched(world.deps.db)).map((one) => one.chargeId)).not.toContain(chargeId)
    expect(await world.available(user.id)).toBe(0n)
    await creditPayment(world.deps, stranger, chargeId)
    expect(await assignPayment(world.deps, of)).toEqual({ ok: false, reason: 'unknown-payment' })
    expect((await openUnmatched(world.deps.db)).map((one) => one.chargeId)).not.toContain(chargeId)
  })

  it('that fits no top-up stays to be assigned when its provider, or another one, refunds another payment', async () => {
    const [first, second] = [`one-${topUp.id}`, `two-${topUp.id}`]
    const stranger = { ...right(), topUpId: 'of-a-lost-backup' }
    const left = async () =>
      (await openUnmatched(world.deps.db)).map((one) => one.chargeId).filter((id) => id.endsWith(topUp.id))
    for (const chargeId of [first, second]) await creditPayment(world.deps, stranger, chargeId)
    await noteRefund(world.deps, 'stars', first, 500_00n)
    expect(await left()).toEqual([first, second])
    await noteRefund(world.deps, 'telegram-rub', first, 500_00n)
    expect(await left()).toEqual([second])
  })

  it('that was assigned and then refunded by its provider loses its credit', async () => {
    const chargeId = `back-${topUp.id}`
    await creditPayment(world.deps, { ...right(), topUpId: 'of-a-lost-backup' }, chargeId)
    const of = { by: null, chargeId, userId: user.id, credit: 450_00n, reason: 'restored' }
    const done = await Promise.all([
      assignPayment(world.deps, of),
      noteRefund(world.deps, 'telegram-rub', chargeId, 500_00n),
    ])
    expect(done[0].ok).toBe(done[1] === 'noted')
    await creditPayment(world.deps, { ...right(), topUpId: 'of-a-lost-backup' }, chargeId)
    expect(await assignPayment(world.deps, of)).toMatchObject({ ok: false })
    expect(await world.available(user.id)).toBe(0n)
  })

  it('reported several times at once is credited once', async () => {
    const charge = `charge-${topUp.id}`
    const reports = Array.from({ length: 10 }, () => creditPayment(world.deps, right(), charge))
    expect((await Promise.all(reports)).filter(({ ok }) => ok)).toHaveLength(1)
    expect(await world.available(user.id)).toBe(500_00n)
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

  it('made twice for one top-up is credited twice, since the user has paid twice', async () => {
    await creditPayment(world.deps, right(), `first-${topUp.id}`)
    await creditPayment(world.deps, right(), `second-${topUp.id}`)
    expect(await world.available(user.id)).toBe(1000_00n)
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

describe('the fiscal receipt of a Telegram invoice', () => {
  const charge = { currency: 'RUB', amount: 1_234_05n }
  const extras = (vatCode: number | undefined) => {
    const { way } = providerFrom({ TOPUP_RUB_PROVIDER_TOKEN: '1:TEST:x' }, { vatCode })
    return way.by === 'invoice' ? way.extras(charge, 'Пополнение баланса') : undefined
  }

  it('has the format of the provider, and the e-mail address is passed to the provider', () => {
    const { provider_data = '', ...asked } = extras(4) ?? {}
    expect(asked).toEqual({ need_email: true, send_email_to_provider: true })
    expect(JSON.parse(provider_data)).toEqual({
      receipt: {
        items: [
          {
            description: 'Пополнение баланса',
            quantity: '1.00',
            amount: { value: '1234.05', currency: 'RUB' },
            vat_code: 4,
            measure: 'piece',
            payment_mode: 'full_payment',
            payment_subject: 'service',
          },
        ],
      },
    })
  })

  it('is not sent without a VAT code', () => expect(extras(undefined)).toEqual({}))
})

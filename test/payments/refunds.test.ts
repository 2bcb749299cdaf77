// Refunds through YooKassa: first the credit is taken, then the provider refunds; each happens once, whatever fails in between.

import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { notices, payments, transfers } from '../../src/db/schema.ts'
import { acceptTransfers } from '../../src/ledger/checksum.ts'
import { refundKey } from '../../src/ledger/keys.ts'
import { post } from '../../src/ledger/ledger.ts'
import { noteOf } from '../../src/ledger/statement.ts'
import {
  emptyWallet,
  fundWallet,
  openWallet,
  owingOwners,
  ownWallet,
  type Wallet,
  walletAt,
} from '../../src/ledger/wallets.ts'
import { assignPayment } from '../../src/operator/corrections.ts'
import { checkDueLinks } from '../../src/payments/links.ts'
import { eventOf } from '../../src/payments/notices.ts'
import { findPayment } from '../../src/payments/payment.ts'
import { createTopUpWatch } from '../../src/payments/reconcile.ts'
import { noteRefund, refundPart, refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { creditPayment, type TopUpDeps } from '../../src/payments/top-ups.ts'
import { mayForget } from '../../src/privacy/forget.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedPaying } from '../support/worlds/audited.ts'
import { hold as holdMove, holdTurn, postAll, settle } from '../support/worlds/moves.ts'

const world = await auditedPaying()
let user: { id: bigint }
/** YooKassa's id of the payment. */
let charge: string

beforeEach(async () => {
  user = await world.user()
  charge = (await world.link(user.id, 500_00n)).externalId
  await world.decides(charge, 'pay')
  world.clock.advance(60_000)
  await checkDueLinks(world.deps)
  await world.forgetTold()
  world.lines.length = 0
})

const refund = () => refundPayment(world.deps, 'yookassa', charge)
/** Resumes refunds when no other process can still be asking the provider. */
const resumeLater = () => {
  world.clock.advance(2 * 60_000)
  return resumeRefunds(world.deps)
}
const moves = async () => {
  const found = await world.deps.db.select().from(transfers).where(eq(transfers.userId, user.id))
  return found.map(({ kind, amount }) => `${kind} ${amount}`)
}
const refundedAtYookassa = async () => {
  const answer = await fetch(`${world.url}/api/yookassa/payments`)
  const list = z.array(z.object({ id: z.string(), refunded: z.number() })).parse(await answer.json())
  return list.find(({ id }) => id === charge)?.refunded
}
const refundedElsewhere = (refunded = 500_00n, deps = world.deps) =>
  noteRefund(deps, 'yookassa', charge, refunded)
const spend = (amount: bigint) => world.gives(user.id, -amount)
const refused = { kind: 'error', status: 400, description: 'not enough money in the shop' }
const broken = { kind: 'error', status: 500 }
const isMarked = async () => {
  const [found] = await world.deps.db.select().from(payments).where(eq(payments.chargeId, charge))
  return found?.refundedAt !== null
}

let groupId = -7000

/** Opens a wallet of the user and moves the amount into it. */
async function fillsWallet(amount = 500_00n, { id: ownerId } = user): Promise<Wallet> {
  const { db } = world.deps
  const now = world.clock.now()
  groupId -= 1
  const wallet = await openWallet(db, { ownerId, chatId: groupId, title: 'We', dailyCap: 1n }, now)
  if (!wallet) throw new Error('not opened')
  expect(await fundWallet(db, { key: randomIds.next(), wallet, amount }, now)).toEqual({ ok: true })
  return wallet
}

const lentIn = async (...wallets: readonly Wallet[]) => {
  const found = await Promise.all(wallets.map(({ id, ownerId }) => ownWallet(world.deps.db, id, ownerId)))
  return found.map((wallet) => wallet?.available)
}

/** What is left of the money, in the bot and at YooKassa. */
const leftIs = async (available: bigint, refunded: number) =>
  expect([await world.available(user.id), await refundedAtYookassa()]).toEqual([available, refunded])
const now = () => world.clock.now()
/** Ends a test whose transfers have no order. */
const forgetHolds = async () => {
  const { db } = world.deps
  await db.execute(sql`delete from transfers where generation_id is not null`)
  await db.execute(
    sql`update accounts set available = 0, held = 0, owed = 0 where kind = 'user' and owner_id = ${user.id}::bigint`,
  )
  await db.execute(acceptTransfers)
}
/** With a YooKassa that refuses a refund after this. */
const refusingAfter = (act: () => Promise<void>): TopUpDeps => {
  const refund = () => act().then(() => ({ is: 'refused', said: 'not now' }) as const)
  return { ...world.deps, providers: [{ ...world.provider('yookassa'), refund }] }
}
const eight = <T>(ask: () => T): T[] => Array.from({ length: 8 }, ask)

describe('a refund', () => {
  it('takes the credit and refunds the payment once, also when it is requested several times at once', async () => {
    expect(await Promise.all(eight(refund))).toContainEqual({ ok: true, credit: 500_00n })
    expect(await refund()).toEqual({ ok: false, reason: 'already-refunded' })
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([])
    await leftIs(0n, 500_00)
    expect(await world.told()).toEqual(['refunded 50000'])
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    // One statement marks it and writes its notice: a process that ends in between loses no message.
    const both = sql`
      select p.xmin::text = n.xmin::text as "isOne" from payments p
        join notices n on n.key = 'refunded:yookassa:' || p.charge_id where p.charge_id = ${charge}`
    const found = await rows(world.deps.db, both, z.object({ isOne: z.boolean() }))
    expect(found).toEqual([{ isOne: true }])
  })

  it('requested while another request asks the provider does not ask it again', async () => {
    const outcomes: unknown[] = []
    const deps = refusingAfter(async () => void outcomes.push(await refundPayment(deps, 'yookassa', charge)))
    outcomes.push(await refundPayment(deps, 'yookassa', charge))
    expect(outcomes).toMatchObject(['pending', 'refused'].map((reason) => ({ ok: false, reason })))
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000', 'correction 50000'])
  })

  it('is refused when the credit was spent or the provider is off, without a request to YooKassa', async () => {
    world.fault('refund', { kind: 'error', status: 500 })
    const off = { ...world.deps, providers: [] }
    expect(await refundPayment(off, 'yookassa', charge)).toEqual({ ok: false, reason: 'off' })
    expect(await refundPayment(world.deps, 'stars', charge)).toEqual({ ok: false, reason: 'unknown' })
    await spend(1n)
    expect(await refund()).toEqual({ ok: false, reason: 'spent' })
    expect(world.faults.list()).toHaveLength(1)
    expect(await moves()).toEqual(['deposit 50000', 'correction 1'])
  })

  it('that YooKassa refuses returns the credit, and can be tried again', async () => {
    for (let times = 0; times < 2; times += 1) {
      world.fault('refund', refused)
      const said = expect.stringContaining('not enough money')
      expect(await refund()).toMatchObject({ reason: 'refused', said })
      await resumeLater()
      expect(await world.available(user.id), 'only an operator begins it again').toBe(500_00n)
    }
    expect(await refund()).toMatchObject({ ok: true })
    const back = ['refund 50000', 'correction 50000']
    expect(await moves()).toEqual(['deposit 50000', ...back, ...back, 'refund 50000'])
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it('that is not finished is continued by the background work, also where links are polled', async () => {
    world.fault('refund', { kind: 'cut' })
    await refund()
    world.clock.advance(2 * 60_000)
    const noticed = Promise.withResolvers<void>()
    const followUp = { onCredited: vi.fn(), onRefunded: vi.fn(), catchUp: vi.fn() }
    const wakeNotices = noticed.resolve
    const loops = createTopUpWatch({ ...world.deps, clock: world.clock, wakeNotices, followUp })
    for (const loop of loops) loop.start()
    await noticed.promise
    await Promise.all(loops.map((loop) => loop.stop()))
    expect(followUp.catchUp).toHaveBeenCalledTimes(1)
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it.each<[string, object, number, object?]>([
    ['the connection was cut before the refund', { kind: 'cut' }, 0],
    ['the connection was cut after the refund', { kind: 'cut', after: true }, 0],
    ['that is noticed after the idempotence key has expired', { kind: 'cut', after: true }, 25],
    ['it was refused while the payment could not be read', { kind: 'error', status: 400 }, 0, broken],
  ])('is finished by resumeRefunds when %s', async (_, fault, hours, unread) => {
    world.fault('refund', fault)
    if (unread) world.fault('read', unread)
    expect(await refund()).toEqual({ ok: false, reason: 'pending' })
    // The user must not spend a credit that may have been refunded.
    expect(await world.available(user.id)).toBe(0n)
    expect(await isMarked()).toBe(false)
    const { id: other } = await world.user()
    const mayGo = await Promise.all([user.id, other].map((id) => mayForget(world.deps.db, id)))
    expect(mayGo).toEqual([{ ok: false, reason: 'refunding' }, { ok: true }])
    world.clock.advance(hours * 60 * 60_000)
    await resumeLater()
    await resumeLater()
    expect(await isMarked()).toBe(true)
    await leftIs(0n, 500_00)
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it('that the provider refuses because another process has just noted it returns no credit', async () => {
    const other = await openWithTransactions(world.databaseUrl)
    const noted = Promise.withResolvers<void>()
    const deps = refusingAfter(() => noted.promise)
    const asked = refundPayment(deps, 'yookassa', charge)
    await other.db.transaction(async (tx) => {
      await expect.poll(() => moves()).toHaveLength(2)
      await tx.update(payments).set({ refundedAt: now() }).where(eq(payments.chargeId, charge))
      noted.resolve()
      await lockWaits(world.deps.db)
    })
    expect(await asked).toMatchObject({ reason: 'refused' })
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    await other.close()
  })
})

describe('a refund of a payment whose credit is in wallets of groups', () => {
  it('takes the credit from them, and leaves them as they are while the balance suffices', async () => {
    const stranger = await world.user()
    for (const { id } of [user, stranger]) await world.gives(id, 500_00n)
    const wallets = [await fillsWallet(200_00n), await fillsWallet(300_00n), await fillsWallet(1n, stranger)]
    expect(await refund()).toEqual({ ok: true, credit: 500_00n })
    expect(await lentIn(...wallets)).toEqual([200_00n, 300_00n, 1n])
    const other = await world.link(user.id, 500_00n)
    await world.decides(other.externalId, 'pay')
    world.clock.advance(60_000)
    await checkDueLinks(world.deps)
    await spend(500_00n)
    const again = await refundPayment(world.deps, 'yookassa', other.externalId)
    expect(again).toEqual({ ok: true, credit: 500_00n })
    expect(await lentIn(...wallets)).toEqual([0n, 0n, 1n])
    expect(await world.available(user.id)).toBe(0n)
  })

  it('is refused, and leaves them as they are, when a part of the credit is spent', async () => {
    await spend(1n)
    const wallet = await fillsWallet(499_99n)
    expect(await refund()).toEqual({ ok: false, reason: 'spent' })
    expect(await lentIn(wallet)).toEqual([499_99n])
    await world.gives(user.id, 1n)
    expect(await refund()).toMatchObject({ ok: true })
  })

  it.each([
    ['is made', 'fills', () => refund().then(({ ok }) => ok)],
    ['is taken', 'empties', () => refundedElsewhere().then((noted) => noted === 'noted')],
  ] as const)('%s although the owner %s the wallet at that moment', async (_, act, ask) => {
    const wallet = await fillsWallet(200_00n)
    const other = await openWithTransactions(world.databaseUrl)
    const { asked } = await other.db.transaction(async (tx) => {
      const moved = { key: randomIds.next(), wallet, amount: 300_00n }
      if (act === 'fills') expect(await fundWallet(tx, moved, now())).toEqual({ ok: true })
      else expect(await emptyWallet(tx, moved, now())).toBe(200_00n)
      const begun = ask()
      await lockWaits(world.deps.db)
      return { asked: begun }
    })
    expect([await asked, ...(await lentIn(wallet)), await world.available(user.id)]).toEqual([true, 0n, 0n])
    await other.close()
  })
})

describe('a payment refunded elsewhere whose credit is in a wallet', () => {
  it('is taken from it once, with concurrent reports, and what is spent is a debt', async () => {
    await spend(100_00n)
    const wallet = await fillsWallet(400_00n)
    const noted = await Promise.all(eight(() => refundedElsewhere()))
    expect(noted.filter((one) => one === 'noted')).toHaveLength(1)
    expect(await lentIn(wallet)).toEqual([0n])
    expect(await world.available(user.id)).toBe(-100_00n)
    const taken = ['take-back 40000', 'refund 50000']
    expect(await moves()).toEqual(['deposit 50000', 'correction 10000', 'fund 40000', ...taken])
    expect(await world.told()).toEqual(['corrected -10000', 'refunded 50000'])
  })

  it('leaves a debt that is paid with what returns to the wallet later, and nothing is ordered from the wallet until then', async () => {
    const wallet = await fillsWallet(500_00n)
    const { db } = world.deps
    const hold = { id: 'held', userId: user.id, walletId: wallet.id, amount: 500_00n }
    expect(await post(db, holdMove(hold), now())).toEqual({ ok: true })
    await refundedElsewhere()
    expect(await world.available(user.id)).toBe(-500_00n)
    expect(await walletAt(db, wallet.chatId ?? 0)).toBeUndefined()
    expect(await owingOwners(db), 'whose money is held').not.toContain(user.id)
    expect(await postAll(db, settle(hold, 0n), now())).toEqual({ ok: true })
    expect(await owingOwners(db)).toContain(user.id)
    expect(await lentIn(wallet)).toEqual([500_00n])
    await resumeLater()
    expect(await lentIn(wallet)).toEqual([0n])
    expect(await world.available(user.id)).toBe(0n)
    expect(await walletAt(db, wallet.chatId ?? 0)).toMatchObject({ id: wallet.id })
    await forgetHolds()
  })
})

describe('a refund made elsewhere', () => {
  it('takes what is left of a spent credit once, and the rest is a debt that the next credits pay', async () => {
    await spend(499_99n)
    const noted = await Promise.all(eight(() => refundedElsewhere()))
    expect(noted.filter((one) => one !== 'before')).toEqual(['noted'])
    expect(await refund()).toEqual({ ok: false, reason: 'already-refunded' })
    await resumeLater()
    expect(await world.available(user.id)).toBe(-499_99n)
    expect(await isMarked()).toBe(true)
    const errors = world.lines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([{ chargeId: charge, taken: '50000', owed: '49999' }])
    await world.gives(user.id, 600_00n)
    expect(await world.available(user.id)).toBe(100_01n)
    expect(await moves()).toEqual(['deposit 50000', 'correction 49999', 'refund 50000', 'correction 60000'])
    expect(await world.told()).toEqual(['corrected -49999', 'refunded 50000', 'corrected 60000'])
  })

  it('refuses holds of orders and answers, and the filling of a wallet, until the debt is paid', async () => {
    const { db } = world.deps
    const wallet = await fillsWallet(1n)
    await spend(499_99n)
    await refundedElsewhere()
    const holds = [holdMove, holdTurn].map((of) => of({ id: 'held', userId: user.id, amount: 1n }))
    const insufficient = { ok: false, reason: 'insufficient' }
    const fills = () => fundWallet(db, { key: randomIds.next(), wallet, amount: 1n }, now())
    for (const given of [0n, 499_98n]) {
      if (given > 0n) await world.gives(user.id, given)
      for (const move of holds) expect(await post(db, move, now())).toEqual(insufficient)
      expect(await fills()).toEqual(insufficient)
    }
    expect(await world.available(user.id)).toBe(-1n)
    await world.gives(user.id, 2n)
    expect(await fills()).toEqual({ ok: true })
  })

  it('while a refund of ours is being refused is taken within the hour', async () => {
    const { db } = world.deps
    const marks = (refundedAt: Date | null) =>
      db.update(payments).set({ refundedAt }).where(eq(payments.chargeId, charge))
    // The provider says that it has refunded the payment, just before it refuses our request.
    await refundPayment(
      refusingAfter(async () => void (await marks(null))),
      'yookassa',
      charge,
    )
    expect(await world.available(user.id)).toBe(500_00n)
    await marks(now())
    await resumeLater()
    expect(await world.available(user.id)).toBe(0n)
  })
})

describe('a refund of a part by an operator', () => {
  const part = async (amount: bigint, before: bigint) => {
    const payment = await findPayment(world.deps.db, 'yookassa', charge)
    if (!payment) throw new Error('it was credited')
    return refundPart(world.deps, payment, { amount, before }, 'too much')
  }

  it('is made once with its reason, and never of more than is left; a later whole refund returns the rest', async () => {
    await Promise.all([part(100_00n, 0n), part(100_00n, 0n), part(100_00n, 0n)])
    await leftIs(400_00n, 100_00)
    expect(await part(100_00n, 0n)).toEqual({ ok: false, reason: 'changed' })
    expect(await part(400_01n, 100_00n)).toEqual({ ok: false, reason: 'too-much' })
    expect(await part(50_00n, 100_00n)).toEqual({ ok: true, credit: 50_00n })
    expect(await world.told()).toEqual(['refunded 10000', 'refunded 5000'])
    const [told] = await world.deps.db.select().from(notices).orderBy(notices.id)
    expect(told && (await noteOf(world.deps.db, refundKey(eventOf(told))))).toBe('too much')
    expect(await refund()).toMatchObject({ ok: true })
    await leftIs(0n, 500_00)
  })

  it('is made once when the answer is lost and the operator repeats it', async () => {
    world.fault('refund', { kind: 'cut' })
    expect(await part(500_00n, 0n)).toEqual({ ok: false, reason: 'part-unanswered' })
    expect(await world.available(user.id)).toBe(500_00n)
    expect(await part(500_00n, 0n)).toMatchObject({ ok: true })
    await leftIs(0n, 500_00)
  })

  it('is not asked for when the money is spent, and takes nothing when the provider refuses', async () => {
    await spend(450_00n)
    expect(await part(50_01n, 0n)).toEqual({ ok: false, reason: 'spent' })
    world.fault('refund', refused)
    expect(await part(50_00n, 0n)).toMatchObject({ ok: false, reason: 'part-refused' })
    await leftIs(50_00n, 0)
  })
})

describe('a refund of a part elsewhere', () => {
  it('takes that part of the credit, once, however often and in whatever order the parts are reported', async () => {
    for (const [refunded, outcome, left] of [
      [100_01n, 'noted', 399_99n],
      [100_01n, 'before', 399_99n],
      [300_00n, 'noted', 200_00n],
      [100_01n, 'before', 200_00n],
      [500_00n, 'noted', 0n],
      [300_00n, 'before', 0n],
    ] as const) {
      expect(await refundedElsewhere(refunded)).toBe(outcome)
      expect(await world.available(user.id)).toBe(left)
      expect(await isMarked()).toBe(left === 0n)
    }
    expect(await world.told()).toEqual(['refunded 10001', 'refunded 19999', 'refunded 20000'])
    const isTaken = and(eq(transfers.userId, user.id), eq(transfers.kind, 'refund'))
    const taken = await world.deps.db.select().from(transfers).where(isTaken).orderBy(transfers.id)
    expect(taken.map(({ key }) => key.split('#')[1])).toEqual([undefined, '2', '3'])
  })

  it('is taken in proportion to the charge, rounded down, when the credit is in another unit', async () => {
    const of = { chargeId: `assigned-${charge}`, userId: user.id }
    const named = { provider: 'telegram-rub', topUpId: 'of-a-lost-backup', userId: user.id }
    await creditPayment(world.deps, { ...named, currency: 'RUB', charge: 300n }, of.chargeId)
    const assigned = { ...of, by: null, credit: 100_00n, reason: 'lost' }
    expect(await assignPayment(world.deps, assigned)).toEqual({ ok: true })
    for (const [refunded, left] of [
      [100n, 566_67n],
      [300n, 500_00n],
    ] as const) {
      expect(await noteRefund(world.deps, 'telegram-rub', of.chargeId, refunded)).toBe('noted')
      expect(await world.available(user.id)).toBe(left)
    }
  })

  it('is taken once, with concurrent reports of several parts, and what is spent is a debt', async () => {
    await spend(450_00n)
    const parts = [100_00n, 250_00n, 400_00n, 250_00n, 100_00n]
    await Promise.all(parts.map((part) => refundedElsewhere(part)))
    expect(await world.available(user.id)).toBe(-350_00n)
  })

  it('leaves the rest to an operator, and neither to resumeRefunds nor to a deletion of data; a refusal returns it', async () => {
    await refundedElsewhere(100_00n)
    await resumeLater()
    expect(await mayForget(world.deps.db, user.id)).toEqual({ ok: true })
    world.fault('refund', refused)
    expect(await refund()).toMatchObject({ reason: 'refused' })
    expect(await world.available(user.id)).toBe(400_00n)
    const amount = { value: '100.00', currency: 'RUB' }
    await world.asksYookassa('POST', '/refunds', { payment_id: charge, amount })
    expect(await refund()).toEqual({ ok: true, credit: 400_00n })
    await leftIs(0n, 500_00)
    expect(await world.told()).toEqual(['refunded 10000', 'refunded 40000'])
  })
})

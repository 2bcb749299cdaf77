// Refunds through YooKassa: first the credit is taken, then the provider refunds; each happens once, whatever fails in between.

import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Database, rows } from '../../src/db/client.ts'
import { notices, payments, transfers } from '../../src/db/schema.ts'
import { acceptTransfers } from '../../src/ledger/checksum.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { noteOf } from '../../src/ledger/statement.ts'
import {
  emptyWallet,
  fundWallet,
  openWallet,
  ownWallet,
  type Wallet,
  walletAt,
} from '../../src/ledger/wallets.ts'
import { assignPayment } from '../../src/operator/assigned-payments.ts'
import { checkDueLinks } from '../../src/payments/links.ts'
import { takingOfNotice } from '../../src/payments/notice-keys.ts'
import { findPayment } from '../../src/payments/payment.ts'
import { createTopUpWatch } from '../../src/payments/reconcile.ts'
import { noteRefund, refundPart, refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { creditPayment } from '../../src/payments/top-ups.ts'
import { mayForget } from '../../src/privacy/forget.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { afterReads } from '../support/database/after-reads.ts'
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
const isMarked = async () => {
  const [found] = await world.deps.db.select().from(payments).where(eq(payments.chargeId, charge))
  return found?.refundedAt !== null
}

let groupId = -7000

/** Opens a wallet of the user and moves the amount into it. */
async function fillsWallet(amount = 500_00n): Promise<Wallet> {
  const { db } = world.deps
  const now = world.clock.now()
  groupId -= 1
  const wallet = await openWallet(db, { ownerId: user.id, chatId: groupId, title: 'We', dailyCap: 1n }, now)
  if (!wallet) throw new Error('not opened')
  expect(await fundWallet(db, { key: randomIds.next(), wallet, amount }, now)).toEqual({ ok: true })
  return wallet
}

const lentIn = async (...wallets: readonly Wallet[]) => {
  const found = await Promise.all(wallets.map(({ id, ownerId }) => ownWallet(world.deps.db, id, ownerId)))
  return found.map((wallet) => wallet?.available)
}

describe('a refund', () => {
  it('takes the credit and refunds the payment, once', async () => {
    expect(await refund()).toEqual({ ok: true, credit: 500_00n })
    expect(await refund()).toEqual({ ok: false, reason: 'already-refunded' })
    expect(await world.available(user.id)).toBe(0n)
    expect(await refundedAtYookassa()).toBe(500_00)
    expect(await world.told()).toEqual(['refunded 50000'])
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
  })

  it('is marked, and its notice is written, by one statement: a process that ends in between loses no message', async () => {
    await refund()
    const both = sql`
      select p.xmin::text = n.xmin::text as "isOne" from payments p
        join notices n on n.key = 'refunded:yookassa:' || p.charge_id where p.charge_id = ${charge}`
    const found = await rows(world.deps.db, both, z.object({ isOne: z.boolean() }))
    expect(found).toEqual([{ isOne: true }])
  })

  it('requested several times at once happens once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, refund))
    expect(outcomes.some(({ ok }) => ok)).toBe(true)
    expect(await refundedAtYookassa()).toBe(500_00)
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it('requested while another request asks the provider does not ask it again', async () => {
    const outcomes: unknown[] = []
    const refuse = async () => {
      outcomes.push(await refundPayment(deps, 'yookassa', charge))
      return { is: 'refused', said: 'not now' } as const
    }
    const deps = { ...world.deps, providers: [{ ...world.provider('yookassa'), refund: refuse }] }
    outcomes.push(await refundPayment(deps, 'yookassa', charge))
    expect(outcomes).toMatchObject([
      { ok: false, reason: 'pending' },
      { ok: false, reason: 'refused' },
    ])
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000', 'correction 50000'])
  })

  it('is refused when the credit was spent, without a request to YooKassa', async () => {
    await spend(1n)
    world.fault('refund', { kind: 'error', status: 500 })
    expect(await refund()).toEqual({ ok: false, reason: 'spent' })
    expect(world.faults.list()).toHaveLength(1)
    expect(await moves()).toEqual(['deposit 50000', 'correction 1'])
  })

  it('that YooKassa refuses returns the credit, and can be tried again', async () => {
    for (let times = 0; times < 2; times += 1) {
      world.fault('refund', refused)
      expect(await refund()).toMatchObject({
        reason: 'refused',
        said: expect.stringContaining('not enough money'),
      })
      await resumeLater()
      expect(await world.available(user.id), 'only an operator begins it again').toBe(500_00n)
    }
    expect(await refundedAtYookassa()).toBe(0)
    expect(await refund()).toMatchObject({ ok: true })
    expect(await world.available(user.id)).toBe(0n)
    expect(await refundedAtYookassa()).toBe(500_00)
    expect(await moves()).toEqual([
      'deposit 50000',
      ...['refund 50000', 'correction 50000'],
      ...['refund 50000', 'correction 50000'],
      'refund 50000',
    ])
  })

  it('that YooKassa refused once and then did not answer is finished by resumeRefunds', async () => {
    world.fault('refund', refused)
    await refund()
    world.fault('refund', { kind: 'error', status: 500 })
    expect(await refund()).toEqual({ ok: false, reason: 'pending' })
    await resumeLater()
    expect(await refundedAtYookassa()).toBe(500_00)
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000', 'correction 50000', 'refund 50000'])
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it('that is not finished is continued by the background work, also where links are polled', async () => {
    world.fault('refund', { kind: 'cut' })
    await refund()
    world.clock.advance(2 * 60_000)
    const noticed = Promise.withResolvers<void>()
    const deps = { ...world.deps, clock: world.clock, wakeNotices: noticed.resolve }
    const loops = createTopUpWatch(deps)
    for (const loop of loops) loop.start()
    await noticed.promise
    await Promise.all(loops.map((loop) => loop.stop()))
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it.each([
    ['the connection was cut before the refund', { kind: 'cut' }],
    ['the connection was cut after the refund', { kind: 'cut', after: true }],
  ])('is finished by resumeRefunds when %s', async (_, fault) => {
    world.fault('refund', fault)
    expect(await refund()).toEqual({ ok: false, reason: 'pending' })
    // The user must not spend a credit that may have been refunded.
    expect(await world.available(user.id)).toBe(0n)
    expect(await isMarked()).toBe(false)
    await resumeLater()
    await resumeLater()
    expect(await isMarked()).toBe(true)
    expect(await refundedAtYookassa()).toBe(500_00)
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it('whose answer was lost is recognised after the idempotence key has expired', async () => {
    world.fault('refund', { kind: 'cut', after: true })
    await refund()
    world.clock.advance(25 * 60 * 60_000)
    await resumeLater()
    expect(await isMarked()).toBe(true)
    expect(await world.available(user.id)).toBe(0n)
    expect(await refundedAtYookassa()).toBe(500_00)
  })

  it('that the provider refuses because another process has just noted it returns no credit', async () => {
    const sql = postgres(world.databaseUrl, { max: 2, onnotice: () => undefined })
    const noting = await sql.reserve()
    const refuse = async () => {
      await noting`begin`
      await noting`update payments set refunded_at = now() where charge_id = ${charge}`
      return { is: 'refused', said: 'refunded before' } as const
    }
    const providers = [{ ...world.provider('yookassa'), refund: refuse }]
    const asked = refundPayment({ ...world.deps, providers }, 'yookassa', charge)
    const isWaiting = expect
      .poll(
        () =>
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1)
    await Promise.race([asked, isWaiting])
    await noting`commit`
    noting.release()
    expect(await asked).toMatchObject({ reason: 'refused' })
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    await sql.end()
  })

  it('stays pending after a refusal while the payment cannot be read', async () => {
    world.fault('refund', { kind: 'error', status: 400 })
    world.fault('read', { kind: 'error', status: 500 })
    expect(await refund()).toEqual({ ok: false, reason: 'pending' })
    expect(await world.available(user.id)).toBe(0n)
    await resumeLater()
    expect(await isMarked()).toBe(true)
  })

  it('of an unknown payment, or through a provider that is switched off, is refused', async () => {
    expect(await refundPayment(world.deps, 'yookassa', 'x')).toEqual({ ok: false, reason: 'unknown' })
    expect(await refundPayment(world.deps, 'stars', charge)).toEqual({ ok: false, reason: 'unknown' })
    const off = { ...world.deps, providers: [] }
    expect(await refundPayment(off, 'yookassa', charge)).toEqual({ ok: false, reason: 'off' })
  })
})

describe('a refund of a payment whose credit is in wallets of groups', () => {
  it('takes the credit from them', async () => {
    const wallets = [await fillsWallet(200_00n), await fillsWallet(300_00n)]
    expect(await refund()).toEqual({ ok: true, credit: 500_00n })
    expect(await lentIn(...wallets)).toEqual([0n, 0n])
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual(['refunded 50000'])
  })

  it('leaves them as they are while the balance suffices', async () => {
    await world.gives(user.id, 100_00n)
    const wallet = await fillsWallet(100_00n)
    expect(await refund()).toMatchObject({ ok: true })
    expect(await lentIn(wallet)).toEqual([100_00n])
  })

  it('is refused, and leaves them as they are, when a part of the credit is spent', async () => {
    await spend(1n)
    const wallet = await fillsWallet(499_99n)
    expect(await refund()).toEqual({ ok: false, reason: 'spent' })
    expect(await lentIn(wallet)).toEqual([499_99n])
    await world.gives(user.id, 1n)
    expect(await refund()).toMatchObject({ ok: true })
  })
})

describe('a payment refunded elsewhere', () => {
  it('leaves nothing in the wallet that a member could still spend, and makes a debt of what is spent', async () => {
    await spend(100_00n)
    const wallet = await fillsWallet(400_00n)
    expect(await refundedElsewhere()).toBe('noted')
    expect(await lentIn(wallet)).toEqual([0n])
    expect(await world.available(user.id)).toBe(-100_00n)
  })

  it('leaves a debt that is paid with what returns to a wallet later, and nothing is ordered from the wallet until then', async () => {
    const wallet = await fillsWallet(500_00n)
    const { db } = world.deps
    const hold = { id: 'held', userId: user.id, walletId: wallet.id, amount: 500_00n }
    expect(await post(db, holdMove(hold), world.clock.now())).toEqual({ ok: true })
    await refundedElsewhere()
    expect(await world.available(user.id)).toBe(-500_00n)
    expect(await walletAt(db, wallet.chatId ?? 0)).toBeUndefined()
    expect(await postAll(db, settle(hold, 0n), world.clock.now())).toEqual({ ok: true })
    expect(await lentIn(wallet)).toEqual([500_00n])
    await resumeLater()
    expect(await lentIn(wallet)).toEqual([0n])
    expect(await world.available(user.id)).toBe(0n)
    expect(await walletAt(db, wallet.chatId ?? 0)).toMatchObject({ id: wallet.id })
    await db.execute(sql`delete from transfers where generation_id = 'held'`)
    await db.execute(acceptTransfers)
  })

  it('is taken although another report empties the wallet between the first try and the second', async () => {
    const wallet = await fillsWallet()
    const execute = async (...given: Parameters<Database['execute']>) => {
      const answered = await Promise.allSettled([world.deps.db.execute(...given)])
      const [answer] = answered
      if (answer.status === 'fulfilled') return answer.value
      await emptyWallet(world.deps.db, { key: randomIds.next(), wallet }, world.clock.now())
      throw answer.reason
    }
    const db = new Proxy(world.deps.db, {
      get: (real, name) => (name === 'execute' ? execute : Reflect.get(real, name)),
    })
    expect(await refundedElsewhere(500_00n, { ...world.deps, db })).toBe('noted')
    expect(await moves()).toEqual(['deposit 50000', 'fund 50000', 'take-back 50000', 'refund 50000'])
  })

  it('is made although the owner moves the balance into the wallet while both are read', async () => {
    const wallet = await fillsWallet(200_00n)
    let isMoved = false
    const moveRest = async (read: unknown) => {
      const isOfWallets = Array.isArray(read) && read.some((row) => 'dailyCap' in row)
      if (isMoved || !isOfWallets) return
      isMoved = true
      const rest = { key: randomIds.next(), wallet, amount: 300_00n }
      expect(await fundWallet(world.deps.db, rest, world.clock.now())).toEqual({ ok: true })
    }
    const db = afterReads(world.deps.db, moveRest)
    expect(await refundPayment({ ...world.deps, db }, 'yookassa', charge)).toMatchObject({ ok: true })
    expect(await lentIn(wallet)).toEqual([0n])
  })

  it('is taken once from the wallet that it filled, with concurrent reports', async () => {
    const wallet = await fillsWallet()
    const noted = await Promise.all(Array.from({ length: 8 }, () => refundedElsewhere()))
    expect(noted.filter((one) => one === 'noted')).toHaveLength(1)
    expect(await lentIn(wallet)).toEqual([0n])
    expect(await moves()).toEqual(['deposit 50000', 'fund 50000', 'take-back 50000', 'refund 50000'])
    expect(await world.told()).toEqual(['refunded 50000'])
  })
})

describe('a refund made elsewhere', () => {
  it('takes the credit once, with concurrent reports', async () => {
    const noted = await Promise.all(Array.from({ length: 8 }, () => refundedElsewhere()))
    expect(noted.filter((one) => one !== 'before')).toEqual(['noted'])
    expect(await moves()).toEqual(['deposit 50000', 'refund 50000'])
    expect(await refund()).toEqual({ ok: false, reason: 'already-refunded' })
  })

  it('takes what is left of a spent credit at once, and the rest is a debt that the next credits pay', async () => {
    await spend(499_99n)
    expect(await refundedElsewhere()).toBe('noted')
    expect(await refundedElsewhere()).toBe('before')
    await resumeLater()
    expect(await world.available(user.id)).toBe(-499_99n)
    expect(await isMarked()).toBe(true)
    const errors = world.lines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([
      {
        event: 'payment refunded after its credit was spent: the user owes money',
        facts: { chargeId: charge, taken: '50000', owed: '49999' },
      },
    ])
    await world.gives(user.id, 600_00n)
    expect(await world.available(user.id)).toBe(100_01n)
    expect(await moves()).toEqual(['deposit 50000', 'correction 49999', 'refund 50000', 'correction 60000'])
    expect(await world.told()).toEqual(['corrected -49999', 'refunded 50000', 'corrected 60000'])
  })

  it('refuses holds of orders and answers, and the filling of a wallet, until the debt is paid', async () => {
    const { db } = world.deps
    const now = world.clock.now()
    const wallet = await fillsWallet(1n)
    await spend(499_99n)
    await refundedElsewhere()
    const moves = [
      holdMove({ id: 'order', userId: user.id, amount: 1n }),
      holdTurn({ id: 'answer', userId: user.id, amount: 1n }),
    ]
    const refusedAll = async () => {
      for (const move of moves)
        expect(await post(db, move, now)).toEqual({ ok: false, reason: 'insufficient' })
      const fund = { key: randomIds.next(), wallet, amount: 1n }
      expect(await fundWallet(db, fund, now)).toEqual({ ok: false, reason: 'insufficient' })
    }
    await refusedAll()
    await world.gives(user.id, 499_98n)
    await refusedAll()
    expect(await world.available(user.id)).toBe(-1n)
    await world.gives(user.id, 2n)
    expect(await fundWallet(db, { key: randomIds.next(), wallet, amount: 1n }, now)).toEqual({ ok: true })
  })

  it('leaves open holds as they are: what they release pays the debt', async () => {
    const { db } = world.deps
    const order = { id: 'open', userId: user.id, amount: 300_00n }
    await post(db, holdMove(order), world.clock.now())
    await refundedElsewhere()
    expect(await readBalance(db, user.id)).toMatchObject({ available: -300_00n, held: 300_00n })
    await postAll(db, settle(order, 100_00n), world.clock.now())
    expect(await readBalance(db, user.id)).toMatchObject({ available: -100_00n, held: 0n })
    await db.execute(sql`delete from transfers where generation_id = 'open'`)
    await db.execute(
      sql`update accounts set available = 0, owed = 0 where kind = 'user' and owner_id = ${user.id}::bigint`,
    )
    await db.execute(acceptTransfers)
  })

  it('is taken once while orders are placed at the same moment', async () => {
    const { db } = world.deps
    const orders = Array.from({ length: 8 }, (_, at) =>
      post(db, holdMove({ id: `race-${charge}-${at}`, userId: user.id, amount: 200_00n }), world.clock.now()),
    )
    const noted = Array.from({ length: 4 }, () => refundedElsewhere())
    const placed = (await Promise.all(orders)).filter(({ ok }) => ok).length
    expect((await Promise.all(noted)).filter((one) => one === 'noted')).toHaveLength(1)
    const held = BigInt(placed) * 200_00n
    expect(await readBalance(db, user.id)).toMatchObject({ available: -held, held })
    await db.execute(sql`delete from transfers where generation_id like 'race-%'`)
    await db.execute(
      sql`update accounts set available = 0, held = 0, owed = 0 where kind = 'user' and owner_id = ${user.id}::bigint`,
    )
    await db.execute(acceptTransfers)
  })

  it('of a credit that was returned after a refusal and then spent makes a debt', async () => {
    world.fault('refund', refused)
    expect(await refund()).toMatchObject({ reason: 'refused' })
    await spend(499_99n)
    expect(await refundedElsewhere()).toBe('noted')
    expect(await world.available(user.id)).toBe(-499_99n)
  })

  it('while a refund of ours is being refused is taken within the hour', async () => {
    const refuse = async () => {
      // The provider says that it has refunded the payment, just before it refuses our request.
      const { db } = world.deps
      await db.update(payments).set({ refundedAt: null }).where(eq(payments.chargeId, charge))
      return { is: 'refused', said: 'refunded before' } as const
    }
    const providers = [{ ...world.provider('yookassa'), refund: refuse }]
    await refundPayment({ ...world.deps, providers }, 'yookassa', charge)
    expect(await world.available(user.id)).toBe(500_00n)
    const now = world.clock.now()
    await world.deps.db.update(payments).set({ refundedAt: now }).where(eq(payments.chargeId, charge))
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
    expect(await refundedAtYookassa()).toBe(100_00)
    expect(await world.available(user.id)).toBe(400_00n)
    expect(await part(100_00n, 0n)).toEqual({ ok: false, reason: 'changed' })
    expect(await part(400_01n, 100_00n)).toEqual({ ok: false, reason: 'too-much' })
    expect(await part(50_00n, 100_00n)).toEqual({ ok: true, credit: 50_00n })
    expect(await world.told()).toEqual(['refunded 10000', 'refunded 5000'])
    const [told] = await world.deps.db.select().from(notices).orderBy(notices.id)
    expect(told && (await noteOf(world.deps.db, takingOfNotice(told.key)))).toBe('too much')
    expect(await refund()).toMatchObject({ ok: true })
    expect([await refundedAtYookassa(), await world.available(user.id)]).toEqual([500_00, 0n])
  })

  it('is made once when the answer is lost and the operator repeats it', async () => {
    world.fault('refund', { kind: 'cut' })
    expect(await part(100_00n, 0n)).toEqual({ ok: false, reason: 'part-unanswered' })
    expect(await world.available(user.id)).toBe(500_00n)
    expect(await part(100_00n, 0n)).toMatchObject({ ok: true })
    expect([await refundedAtYookassa(), await world.available(user.id)]).toEqual([100_00, 400_00n])
  })

  it('is not asked for when the money is spent, and takes nothing when the provider refuses', async () => {
    await spend(450_00n)
    expect(await part(50_01n, 0n)).toEqual({ ok: false, reason: 'spent' })
    world.fault('refund', refused)
    expect(await part(50_00n, 0n)).toMatchObject({ ok: false, reason: 'part-refused' })
    expect([await refundedAtYookassa(), await world.available(user.id)]).toEqual([0, 50_00n])
  })
})

describe('a refund of a part', () => {
  it('takes that part of the credit, once, however often and in whatever order the parts are reported', async () => {
    expect(await refundedElsewhere(100_01n)).toBe('noted')
    expect(await refundedElsewhere(100_01n)).toBe('before')
    expect(await world.available(user.id)).toBe(399_99n)
    expect(await refundedElsewhere(300_00n)).toBe('noted')
    expect(await refundedElsewhere(100_01n)).toBe('before')
    expect(await world.available(user.id)).toBe(200_00n)
    expect(await isMarked()).toBe(false)
    expect(await refundedElsewhere(500_00n)).toBe('noted')
    expect(await refundedElsewhere(300_00n)).toBe('before')
    expect(await isMarked()).toBe(true)
    expect(await world.told()).toEqual(['refunded 10001', 'refunded 19999', 'refunded 20000'])
  })

  it('makes a debt of what is spent', async () => {
    await spend(400_00n)
    expect(await refundedElsewhere(250_00n)).toBe('noted')
    expect(await world.available(user.id)).toBe(-150_00n)
  })

  it('is taken in proportion to the charge, rounded down, when the credit is in another unit', async () => {
    const topUp = await world.open(user.id, 160_00n, 'telegram-rub')
    const assigned = {
      by: null,
      chargeId: `assigned-${topUp.id}`,
      userId: user.id,
      credit: 100_00n,
      reason: 'lost',
    }
    const paid = {
      provider: 'telegram-rub',
      topUpId: 'of-a-lost-backup',
      userId: user.id,
      currency: 'RUB',
      charge: 300n,
    }
    await creditPayment(world.deps, paid, assigned.chargeId)
    expect(await assignPayment(world.deps, assigned)).toEqual({ ok: true })
    const noted = (refunded: bigint) => noteRefund(world.deps, 'telegram-rub', assigned.chargeId, refunded)
    expect(await noted(100n)).toBe('noted')
    expect(await world.available(user.id)).toBe(566_67n)
    expect(await noted(300n)).toBe('noted')
    expect(await world.available(user.id)).toBe(500_00n)
  })

  it('is taken once, with concurrent reports of several parts', async () => {
    const parts = [100_00n, 250_00n, 400_00n, 250_00n, 100_00n]
    await Promise.all(parts.map((part) => refundedElsewhere(part)))
    expect(await world.available(user.id)).toBe(100_00n)
  })

  it('leaves the rest to be refunded by an operator, and neither to resumeRefunds nor to a deletion of data', async () => {
    await world.asksYookassa('POST', '/refunds', {
      payment_id: charge,
      amount: { value: '100.00', currency: 'RUB' },
    })
    await refundedElsewhere(100_00n)
    await resumeLater()
    expect(await world.available(user.id)).toBe(400_00n)
    expect(await mayForget(world.deps.db, user.id)).toEqual({ ok: true })
    expect(await refund()).toEqual({ ok: true, credit: 400_00n })
    expect(await refundedAtYookassa()).toBe(500_00)
    expect(await world.available(user.id)).toBe(0n)
    expect(await world.told()).toEqual(['refunded 10000', 'refunded 40000'])
  })

  it('and a refused refund of the rest return what the refused one has taken', async () => {
    await refundedElsewhere(100_00n)
    world.fault('refund', refused)
    expect(await refund()).toMatchObject({ reason: 'refused' })
    expect(await world.available(user.id)).toBe(400_00n)
    expect(await refundedElsewhere()).toBe('noted')
    expect(await world.available(user.id)).toBe(0n)
  })
})

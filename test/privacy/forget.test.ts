// Export and deletion of a user's data: nothing personal is left in any table, the money still adds up, and a person who comes
// back does not get again what each person gets only once.

import { eq, is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import * as schema from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { redeem } from '../../src/ledger/promo.ts'
import { correct } from '../../src/operator/corrections.ts'
import { addPromo } from '../../src/operator/promo.ts'
import type { RefundOutcome } from '../../src/payments/provider.ts'
import { noteRefund, refundPayment, resumeRefunds } from '../../src/payments/refunds.ts'
import { creditPayment, openTopUp } from '../../src/payments/top-ups.ts'
import { exportData } from '../../src/privacy/export.ts'
import { forget, mayForget } from '../../src/privacy/forget.ts'
import { hashOfPerson, wasForgotten } from '../../src/users/user.ts'
import { failingStatements } from '../support/database/failing.ts'
import { openWithTransactions } from '../support/database/transactions.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { order, quoteFor, userWith } from '../support/worlds/generations.ts'
import { knownUser, operatorId, secret } from '../support/worlds/known-user.ts'
import { starsThat } from '../support/worlds/payments.ts'
import { ends, quoteIn, walletWith } from '../support/worlds/wallets.ts'

const world = await auditedWorld()
const { users, topUps } = schema
const tables = Object.values(schema).filter((one) => is(one, PgTable))

/** A payment of the user by Stars. @param refund what Telegram does when it is asked to refund it */
async function paid({ id: userId }: { id: bigint }, refund: () => Promise<RefundOutcome>) {
  const limits = { min: 1n, max: 1000_00n }
  const deps = { ...world.deps, providers: [starsThat(refund)], limits, wakeNotices: () => undefined }
  const opened = await openTopUp(deps, userId, 500_00n, 'stars')
  if (!opened.ok) throw new Error(opened.reason)
  const { id: topUpId, charge, currency } = opened.topUp
  const chargeId = `charge of ${topUpId}`
  await creditPayment(deps, { provider: 'stars', topUpId, userId, charge, currency }, chargeId)
  return { deps, chargeId }
}

/** The tables in which a word occurs, not only as a part of another one: a checksum can contain the digits of an id. */
async function tracesOf(word: string): Promise<string[]> {
  const found = await Promise.all(
    tables.map(async (table) => {
      const rows = await world.deps.db.select().from(table)
      const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      return new RegExp(String.raw`(?<!\w)${word}(?!\w)`).test(text) ? [getTableConfig(table).name] : []
    }),
  )
  return found.flat().toSorted()
}

describe('deletion', () => {
  const gone = (user: { id: bigint }, person = `p${user.id}`) =>
    forget(world.deps.db, user.id, person, world.clock.now(), [operatorId])

  it('leaves no personal data in any table, and all money rows', async () => {
    const anna = await knownUser(world)
    const known = 'artifacts conversation_states drafts generations message_notes operator_actions presets'
    const others = 'quotes reports styles threads turns updates users'
    expect((await tracesOf(secret)).join(' ')).toBe(`${known} ${others}`)
    expect(await tracesOf(String(anna.telegramId))).not.toEqual([])
    const before = await readBalance(world.deps.db, anna.id)
    const transfers = await world.deps.db.select().from(schema.transfers)
    expect(await gone(anna)).toEqual({ ok: true })
    expect(await tracesOf(secret)).toEqual([])
    expect(await tracesOf(String(anna.telegramId))).toEqual([])
    expect(await readBalance(world.deps.db, anna.id)).toEqual(before)
    expect(await world.deps.db.select().from(schema.transfers)).toEqual(transfers)
    expect(await gone(anna)).toEqual({ ok: false, reason: 'gone' })
  })

  it('is preceded by an export with all that is known, without the operator, and keeps the reason of a correction, its note', async () => {
    const anna = await knownUser(world)
    const { db } = world.deps
    const payment = { provider: 'stars', chargeId: `c${anna.id}`, charge: 7n, currency: 'XTR', named: 'x' }
    const createdAt = world.clock.now()
    await db.insert(schema.unmatchedPayments).values({ ...payment, userId: anna.id, createdAt })
    const text = await exportData(db, anna.id, createdAt)
    const exported = JSON.parse(text)
    expect(exported.setAside).toMatchObject([{ body: expect.stringContaining(secret) }])
    expect(exported.unmatchedPayments).toMatchObject([{ chargeId: payment.chargeId, charge: 7 }])
    const granted = { action: 'grant', reason: 'to begin with' }
    const deeds = ['ban', 'unban', 'assign-payment'].map((action) => ({ action, reason: secret }))
    expect(exported.operatorActions).toMatchObject([granted, ...deeds])
    expect(text).not.toContain(String(operatorId))
    await gone(anna)
    const { action, reason, subject, id } = schema.operatorActions
    const about = sql`subject in (${`user:${anna.id}`}, ${`top-up:t${anna.id}`})`
    const kept = db.select({ action, reason }).from(schema.operatorActions).where(about)
    const cleared = ['ban', 'unban'].map((name) => ({ action: name, reason: null }))
    const assigned = { action: 'assign-payment', reason: null }
    expect(await kept.orderBy(subject, id)).toEqual([assigned, granted, ...cleared])
  })

  it('covers receipts, a waiting code, broadcasts and the consent; receipts stay with their payments', async () => {
    const { db, clock } = world.deps
    const createdAt = clock.now()
    const [anna, boris] = [await knownUser(world), await userWith(world, 0n)]
    const promo = { by: operatorId, amount: 50_00n, percent: 20, maxUses: 2, expiresAt: null }
    await addPromo(world.deps, 'TWENTY', promo)
    const sent = { id: 'b1', chatId: operatorId, messageId: 1, state: 'done', createdAt } as const
    await db.insert(schema.broadcasts).values(sent)
    const receipt = { provider: 'yookassa', inn: '7', dueAt: null, createdAt }
    const consent = { consentVersion: '2026-11', consentedAt: createdAt, consentUpdateId: 1 }
    for (const { id: userId } of [anna, boris]) {
      const redeemer = { userId, personHash: `p${userId}` }
      expect(await redeem(db, redeemer, 'twenty', createdAt)).toMatchObject({ ok: true })
      await db.insert(schema.broadcastRecipients).values({ broadcastId: 'b1', userId, sentAt: createdAt })
      for (const [at, amount] of [300_00n, 0n].entries()) {
        const id = `${at}r${userId}`
        await db.insert(schema.taxReceipts).values({ ...receipt, id, chargeId: id, userId, amount })
      }
      await db.update(users).set(consent).where(eq(users.id, userId))
    }
    const exportOf = async ({ id }: { id: bigint }) => JSON.parse(await exportData(db, id, createdAt))
    const before = {
      receipts: [
        { chargeId: `0r${anna.id}`, amount: 300_00 },
        { chargeId: `1r${anna.id}`, amount: 0 },
      ],
      promoCodes: [{ code: 'TWENTY', isWaiting: true }],
      broadcasts: [{ broadcastId: 'b1' }],
      profile: { consentVersion: '2026-11', consentUpdateId: 1 },
    }
    expect(await exportOf(anna)).toMatchObject(before)
    expect(await gone(anna)).toEqual({ ok: true })
    const none = { consentVersion: null, consentedAt: null, consentUpdateId: null }
    const promoCodes = [{ code: 'TWENTY', isWaiting: false }]
    expect(await exportOf(anna)).toMatchObject({ ...before, promoCodes, broadcasts: [], profile: none })
    const { receipts: _, ...others } = before
    expect(await exportOf(boris)).toMatchObject(others)
  })

  it('that was interrupted is finished when it is repeated, and nothing can be ordered meanwhile', async () => {
    const anna = await knownUser(world)
    const cut = failingStatements(world.deps.db, 1, /^delete from/)
    await expect(forget(cut, anna.id, 'anna', world.clock.now())).rejects.toThrow()
    const { quote } = await quoteFor(world, anna, { positivePrompt: secret })
    const tap = { quoteId: quote.id, userId: anna.id, statusMessageId: null }
    expect(await confirm(world.deps, tap)).toMatchObject({ ok: false })
    expect(await gone(anna)).toEqual({ ok: true })
    expect(await tracesOf(secret)).toEqual([])
    expect(await tracesOf(String(anna.telegramId))).toEqual([])
  })

  it('changes no other user', async () => {
    const anna = await userWith(world, 0n)
    const boris = await knownUser(world)
    const before = await exportData(world.deps.db, boris.id, world.clock.now())
    const noted = await world.deps.db.$count(schema.messageNotes)
    expect(await gone(anna)).toEqual({ ok: true })
    expect(await world.deps.db.$count(schema.messageNotes)).toBe(noted)
    expect(await exportData(world.deps.db, boris.id, world.clock.now())).toBe(before)
    await gone(boris)
  })

  it('is refused while an order is open or a result is not delivered, while a payment may arrive, and to a banned user', async () => {
    const { db, clock } = world.deps
    const refused = async (user: { id: bigint }, reason: string) =>
      expect(await gone(user)).toEqual({ ok: false, reason })
    const boris = await userWith(world, 500_00n)
    const generation = await order(world, boris)
    await refused(boris, 'live')
    await ends(world, generation, false)
    await refused(boris, 'live')
    await db.execute(
      sql`update generations set next_check_at = null, delivery = 'delivered' where id = ${generation.id}`,
    )
    expect(await gone(boris)).toEqual({ ok: true })
    const anna = await knownUser(world)
    const setCheck = (nextCheckAt: Date | null) =>
      db.update(topUps).set({ nextCheckAt }).where(sql`user_id = ${anna.id}`)
    await setCheck(clock.now())
    await refused(anna, 'paying')
    await setCheck(null)
    await db.update(users).set({ bannedAt: clock.now() }).where(sql`id = ${anna.id}`)
    await refused(anna, 'banned')
  })

  it('is refused to a user who owes money, until the debt is paid; an operator may delete the data', async () => {
    const gives = async ({ id: userId }: { id: bigint }, amount: bigint) => {
      const one = { key: `${userId} ${amount}`, by: null, userId, amount, reason: 'test' }
      expect(await correct(world.deps, one)).toBe('done')
    }
    const owing = async () => {
      const user = await userWith(world, 0n)
      const { deps, chargeId } = await paid(user, async () => ({ is: 'done' }))
      await gives(user, -5_00n)
      await noteRefund(deps, 'stars', chargeId, 100n)
      expect((await readBalance(world.deps.db, user.id)).available).toBe(-5_00n)
      return user
    }
    const anna = await owing()
    expect(await mayForget(world.deps.db, anna.id)).toEqual({ ok: false, reason: 'owing' })
    expect(await gone(anna)).toEqual({ ok: false, reason: 'owing' })
    await gives(anna, 5_00n)
    expect(await gone(anna)).toEqual({ ok: true })
    const boris = await owing()
    expect(await mayForget(world.deps.db, boris.id, 'operator')).toEqual({ ok: true })
    const byOperator = forget(world.deps.db, boris.id, 'boris', world.clock.now(), [], 'operator')
    expect(await byOperator).toEqual({ ok: true })
  })

  it('is delayed by a refund under way, also by its second try, until the provider makes or refuses it', async () => {
    const refused = { is: 'refused', said: 'no' } as const
    const silent = { is: 'unavailable', said: '' } as const
    for (const [first, end] of [
      [[silent], { is: 'done' }],
      [[silent], refused],
      [[refused, silent], { is: 'done' }],
    ] as const) {
      const anna = await userWith(world, 0n)
      const answers: RefundOutcome[] = [...first]
      const { deps, chargeId } = await paid(anna, async () => answers.shift() ?? end)
      for (const { is } of first) {
        expect(await mayForget(world.deps.db, anna.id)).toEqual({ ok: true })
        const reason = is === 'refused' ? is : 'pending'
        expect(await refundPayment(deps, 'stars', chargeId)).toMatchObject({ ok: false, reason })
      }
      expect(await gone(await userWith(world, 0n))).toEqual({ ok: true })
      const delayed = { ok: false, reason: 'refunding' }
      expect(await mayForget(world.deps.db, anna.id)).toEqual(delayed)
      expect(await gone(anna)).toEqual(delayed)
      world.clock.advance(60 * 60_000)
      await resumeRefunds(deps)
      expect(await gone(anna)).toEqual({ ok: true })
    }
  })

  it('recognises a person who comes back by a keyed hash, and no other', async () => {
    const anna = await knownUser(world)
    const person = hashOfPerson('1:token', anna.telegramId)
    expect(person).not.toContain(String(anna.telegramId))
    expect(hashOfPerson('1:other', anna.telegramId)).not.toBe(person)
    expect(await wasForgotten(world.deps.db, person)).toBe(false)
    await gone(anna, person)
    expect(await wasForgotten(world.deps.db, person)).toBe(true)
    expect(await wasForgotten(world.deps.db, hashOfPerson('1:token', anna.telegramId + 1))).toBe(false)
  })
})

describe('a race', () => {
  const gone = { ok: false, reason: 'gone' }

  it('between an order and the deletion is won by exactly one of them', async () => {
    for (let at = 0; at < 4; at += 1) {
      const user = await userWith(world, 100_00n)
      const { id: userId } = user
      const { quote } = await quoteFor(world, user)
      const [ordered, gone] = await Promise.all([
        confirm(world.deps, { quoteId: quote.id, userId, statusMessageId: null }),
        forget(world.deps.db, userId, `p${userId}`, world.clock.now()),
      ])
      expect([ordered.ok, gone.ok].filter(Boolean)).toHaveLength(1)
    }
  })

  it('between the order of a member by a wallet and the deletion of its owner is won by the first of them', async () => {
    const { db, clock } = world.deps
    const other = await openWithTransactions(world.database.url)
    for (const isOrderFirst of [true, false]) {
      const { owner, wallet } = await walletWith(world, 100_00n, 100_00n)
      const member = await userWith(world, 0n)
      const quote = await quoteIn(world, wallet, member)
      const order = (by: Database) =>
        confirm({ ...world.deps, db: by }, { quoteId: quote.id, userId: member.id, statusMessageId: null })
      const deletion = (by: Database) => forget(by, owner.id, `p${owner.id}`, clock.now())
      const [first, second] = isOrderFirst ? [order, deletion] : [deletion, order]
      const { waiting } = await other.db.transaction(async (tx) => {
        expect(await first(tx)).toMatchObject({ ok: true })
        const begun = second(db)
        await lockWaits(other.db)
        return { waiting: begun }
      })
      expect(await waiting).toEqual({ ok: false, reason: isOrderFirst ? 'live' : 'wallet-off' })
    }
    await other.close()
  })

  it('between deletions ends with one user less: each of them has deleted the data, or found nobody', async () => {
    for (let at = 0; at < 4; at += 1) {
      const { id } = await userWith(world, 100_00n)
      const deletion = () => forget(world.deps.db, id, `p${id}`, world.clock.now())
      const all = await Promise.all([deletion(), deletion(), deletion()])
      expect(all).toContainEqual({ ok: true })
      for (const one of all) expect([{ ok: true }, gone]).toContainEqual(one)
      expect(await deletion()).toEqual(gone)
    }
  })
})

// Confirmation: one hold per draft, whatever taps, price changes and balance changes happen at the same time.

import { eq, is, SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { usualPassing } from '../../src/catalog/media.ts'
import { generations, switches } from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { correct } from '../../src/operator/corrections.ts'
import { findRepeatable, isRepeatedNow, type Quote, quoteDraft } from '../../src/orders/confirm.ts'
import { changeDraft, dropDraft } from '../../src/orders/drafts.ts'
import { stopSales } from '../../src/sales/sales.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { type Confirmed, confirm } from '../support/worlds/confirm.ts'
import { order, quoteFor, readDraft, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

const tap = (quoteId: string, userId: bigint, deps = world.deps) =>
  confirm(deps, { quoteId, userId, statusMessageId: 7 })

/** The world's deps with another catalog. @param settings those of the model of the cards */
const sells = (settings: object) => {
  const parsed = catalogSettings.parse({ 'MODEL-VIDEO-REEL': settings })
  return { ...world.deps, catalog: createCatalog(models, withGatewayIds(parsed)) }
}
const balance = ({ id }: { id: bigint }) => readBalance(world.deps.db, id)
const orders = (taps: readonly Confirmed[]) => taps.filter(({ ok }) => ok).length

describe('a tap that repeats an order', () => {
  it('orders once, however many drafts are confirmed at once, and again after a moment', async () => {
    const user = await userWith(world, 5000_00n)
    const repeats = await order(world, user)
    const tapOnce = async () => {
      const { quote } = await quoteFor(world, user)
      return () => confirm(world.deps, { quoteId: quote.id, userId: user.id, statusMessageId: 7, repeats })
    }
    const taps = await Promise.all([tapOnce(), tapOnce(), tapOnce()])
    const ordered = await Promise.all(taps.map((confirmed) => confirmed()))
    const reasons = ordered.map((one) => (one.ok ? 'ok' : one.reason))
    expect(reasons.toSorted()).toEqual(['already', 'already', 'ok'])
    world.clock.advance(5001)
    expect(await (await tapOnce())()).toMatchObject({ ok: true })
  })

  it('is not mistaken for another order of this moment, or for the same order of another user', async () => {
    const [anna, boris] = [await userWith(world, 5000_00n), await userWith(world, 5000_00n)]
    const repeats = await order(world, anna)
    const other = await order(world, anna, { positivePrompt: 'a dog' })
    await order(world, boris)
    const isRepeated = ({ id }: { id: bigint }) => isRepeatedNow(world.deps, repeats.id, id)
    expect(await isRepeated(anna)).toBe(false)
    const { quote } = await quoteFor(world, anna)
    const again = { quoteId: quote.id, userId: anna.id, statusMessageId: 7, repeats }
    expect(await confirm(world.deps, again)).toMatchObject({ ok: true })
    expect([await isRepeated(anna), await isRepeated(boris)]).toEqual([true, false])
    expect(await isRepeatedNow(world.deps, other.id, anna.id)).toBe(false)
    world.clock.advance(5001)
    expect(await isRepeated(anna)).toBe(false)
  })
})

describe('a tap on Generate', () => {
  it('orders this card at exactly the amount of its quote, and leaves other cards of its user as they are', async () => {
    const user = await userWith(world, 200_00n)
    const [first, second] = [
      await quoteFor(world, user, { positivePrompt: 'a dog' }),
      await quoteFor(world, user, { positivePrompt: 'a fox' }),
    ]
    for (const { quote, draft } of [second, first]) {
      expect(await readDraft(world, draft.id)).toMatchObject({ state: 'open' })
      const made = { state: 'held', amount: 92_45n, draftId: draft.id, request: quote.request }
      expect(await tap(quote.id, user.id)).toMatchObject({ ok: true, generation: made })
      expect(await readDraft(world, draft.id)).toMatchObject({ state: 'ordered' })
    }
    expect(await balance(user)).toMatchObject({ available: 15_10n, held: 184_90n })
  })

  it('makes one hold of twenty taps at once, of two quotes of one draft, and of ten cards with money for one', async () => {
    const user = await userWith(world, 5000_00n)
    const { quote, draft } = await quoteFor(world, user)
    world.clock.advance(10 * 60_000)
    const again = await quoteDraft(world.deps, draft)
    if (!again.ok) throw new Error(again.reason)
    expect(again.quote.id).not.toBe(quote.id)
    const ids = Array.from({ length: 20 }, (_, at) => (at % 2 ? quote.id : again.quote.id))
    const taps = await Promise.all(ids.map((id) => tap(id, user.id)))
    expect(orders(taps)).toBe(1)
    for (const one of taps) if (!one.ok) expect(one.reason).toBe('already')
    expect(await balance(user)).toMatchObject({ held: 92_45n })
    const poor = await userWith(world, 184_89n)
    const cards = await Promise.all(Array.from({ length: 10 }, () => quoteFor(world, poor)))
    const tapped = await Promise.all(cards.map((card) => tap(card.quote.id, poor.id)))
    expect(orders(tapped)).toBe(1)
    expect(tapped.find(({ ok }) => !ok)).toMatchObject({ reason: 'insufficient', missing: 1n })
  })

  it('orders when a credit arrives just after the balance was too small', async () => {
    const { deps, clock } = world
    const user = await userWith(world, 50_00n)
    const { quote } = await quoteFor(world, user)
    const credit = { key: `late-${user.id}`, by: null, userId: user.id, amount: 42_45n, reason: 'late' }
    let isLate = true
    const execute = async (...given: Parameters<typeof deps.db.execute>) => {
      const answer = await deps.db.execute(...given)
      const [statement] = given
      const text = is(statement, SQL) ? new PgDialect().sqlToQuery(statement).sql : ''
      if (isLate && text.includes('insert into "generations"')) {
        isLate = false
        expect(await correct({ db: deps.db, clock }, credit)).toBe('done')
      }
      return answer
    }
    const db = new Proxy(deps.db, {
      get: (of, name) => (name === 'execute' ? execute : Reflect.get(of, name)),
    })
    expect(await tap(quote.id, user.id, { ...deps, db })).toMatchObject({ ok: true })
    expect(await readBalance(deps.db, user.id)).toMatchObject({ available: 0n, held: 92_45n })
  })
})

describe('a tap is refused, moves no money and keeps the draft', () => {
  const off = { enabled: false }
  const changed = async ({ draftId }: Quote) => {
    const draft = await readDraft(world, draftId)
    const answers = { positivePrompt: 'a dog' }
    return draft && changeDraft(world.deps.db, draft, () => ({ answers }), world.clock.now())
  }
  const refused = async (
    reason: string,
    before: (quote: Quote) => Promise<unknown> = async () => undefined,
    tapped: (quote: Quote) => Promise<Confirmed> = ({ id, userId }) => tap(id, userId),
  ) => {
    for (const available of [100_00n, 50_00n]) {
      const user = await userWith(world, available)
      const { quote, draft } = await quoteFor(world, user)
      await before(quote)
      expect(await tapped(quote)).toMatchObject({ ok: false, reason })
      expect(await balance(user)).toMatchObject({ available, held: 0n })
      expect(await readDraft(world, draft.id)).toMatchObject({ state: 'open' })
    }
  }

  it.each<[string, string, (quote: Quote) => Promise<unknown>]>([
    ['when the quote has expired', 'outdated', async () => world.clock.advance(15 * 60_000)],
    ['when the card has changed since', 'outdated', changed],
    ['when sales are stopped', 'paused', () => stopSales(world.deps.db, 'out-of-balance', world.clock.now())],
  ])('%s', (_, reason, before) => refused(reason, before))

  it.each<[string, string, (quote: Quote) => Promise<Confirmed>]>([
    ['when the price has changed', 'outdated', (one) => tap(one.id, one.userId, sells({ multiplier: '2' }))],
    ['when the model is no longer offered', 'outdated', (one) => tap(one.id, one.userId, sells(off))],
    ['when the user is another', 'not-found', async ({ id }) => tap(id, (await userWith(world, 500_00n)).id)],
  ])('%s', (_, reason, tapped) => refused(reason, undefined, tapped))

  it('during maintenance, except for an operator', async () => {
    const { db } = world.deps
    await db.insert(switches).values({ name: 'maintenance', since: world.clock.now() })
    await refused('maintenance')
    const operator = await userWith(world, 100_00n)
    const { quote } = await quoteFor(world, operator)
    const byOperator = { quoteId: quote.id, userId: operator.id, statusMessageId: 7, isOperator: true }
    expect(await confirm(world.deps, byOperator)).toMatchObject({ ok: true })
    await db.delete(switches)
  })

  it('when the card was closed', async () => {
    for (const available of [100_00n, 50_00n]) {
      const user = await userWith(world, available)
      const { quote, draft } = await quoteFor(world, user)
      await dropDraft(world.deps.db, draft.id, world.clock.now())
      expect(await tap(quote.id, user.id)).toEqual({ ok: false, reason: 'outdated' })
      expect(await balance(user)).toMatchObject({ available, held: 0n })
    }
  })
})

describe('a card drawn again', () => {
  it('has its quote for the first half of its lifetime, and then a new one', async () => {
    const { quote, draft } = await quoteFor(world, await userWith(world, 0n))
    const lifetimeMs = quote.expiresAt.getTime() - world.clock.now().getTime()
    world.clock.advance(lifetimeMs * 0.45)
    expect(await quoteDraft(world.deps, draft)).toEqual({ ok: true, quote })
    world.clock.advance(lifetimeMs * 0.1)
    const fresh = await quoteDraft(world.deps, draft)
    expect(fresh.ok && fresh.quote.expiresAt.getTime()).toBe(world.clock.now().getTime() + lifetimeMs)
  })

  it('after it was changed and changed back gets a quote that can be ordered', async () => {
    const { db, clock } = world.deps
    const user = await userWith(world, 100_00n)
    const { quote, draft } = await quoteFor(world, user)
    const other = await changeDraft(db, draft, () => ({ answers: { positivePrompt: 'a dog' } }), clock.now())
    const back = other && (await changeDraft(db, other, () => ({ answers: draft.answers }), clock.now()))
    const fresh = back && (await quoteDraft(world.deps, back))
    if (!fresh?.ok) throw new Error('not quoted')
    expect(fresh.quote).toMatchObject({ revision: 3, request: quote.request })
    expect(await tap(fresh.quote.id, user.id)).toMatchObject({ ok: true })
  })

  it('after a change of the settings has the new price and the new values; an older card is ordered as it was shown', async () => {
    const user = await userWith(world, 1000_00n)
    const { quote, draft } = await quoteFor(world, user)
    expect(await quoteDraft(sells({ rates: { second: null } }), draft)).toEqual({
      ok: false,
      reason: 'unpriced',
    })
    const dear = await quoteDraft(sells({ multiplier: '2' }), draft)
    expect(dear).toMatchObject({ ok: true, quote: { draftId: draft.id, amount: 184_90n } })
    const deps = sells({ request: { 'safety.mode': 'full' } })
    const fresh = await quoteDraft(deps, draft)
    expect(fresh).toMatchObject({ ok: true, quote: { request: { safety: { mode: 'full' } } } })
    expect(await quoteDraft(deps, draft)).toEqual(fresh)
    const shown = { ok: true, generation: { request: quote.request } }
    expect(await tap(quote.id, user.id, deps)).toMatchObject(shown)
  })
})

it('files of a card may be as large together as the operator says, and no larger', async () => {
  const user = await userWith(world, 0n)
  const quoteOf = async (bytes: number) => {
    const { draft } = await quoteFor(world, user)
    const frames = [{ file: 'a', medium: 'image', mime: 'image/png', bytes } as const]
    return quoteDraft(world.deps, { ...draft, answers: { ...draft.answers, frames } })
  }
  const most = usualPassing.maxInlineTotal
  expect(await quoteOf(most)).toMatchObject({ ok: true })
  expect(await quoteOf(most + 1)).toEqual({ ok: false, reason: 'files-too-large', bytes: most + 1, most })
})

it('an order can be repeated by its owner wherever it was made, by others only in the group where it was made', async () => {
  const [owner, other] = [await userWith(world, 200_00n), await userWith(world, 0n)]
  const [own, { id }] = [await order(world, owner), await order(world, owner)]
  await world.deps.db.update(generations).set({ chatId: -100 }).where(eq(generations.id, id))
  const repeats = async (order: string, user: { id: bigint }) => {
    const chats = [undefined, own.chatId, -100, -200]
    const found = await Promise.all(chats.map((chat) => findRepeatable(world.deps, order, user.id, chat)))
    return found.map((one) => one !== undefined)
  }
  expect(await repeats(id, owner)).toEqual([true, true, true, true])
  expect(await repeats(id, other)).toEqual([false, false, true, false])
  expect(await repeats(own.id, other)).toEqual([false, false, false, false])
})

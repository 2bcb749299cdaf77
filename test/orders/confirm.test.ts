// Confirmation: one hold per draft, whatever taps, price changes and balance changes happen at the same time.

import { eq, is, SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
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
    expect(ordered.map((one) => (one.ok ? 'ok' : one.reason)).toSorted()).toEqual([
      'already',
      'already',
      'ok',
    ])
    world.clock.advance(5001)
    expect(await (await tapOnce())()).toMatchObject({ ok: true })
  })

  it('is not mistaken for another order of this moment, or for the same order of another user', async () => {
    const [anna, boris] = [await userWith(world, 5000_00n), await userWith(world, 5000_00n)]
    const repeats = await order(world, anna)
    await order(world, anna, { positivePrompt: 'a dog' })
    await order(world, boris)
    expect(await isRepeatedNow(world.deps, repeats.id, anna.id)).toBe(false)
    const { quote } = await quoteFor(world, anna)
    const again = { quoteId: quote.id, userId: anna.id, statusMessageId: 7, repeats }
    expect(await confirm(world.deps, again)).toMatchObject({ ok: true })
    expect(await isRepeatedNow(world.deps, repeats.id, anna.id)).toBe(true)
    expect(await isRepeatedNow(world.deps, repeats.id, boris.id)).toBe(false)
    world.clock.advance(5001)
    expect(await isRepeatedNow(world.deps, repeats.id, anna.id)).toBe(false)
  })
})

describe('a tap on Generate', () => {
  it('holds exactly the amount of the quote', async () => {
    const user = await userWith(world, 100_00n)
    const { quote, draft } = await quoteFor(world, user)
    expect(await tap(quote.id, user.id)).toMatchObject({
      ok: true,
      generation: { state: 'held', amount: 92_45n },
    })
    expect(await readBalance(world.deps.db, user.id)).toMatchObject({ available: 7_55n, held: 92_45n })
    expect(await readDraft(world, draft.id)).toMatchObject({ state: 'ordered' })
  })

  it('orders this card, and leaves other cards of its user as they are', async () => {
    const user = await userWith(world, 500_00n)
    const [first, second] = [
      await quoteFor(world, user, { positivePrompt: 'a dog' }),
      await quoteFor(world, user, { positivePrompt: 'a fox' }),
    ]
    for (const { quote, draft } of [second, first]) {
      expect(await readDraft(world, draft.id)).toMatchObject({ state: 'open' })
      const { request } = quote
      expect(await tap(quote.id, user.id)).toMatchObject({ generation: { draftId: draft.id, request } })
    }
  })

  it('twenty concurrent taps make one hold', async () => {
    const user = await userWith(world, 5000_00n)
    const { quote } = await quoteFor(world, user)
    const taps = await Promise.all(Array.from({ length: 20 }, () => tap(quote.id, user.id)))
    expect(taps.filter((one) => one.ok)).toHaveLength(1)
    expect(taps.filter((one) => !one.ok).every((one) => 'reason' in one && one.reason === 'already')).toBe(
      true,
    )
    expect(await readBalance(world.deps.db, user.id)).toMatchObject({ held: 92_45n })
  })

  it('ten cards tapped at once with money for one make one hold', async () => {
    const user = await userWith(world, 100_00n)
    const cards = await Promise.all(Array.from({ length: 10 }, () => quoteFor(world, user)))
    const taps = await Promise.all(cards.map(({ quote }) => tap(quote.id, user.id)))
    expect(taps.filter((one) => one.ok)).toHaveLength(1)
    expect(taps.find((one) => !one.ok)).toMatchObject({ reason: 'insufficient', missing: 84_90n })
  })

  it('orders when a credit arrives just after the balance was too small', async () => {
    const { deps, clock } = world
    const user = await userWith(world, 50_00n)
    const { quote } = await quoteFor(world, user)
    const credit = { key: `late-${user.id}`, by: null, userId: user.id, amount: 100_00n, reason: 'late' }
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
    expect(await readBalance(deps.db, user.id)).toMatchObject({ available: 57_55n, held: 92_45n })
  })

  it('two quotes of one draft make one hold', async () => {
    const user = await userWith(world, 1000_00n)
    const { quote, draft } = await quoteFor(world, user)
    world.clock.advance(10 * 60_000)
    const again = await quoteDraft(world.deps, draft)
    expect(again).toMatchObject({ ok: true })
    const other = again.ok ? again.quote.id : ''
    expect(other).not.toBe(quote.id)
    const taps = await Promise.all([tap(quote.id, user.id), tap(other, user.id)])
    expect(taps.filter((one) => one.ok)).toHaveLength(1)
  })
})

describe('a tap is refused, moves no money and keeps the draft', () => {
  /** @param before runs between the card and the tap, or taps differently itself */
  const refused = async (before: (quote: Quote) => Promise<Confirmed | undefined>, reason: string) => {
    const user = await userWith(world, 100_00n)
    const { quote, draft } = await quoteFor(world, user)
    const tapped = (await before(quote)) ?? (await tap(quote.id, user.id))
    expect(tapped).toMatchObject({ ok: false, reason })
    expect(await readBalance(world.deps.db, user.id)).toMatchObject({ available: 100_00n, held: 0n })
    expect(await readDraft(world, draft.id)).toMatchObject({ state: 'open' })
  }

  it('when the quote has expired', () =>
    refused(async () => void world.clock.advance(15 * 60_000 + 1), 'outdated'))

  it('when the card has changed since', () =>
    refused(async ({ draftId }) => {
      const draft = await readDraft(world, draftId)
      const answers = { positivePrompt: 'a dog' }
      if (draft) await changeDraft(world.deps.db, draft, () => ({ answers }), world.clock.now())
    }, 'outdated'))

  it('when the price has changed', () =>
    refused(async ({ id, userId }) => {
      const settings = catalogSettings.parse({ 'MODEL-VIDEO-REEL': { multiplier: '2' } })
      const deps = { ...world.deps, catalog: createCatalog(models, withGatewayIds(settings)) }
      return tap(id, userId, deps)
    }, 'outdated'))

  it('when the model is no longer offered, at the same price', () =>
    refused(async ({ id, userId }) => {
      const settings = catalogSettings.parse({ 'MODEL-VIDEO-REEL': { enabled: false } })
      const deps = { ...world.deps, catalog: createCatalog(models, withGatewayIds(settings)) }
      return tap(id, userId, deps)
    }, 'outdated'))

  it('when the quote belongs to another user', async () => {
    const stranger = await userWith(world, 1000_00n)
    await refused(({ id }) => tap(id, stranger.id), 'not-found')
  })

  it('during maintenance, except for an operator', async () => {
    const { db } = world.deps
    await db.insert(switches).values({ name: 'maintenance', since: world.clock.now() })
    await refused(async () => {}, 'maintenance')
    const operator = await userWith(world, 100_00n)
    const { quote } = await quoteFor(world, operator)
    const byOperator = { quoteId: quote.id, userId: operator.id, statusMessageId: 7, isOperator: true }
    expect(await confirm(world.deps, byOperator)).toMatchObject({ ok: true })
    await db.delete(switches)
  })

  it('when the card was closed', async () => {
    const user = await userWith(world, 100_00n)
    const { quote, draft } = await quoteFor(world, user)
    await dropDraft(world.deps.db, draft.id, world.clock.now())
    expect(await tap(quote.id, user.id)).toEqual({ ok: false, reason: 'outdated' })
    expect(await readBalance(world.deps.db, user.id)).toMatchObject({ available: 100_00n, held: 0n })
  })

  it('when sales are stopped', async () => {
    await stopSales(world.deps.db, 'out-of-balance', world.clock.now())
    await refused(async () => {}, 'paused')
    world.clock.advance(5 * 60_000 + 1)
  })
})

it('an unknown price is a refusal, not zero', async () => {
  const settings = catalogSettings.parse({ 'MODEL-VIDEO-REEL': { rates: { second: null } } })
  const user = await userWith(world, 100_00n)
  const { draft } = await quoteFor(world, user)
  const deps = { ...world.deps, catalog: createCatalog(models, withGatewayIds(settings)) }
  expect(await quoteDraft(deps, draft)).toEqual({ ok: false, reason: 'unpriced' })
})

it('a card drawn again has its quote for the first half of its lifetime, and then a new one', async () => {
  const { quote, draft } = await quoteFor(world, await userWith(world, 0n))
  const lifetimeMs = quote.expiresAt.getTime() - world.clock.now().getTime()
  world.clock.advance(lifetimeMs * 0.45)
  expect(await quoteDraft(world.deps, draft)).toEqual({ ok: true, quote })
  world.clock.advance(lifetimeMs * 0.1)
  const fresh = await quoteDraft(world.deps, draft)
  expect(fresh.ok && fresh.quote.expiresAt.getTime()).toBe(world.clock.now().getTime() + lifetimeMs)
})

it('a card that was changed and changed back gets a quote that can be ordered', async () => {
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

it('a card drawn after a change of the price gets a quote with the new price', async () => {
  const settings = catalogSettings.parse({ 'MODEL-VIDEO-REEL': { multiplier: '2' } })
  const { quote, draft } = await quoteFor(world, await userWith(world, 0n))
  expect(await quoteDraft(world.deps, draft)).toEqual({ ok: true, quote })
  const deps = { ...world.deps, catalog: createCatalog(models, withGatewayIds(settings)) }
  const fresh = await quoteDraft(deps, draft)
  expect(fresh).toMatchObject({ ok: true, quote: { draftId: draft.id } })
  expect(fresh.ok && fresh.quote.amount > quote.amount).toBe(true)
})

it('a card drawn after the operator fixed a value gets a quote with that value, and an older card is ordered as it was shown', async () => {
  const settings = catalogSettings.parse({ 'MODEL-VIDEO-REEL': { request: { 'safety.mode': 'full' } } })
  const user = await userWith(world, 1000_00n)
  const { quote, draft } = await quoteFor(world, user)
  const deps = { ...world.deps, catalog: createCatalog(models, withGatewayIds(settings)) }
  const fresh = await quoteDraft(deps, draft)
  expect(fresh).toMatchObject({ ok: true, quote: { request: { safety: { mode: 'full' } } } })
  expect(await quoteDraft(deps, draft)).toEqual(fresh)
  const tapped = await tap(quote.id, user.id, deps)
  expect(tapped).toMatchObject({ ok: true, generation: { request: quote.request } })
})

describe('an order can be repeated', () => {
  const placed = async (chatId?: number) => {
    const owner = await userWith(world, 100_00n)
    const made = await order(world, owner)
    if (chatId !== undefined)
      await world.deps.db.update(generations).set({ chatId }).where(eq(generations.id, made.id))
    return { owner, id: made.id, chatId: chatId ?? made.chatId }
  }
  const repeats = async (id: string, userId: bigint, chatId?: number) =>
    (await findRepeatable(world.deps, id, userId, chatId)) !== undefined

  it('by its owner, wherever it was made', async () => {
    const { id, owner } = await placed(-100)
    for (const chatId of [undefined, 5, -100, -200]) expect(await repeats(id, owner.id, chatId)).toBe(true)
  })

  it('by others only in the group where it was made', async () => {
    const other = await userWith(world, 0n)
    const ofGroup = await placed(-100)
    expect(await repeats(ofGroup.id, other.id, -100)).toBe(true)
    for (const chatId of [undefined, 5, -200]) expect(await repeats(ofGroup.id, other.id, chatId)).toBe(false)
    const own = await placed()
    for (const chatId of [undefined, own.chatId, -100])
      expect(await repeats(own.id, other.id, chatId)).toBe(false)
  })
})

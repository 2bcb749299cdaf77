// Bans, switches and promo codes by operators: what changes, once, and the rows of the log. On a real PostgreSQL.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { setSwitch, userSubject } from '../../src/operator/actions.ts'
import { setBan } from '../../src/operator/bans.ts'
import { findPeople, findPerson, readProfile } from '../../src/operator/people.ts'
import { addPromo, listPromos, readCode, readDay } from '../../src/operator/promo.ts'
import { quoteDraft } from '../../src/orders/confirm.ts'
import { maintenance, modelSwitch, switchedOff } from '../../src/sales/sales.ts'
import { ensureUser } from '../../src/users/user.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { createWorld, type GenerationWorld, quoteFor, userWith } from '../support/worlds/generations.ts'
import { actionsOn, boss, paidGeneration } from '../support/worlds/operator.ts'

let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const by = boss
const person = async (telegramId: number, name: string, username: string) =>
  (
    await ensureUser(
      world.deps.db,
      { telegramId, languageCode: 'ru', name, username },
      world.deps.clock.now(),
    )
  ).user

describe('a ban', () => {
  it('is set and lifted once, with reasons', async () => {
    const user = await userWith(world, 0n)
    const set = (banned: boolean, reason: string) =>
      setBan(world.deps, { by, userId: user.id, banned, reason })
    expect(await set(false, 'nothing')).toBe(false)
    expect(await set(true, 'spam')).toBe(true)
    expect(await set(true, 'again')).toBe(false)
    const banned = await findPerson(world.deps.db, user.id)
    expect(banned?.bannedAt).toEqual(world.deps.clock.now())
    expect(banned && (await readProfile(world.deps.db, banned)).banReason).toBe('spam')
    expect(await set(false, 'sorry')).toBe(true)
    expect((await findPerson(world.deps.db, user.id))?.bannedAt).toBeNull()
    const log = await actionsOn(world, userSubject(user.id))
    expect(log.map(({ action, reason }) => [action, reason])).toEqual([
      ['ban', 'spam'],
      ['unban', 'sorry'],
    ])
  })
})

describe('a switch', () => {
  const turn = (name: string, off: boolean) => setSwitch(world.deps, by, name, off)

  it('of a model stops its sale: no new quotes, and earlier quotes are outdated', async () => {
    const user = await userWith(world, 1000_00n)
    const { quote, draft } = await quoteFor(world, user)
    expect(await turn(modelSwitch(videoReel.id), true)).toBe(true)
    expect(await turn(modelSwitch(videoReel.id), true)).toBe(false)
    expect(await quoteDraft(world.deps, draft)).toEqual({ ok: false, reason: 'not-offered' })
    const tap = () => confirm(world.deps, { quoteId: quote.id, userId: user.id, statusMessageId: null })
    expect(await tap()).toEqual({ ok: false, reason: 'outdated' })
    expect(await turn(modelSwitch(videoReel.id), false)).toBe(true)
    expect(await turn(modelSwitch(videoReel.id), false)).toBe(false)
    expect(await tap()).toMatchObject({ ok: true })
  })

  it('for maintenance refuses new orders, but not those of operators', async () => {
    const user = await userWith(world, 1000_00n)
    const { quote } = await quoteFor(world, user)
    const confirmation = { quoteId: quote.id, userId: user.id, statusMessageId: null }
    await turn(maintenance, true)
    expect(await confirm(world.deps, confirmation)).toEqual({ ok: false, reason: 'maintenance' })
    expect(await confirm(world.deps, { ...confirmation, isOperator: true })).toMatchObject({ ok: true })
    await turn(maintenance, false)
    expect(await switchedOff(world.deps.db)).toEqual(new Set())
    const log = await actionsOn(world, 'switch:maintenance')
    expect(log.map(({ action, operatorId }) => [action, operatorId])).toEqual([
      ['switch-off', boss],
      ['switch-on', boss],
    ])
  })
})

describe('a promo code', () => {
  it('is created once, in capitals', async () => {
    const code = readCode(' spring-26 ')
    expect(code).toBe('SPRING-26')
    const promo = {
      by,
      code: String(code),
      amount: 100_00n,
      maxUses: 50,
      expiresAt: readDay('2026-12-31', 'Europe/Moscow') ?? null,
    }
    expect(await addPromo(world.deps, promo)).toBe(true)
    expect(await addPromo(world.deps, { ...promo, amount: 1n })).toBe(false)
    expect(await listPromos(world.deps.db)).toMatchObject([
      {
        code: 'SPRING-26',
        amount: 100_00n,
        uses: 0,
        maxUses: 50,
        expiresAt: new Date('2026-12-31T21:00:00Z'),
      },
    ])
    expect(await actionsOn(world, 'promo:SPRING-26')).toHaveLength(1)
  })

  it.each(['', 'ab', 'SHORT', 'SPRING 26', 'SPRING:26', 'x'.repeat(33), '🎁🎁🎁'])('cannot be %j', (text) => {
    expect(readCode(text)).toBeUndefined()
  })

  it.each(['2026-02-30', '31.12.2026', '2026-12', ''])('cannot expire on %j', (text) => {
    expect(readDay(text, 'Europe/Moscow')).toBeUndefined()
  })
})

describe('a user', () => {
  it('is found by each kind of query', async () => {
    const anna = await person(555_001, 'Анна Иванова', 'anna_iv')
    const order = await paidGeneration(world, await userWith(world, 100_00n))
    const idsOf = async (query: string) => (await findPeople(world.deps.db, query)).map(({ id }) => id)
    for (const query of [`#${anna.id}`, '555001', '@Anna_IV', 'иванов', ' anna_ ']) {
      expect([query, await idsOf(query)]).toEqual([query, [anna.id]])
    }
    expect(await idsOf(order.id)).toEqual([order.userId])
    expect(await idsOf(String(order.taskId))).toEqual([order.userId])
    for (const query of ['', '%', '_____', '#0', '@nobody', "' or 1=1 --", '999999999999999']) {
      expect([query, await idsOf(query)]).toEqual([query, []])
    }
  })
})

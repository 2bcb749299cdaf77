// The rules of a post on both engines: atomic, idempotent, no negative balance. The kinds of transfers are in moves.test.ts.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, readBalance } from '../../src/ledger/ledger.ts'
import { acceptAllTransfers } from '../../src/operator/corrections.ts'
import { lockWaits } from '../support/database/waiting.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'
import { hold, postAll, settle } from '../support/worlds/moves.ts'

describe.each(['postgres', 'pglite'] as const)('on %s', (engine) => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld(engine)
  })
  afterAll(() => world.close())

  const holds = (...given: Parameters<typeof hold>) => postAll(world.deps.db, [hold(...given)], now())
  const now = () => world.clock.now()
  const has = async (userId: bigint, available: bigint, held: bigint) =>
    expect(await readBalance(world.deps.db, userId)).toMatchObject({ available, held })

  it('a hold moves money from available to held once, and nothing without its money or its guard', async () => {
    const { id: userId } = await userWith(world, 100_00n)
    const one = { id: 'a1', userId, amount: 92_45n }
    const closed = await post(world.deps.db, hold(one), now(), sql`select 1 where false`)
    expect(closed).toEqual({ ok: false, reason: 'guarded' })
    await has(userId, 100_00n, 0n)
    expect(await holds(one)).toEqual({ ok: true })
    expect(await holds(one)).toEqual({ ok: false, reason: 'duplicate' })
    await has(userId, 7_55n, 92_45n)
    expect(await holds({ ...one, id: 'a2', amount: 7_56n })).toEqual({ ok: false, reason: 'insufficient' })
    await has(userId, 7_55n, 92_45n)
  })

  it('settling captures the whole hold, a part of it, or nothing, and releases the rest', async () => {
    for (const [captured, available] of [
      [90_00n, 10_00n],
      [30_00n, 70_00n],
      [0n, 100_00n],
    ] as const) {
      const { id: userId } = await userWith(world, 100_00n)
      const one = { id: `b${captured}`, userId, amount: 90_00n }
      await holds(one)
      expect(await postAll(world.deps.db, settle(one, captured), now())).toEqual({ ok: true })
      await has(userId, available, 0n)
    }
  })

  it('a transfer of zero or within one account is refused', async () => {
    const { id: userId } = await userWith(world, 10_00n)
    const move = hold({ id: 'd1', userId, amount: 0n })
    for (const wrong of [move, { ...move, amount: 1n, credit: 'available' } as const])
      await expect(post(world.deps.db, wrong, now())).rejects.toThrow()
  })
})

it('transfers that the ledger writes while all transfers are accepted stay in the checksum', async () => {
  const world = await createWorld()
  const other = await openDatabase(world.database.url)
  const { db, clock } = world.deps
  const { id } = await userWith(world, 100_00n)
  await db.execute(sql`update accounts set checksum = checksum + 1 where kind = 'user' and owner_id = ${id}`)
  const accepted = await db.transaction(async (tx) => {
    await post(tx, hold({ id: 'race', userId: id, amount: 1_00n }), clock.now())
    const accepting = acceptAllTransfers({ ...world.deps, db: other.db }, 'upgrade')
    await lockWaits(db)
    return { accepting }
  })
  expect(await accepted.accepting).toBe(1)
  const names = (await audit(db)).map(({ invariant }) => invariant)
  expect(names).not.toContain('the transfers of a user are those that the ledger wrote')
  await other.close()
  await world.close()
})

// The rules of a post on both engines: atomic, idempotent, no negative balance. The kinds of transfers are in moves.test.ts.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase, rows } from '../../src/db/client.ts'
import { audit } from '../../src/ledger/audit.ts'
import { post, readBalance, type Transfer } from '../../src/ledger/ledger.ts'
import { acceptAllTransfers } from '../../src/operator/corrections.ts'
import { createWorld, type GenerationWorld, userWith } from '../support/worlds/generations.ts'
import { hold, postAll, settle } from '../support/worlds/moves.ts'

describe.each(['postgres', 'pglite'] as const)('on %s', (engine) => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld(engine)
  })
  afterAll(() => world.close())

  const balance = (userId: bigint) => readBalance(world.deps.db, userId)
  const act = (moves: Transfer[]) => postAll(world.deps.db, moves, world.clock.now())
  const order = (userId: bigint, id: string, amount: bigint) => ({ id, userId, amount })

  it('a hold moves money from available to held', async () => {
    const { id } = await userWith(world, 100_00n)
    expect(await act([hold(order(id, 'a1', 92_45n))])).toEqual({ ok: true })
    expect(await balance(id)).toMatchObject({ available: 7_55n, held: 92_45n })
  })

  it('a hold above the available balance moves nothing', async () => {
    const { id } = await userWith(world, 92_44n)
    expect(await act([hold(order(id, 'a2', 92_45n))])).toEqual({ ok: false, reason: 'insufficient' })
    expect(await balance(id)).toMatchObject({ available: 92_44n, held: 0n })
  })

  it('a repeated operation is refused as a duplicate', async () => {
    const { id } = await userWith(world, 200_00n)
    await act([hold(order(id, 'a3', 50_00n))])
    expect(await act([hold(order(id, 'a3', 50_00n))])).toEqual({ ok: false, reason: 'duplicate' })
    expect(await balance(id)).toMatchObject({ available: 150_00n, held: 50_00n })
  })

  it.each([
    ['the whole hold', 90_00n, 10_00n, 0n],
    ['a part, and releases the rest', 30_00n, 70_00n, 0n],
    ['nothing, and releases the hold', 0n, 100_00n, 0n],
  ])('settling captures %s', async (_, captured, available, held) => {
    const { id } = await userWith(world, 100_00n)
    const one = order(id, `b${captured}`, 90_00n)
    await act([hold(one)])
    expect(await act(settle(one, captured))).toEqual({ ok: true })
    expect(await balance(id)).toMatchObject({ available, held })
  })

  it('a guard that returns no row moves nothing', async () => {
    const { id } = await userWith(world, 10_00n)
    const posted = await post(
      world.deps.db,
      hold(order(id, 'c1', 1n)),
      world.clock.now(),
      sql`select 1 where false`,
    )
    expect(posted).toEqual({ ok: false, reason: 'guarded' })
    expect(await balance(id)).toMatchObject({ available: 10_00n, held: 0n })
  })

  it('a transfer of zero or within one account is refused', async () => {
    const { id } = await userWith(world, 10_00n)
    const move = hold(order(id, 'd1', 0n))
    await expect(act([move])).rejects.toThrow()
    await expect(act([{ ...move, amount: 1n, credit: 'available' }])).rejects.toThrow()
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
    const waits = sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect
      .poll(async () => (await rows(db, waits, z.object({ pid: z.number() }))).length)
      .toBeGreaterThan(0)
    return { accepting }
  })
  expect(await accepted.accepting).toBe(1)
  const names = (await audit(db)).map(({ invariant }) => invariant)
  expect(names).not.toContain('the transfers of a user are those that the ledger wrote')
  await other.close()
  await world.close()
})

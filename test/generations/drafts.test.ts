// Drafts that wait for a top-up of their users.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { drafts } from '../../src/db/schema.ts'
import { awaitTopUp, takeAwaiting } from '../../src/generations/drafts.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, quoteFor, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

it('the card from which the user began a top-up is shown again once, and no card that was opened later', async () => {
  const { db } = world.deps
  const anna = await userWith(world, 1_00n)
  const { draft } = await quoteFor(world, anna)
  expect(await takeAwaiting(db, anna.id)).toBeUndefined()
  expect(await awaitTopUp(db, draft.id, anna.id)).toBe(true)
  world.clock.advance(1000)
  await quoteFor(world, anna)
  expect(await takeAwaiting(db, anna.id)).toMatchObject({ id: draft.id, awaitsTopUp: false })
  expect(await takeAwaiting(db, anna.id)).toBeUndefined()
})

it('a card that was ordered after its user began a top-up is not shown again', async () => {
  const { db } = world.deps
  const anna = await userWith(world, 500_00n)
  const { draftId } = await order(world, anna)
  await db.update(drafts).set({ awaitsTopUp: true }).where(eq(drafts.id, draftId))
  expect(await takeAwaiting(db, anna.id)).toBeUndefined()
})

// Drafts that wait for a top-up of their users.

import { expect, it } from 'vitest'
import { awaitTopUp, takeAwaiting } from '../../src/generations/drafts.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { quoteFor, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

it('the card whose user began a top-up comes again, once, and not one that was opened since', async () => {
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

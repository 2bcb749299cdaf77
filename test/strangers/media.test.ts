// All media models complete on a gateway that nobody here wrote (see gateway/).

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/ledger/audit.ts'
import { freshUrl } from '../support/database/database.ts'
import { personalityOf } from './gateway/personality.ts'
import { orderAll } from './media-orders.ts'
import { openWorld, type World } from './world.ts'

const seeds = [1, 2, 3]

let world: World
beforeAll(async () => {
  world = await openWorld(await freshUrl('postgres'))
})
afterAll(() => world.close())
afterEach(async () => expect(await audit(world.app.db)).toEqual([]))

describe.each(seeds)('seed %i', (seed) => {
  it('every model completes', async () => {
    expect(await orderAll(world, (order) => personalityOf(seed, order), 'complete')).toEqual([])
  })
})

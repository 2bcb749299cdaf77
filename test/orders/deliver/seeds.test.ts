// Whether the seed of a result can be ordered again.

import { expect, it } from 'vitest'
import { repeatableSeed } from '../../../src/bot/cards/result-uses.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import { createWorld, order, userWith } from '../../support/worlds/generations.ts'

it('a seed above the limit of the model’s field is not offered for another order', async () => {
  const world = await createWorld()
  const generation = await order(world, await userWith(world, 500_00n))
  const request = { model: videoWan.id, positivePrompt: 'a cat' }
  const seeded = (seed: number) => {
    const unsent = { fileId: null, messageId: null, kind: null, facts: null, originalFileId: null }
    const whole = { ...unsent, misses: 0, lost: null }
    const artifact = { generationId: generation.id, position: 0, url: '', seed, ...whole }
    return repeatableSeed(videoWan, { ...generation, request }, [artifact])
  }
  expect(seeded(2_147_483_647)).toBe(2_147_483_647)
  expect(seeded(2_147_483_648)).toBeUndefined()
  await world.close()
})

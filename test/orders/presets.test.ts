// Settings that users save by name, those of their last order, and the seed that they can order again.

import { expect, it } from 'vitest'
import { repeatableSeed } from '../../src/bot/cards/result-uses.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import {
  deletePreset,
  findPreset,
  lastAnswers,
  mostPresets,
  presetsOf,
  savePreset,
} from '../../src/orders/drafts.ts'
import type { User } from '../../src/users/user.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, quoteFor, userWith } from '../support/worlds/generations.ts'

const reel = 'MODEL-VIDEO-REEL'
const wan = 'MODEL-VIDEO-WAN'
const world = await auditedWorld()
const { deps, clock } = world

const saved = (user: User, name: string, answers = {}, modelId = reel) =>
  savePreset(deps, { userId: user.id, modelId, name, answers })

const namesOf = async (user: User, modelId?: string) =>
  (await presetsOf(deps.db, user.id, modelId)).map(({ name }) => name)

async function idOf(user: User, name: string): Promise<string> {
  const found = (await presetsOf(deps.db, user.id)).find((one) => one.name === name)
  if (!found) throw new Error(`no preset ${name}`)
  return found.id
}

it('a preset replaces the one with its name and model, and no other', async () => {
  const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
  await saved(anna, 'Short', { duration: 3 })
  await saved(anna, 'Long', { duration: 15 })
  await saved(anna, 'Short', { size: 'wide' }, wan)
  await saved(boris, 'Short', { duration: 9 })
  await saved(anna, 'Short', { duration: 4 })
  const found = await presetsOf(deps.db, anna.id)
  expect(found.map(({ name, modelId, answers }) => [name, modelId, answers])).toEqual(
    expect.arrayContaining([
      ['Long', reel, { duration: 15 }],
      ['Short', reel, { duration: 4 }],
      ['Short', wan, { size: 'wide' }],
    ]),
  )
  expect(found).toHaveLength(3)
  expect(await namesOf(anna, reel)).toEqual(['Long', 'Short'])
  expect(await presetsOf(deps.db, boris.id)).toMatchObject([{ answers: { duration: 9 } }])
})

it('a user has 30 presets at most; another one is refused, except in place of one of them', async () => {
  const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
  for (let at = 1; at <= 30; at += 1) expect(await saved(anna, `Preset ${at}`)).toBe(true)
  expect(mostPresets).toBe(30)
  expect(await saved(anna, 'One more')).toBe(false)
  expect(await saved(anna, 'Preset 1', {}, wan)).toBe(false)
  expect(await namesOf(anna)).toHaveLength(30)
  expect(await saved(anna, 'Preset 30', { duration: 3 })).toBe(true)
  expect(await findPreset(deps.db, await idOf(anna, 'Preset 30'), anna.id)).toMatchObject({
    answers: { duration: 3 },
  })
  expect(await saved(boris, 'Another user has room')).toBe(true)
})

it('a preset is found and deleted by its id, for its owner only', async () => {
  const [anna, boris] = [await userWith(world, 0n), await userWith(world, 0n)]
  for (const name of ['First', 'Second']) await saved(anna, name)
  const id = await idOf(anna, 'Second')
  expect(await findPreset(deps.db, id, anna.id)).toMatchObject({ name: 'Second' })
  expect(await findPreset(deps.db, id, boris.id)).toBeUndefined()
  await deletePreset(deps.db, id, boris.id)
  expect(await namesOf(anna)).toEqual(['First', 'Second'])
  await deletePreset(deps.db, id, anna.id)
  expect(await namesOf(anna)).toEqual(['First'])
})

it('the settings of the last order are those of the newest ordered card of this user and model', async () => {
  const [anna, boris] = [await userWith(world, 500_00n), await userWith(world, 500_00n)]
  expect(await lastAnswers(deps.db, anna.id, reel)).toBeUndefined()
  await order(world, anna, { duration: 3 })
  clock.advance(1000)
  await order(world, anna, { duration: 4 })
  clock.advance(1000)
  await order(world, boris, { duration: 5 })
  await quoteFor(world, anna, { duration: 6 })
  expect(await lastAnswers(deps.db, anna.id, reel)).toMatchObject({ duration: 4 })
  expect(await lastAnswers(deps.db, anna.id, wan)).toBeUndefined()
})

it('a seed above the limit of the model’s field is not offered for another order', async () => {
  const generation = await order(world, await userWith(world, 100_00n))
  const request = { model: videoWan.id, positivePrompt: 'a cat' }
  const file = {
    position: 0,
    url: '',
    fileId: null,
    messageId: null,
    kind: null,
    facts: null,
    originalFileId: null,
    resultId: null,
  }
  const seeded = (seed: number) => {
    const artifact = { ...file, generationId: generation.id, seed, misses: 0, lost: null }
    return repeatableSeed(videoWan, { ...generation, request }, [artifact])
  }
  expect(seeded(2_147_483_647)).toBe(2_147_483_647)
  expect(seeded(2_147_483_648)).toBeUndefined()
})

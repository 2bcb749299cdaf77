// Drafts: how they change, how the messages with their cards are found, and which cards come back after a top-up; settings that users save
// by name, those of their last order, and the seed that they can order again.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { repeatableSeed } from '../../src/bot/cards/result-uses.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { drafts } from '../../src/db/schema.ts'
import {
  changeDraft,
  claimRewriting,
  createDraft,
  type Draft,
  deletePreset,
  draftForWords,
  draftOfCard,
  dropDraft,
  findDraft,
  findPreset,
  lastAnswers,
  markAwaitingTopUp,
  newestOpenDraft,
  presetsOf,
  savePreset,
  setCard,
  setOpenPage,
  takeAwaiting,
} from '../../src/orders/drafts.ts'
import type { User } from '../../src/users/user.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, quoteFor, readDraft, userWith } from '../support/worlds/generations.ts'

const reel = 'MODEL-VIDEO-REEL'
const wan = 'MODEL-VIDEO-WAN'
const world = await auditedWorld()
const { deps, clock } = world
const { db } = deps

let drafted = 0
/** A draft that is a second newer than all earlier drafts. */
async function draftOf(user: User, own: Partial<Draft> = {}): Promise<Draft> {
  clock.advance(1000)
  drafted += 1
  const chat = { chatId: user.telegramId ?? 0, topicId: null }
  const answers = { positivePrompt: 'a cat' }
  const base = { id: `draft-${drafted}`, userId: user.id, modelId: reel, answers, ...chat }
  return createDraft(db, { ...base, ...own }, clock.now())
}

const people = async (kopecks = 0n) =>
  [await userWith(world, kopecks), await userWith(world, kopecks)] as const
const idOf = async (draft: Promise<Draft | undefined>) => (await draft)?.id
const changes = (draft: Draft, answers: object) =>
  changeDraft(db, draft, (newest) => ({ answers: { ...newest.answers, ...answers } }), clock.now())

it('a change of a draft is made in this draft only, on its newest row, and makes its next revision with the main page', async () => {
  const [anna] = await people()
  const [draft, other] = [await draftOf(anna), await draftOf(anna)]
  await setOpenPage(db, draft.id, 'duration', clock.now())
  clock.advance(1000)
  const changed = await changes(draft, { duration: 3 })
  expect(changed).toMatchObject({ id: draft.id, revision: 2, openPage: null, updatedAt: clock.now() })
  await changes(draft, { size: 'wide' })
  const answers = { positivePrompt: 'a cat', duration: 3, size: 'wide' }
  expect(await readDraft(world, draft.id)).toMatchObject({ answers, revision: 3 })
  expect(await readDraft(world, other.id)).toEqual(other)
})

it('a draft is dropped once, and not changed any more', async () => {
  const [anna] = await people()
  const [draft, other] = [await draftOf(anna), await draftOf(anna)]
  expect(await dropDraft(db, draft.id, clock.now())).toBe(true)
  expect(await dropDraft(db, draft.id, clock.now())).toBe(false)
  expect(await changes(draft, { duration: 3 })).toBeUndefined()
  await setOpenPage(db, draft.id, 'duration', clock.now())
  expect(await markAwaitingTopUp(db, draft.id, anna.id)).toBe(false)
  expect(await claimRewriting(db, draft, 'turn-1')).toBe(false)
  expect(await readDraft(world, draft.id)).toEqual({ ...draft, state: 'dropped', updatedAt: clock.now() })
  expect(await readDraft(world, other.id)).toEqual(other)
})

it('the prompt of a draft is rewritten by the turn that was named first', async () => {
  const [anna] = await people()
  const [draft, other] = [await draftOf(anna), await draftOf(anna)]
  expect(await claimRewriting(db, draft, 'turn-1')).toBe(true)
  expect(await claimRewriting(db, draft, 'turn-2')).toBe(false)
  expect(await readDraft(world, draft.id)).toMatchObject({ rewritingId: 'turn-1' })
  expect(await readDraft(world, other.id)).toMatchObject({ rewritingId: null })
})

it('an update that is handled again begins no second draft, and a draft is found by its owner only', async () => {
  const [anna, boris] = await people()
  await draftOf(boris, { updateId: 71 })
  const first = await draftOf(anna, { updateId: 72 })
  expect(await draftOf(anna, { updateId: 72 })).toEqual(first)
  await draftOf(anna)
  expect(await idOf(findDraft(db, first.id, anna.id))).toBe(first.id)
  expect(await findDraft(db, first.id, boris.id)).toBeUndefined()
})

it('the draft of a card is the open one of this message in this group, or in the private chat of its user', async () => {
  const [anna, boris] = await people()
  const group = { topicId: null, chatId: -700 }
  const made = [await draftOf(anna, group), await draftOf(boris, group)] as const
  const elsewhere = await draftOf(anna, { ...group, chatId: -701 })
  const alone = await draftOf(anna)
  const put = (draft: { id: string }, message: number) => setCard(db, draft.id, message, clock.now())
  for (const [draft, message] of [
    [made[0], 10],
    [made[1], 11],
    [elsewhere, 11],
    [alone, 11],
  ] as const)
    await put(draft, message)
  expect(await idOf(draftOfCard(db, -700, 11, anna.id))).toBe(made[1].id)
  expect(await draftOfCard(db, -700, 12, anna.id)).toBeUndefined()
  expect(await idOf(draftOfCard(db, alone.chatId, 11, anna.id))).toBe(alone.id)
  expect(await draftOfCard(db, alone.chatId, 11, boris.id)).toBeUndefined()
  await dropDraft(db, made[1].id, clock.now())
  expect(await draftOfCard(db, -700, 11, anna.id)).toBeUndefined()
})

it('the newest draft of a user in a chat is the open one; words are for the last one that was shown', async () => {
  const [anna, boris] = await people()
  const here = { chatId: anna.telegramId ?? 0, topicId: null }
  const forWords = () => draftForWords(db, anna.id, here)
  const [first, second] = [await draftOf(anna), await draftOf(anna)]
  await dropDraft(db, (await draftOf(anna)).id, clock.now())
  await draftOf(anna, { chatId: -800 })
  await draftOf(boris, here)
  expect(await idOf(newestOpenDraft(db, anna.id, here.chatId))).toBe(second.id)
  expect(await forWords()).toBeUndefined()
  await setCard(db, second.id, 5, clock.now())
  await setCard(db, (await draftOf(anna, { topicId: 7 })).id, 6, clock.now())
  await setOpenPage(db, first.id, 'duration', clock.now())
  expect(await idOf(forWords())).toBe(first.id)
  clock.advance(1000)
  await setCard(db, second.id, 7, clock.now())
  expect(await idOf(forWords())).toBe(second.id)
})

it('after a top-up the newest card from which its user began one is shown again, once, and no other', async () => {
  const [anna, boris] = await people()
  const foreign = await draftOf(boris)
  const [first, second, third] = [await draftOf(anna), await draftOf(anna), await draftOf(anna)]
  expect(await takeAwaiting(db, anna.id)).toBeUndefined()
  expect(await markAwaitingTopUp(db, foreign.id, anna.id)).toBe(false)
  expect(await markAwaitingTopUp(db, foreign.id, boris.id)).toBe(true)
  for (const { id } of [first, third, second]) expect(await markAwaitingTopUp(db, id, anna.id)).toBe(true)
  await draftOf(anna)
  expect(await takeAwaiting(db, anna.id)).toMatchObject({ id: third.id, awaitsTopUp: false })
  expect(await takeAwaiting(db, anna.id)).toBeUndefined()
  expect(await idOf(takeAwaiting(db, boris.id))).toBe(foreign.id)
  const clara = await userWith(world, 500_00n)
  const { draftId } = await order(world, clara)
  await db.update(drafts).set({ awaitsTopUp: true }).where(eq(drafts.id, draftId))
  expect(await takeAwaiting(db, clara.id), 'a card that was ordered since').toBeUndefined()
})

describe('a preset', () => {
  const saved = (user: User, name: string, answers = {}, modelId = reel) =>
    savePreset(deps, { userId: user.id, modelId, name, answers })
  const namesOf = async (user: User, modelId?: string) =>
    (await presetsOf(db, user.id, modelId)).map(({ name }) => name)
  const presetOf = async (user: User, name: string) =>
    (await presetsOf(db, user.id)).find((one) => one.name === name)?.id ?? expect.unreachable(name)

  it('replaces the one with its name and model, and no other', async () => {
    const [anna, boris] = await people()
    await saved(anna, 'Short', { duration: 3 })
    await saved(anna, 'Long', { duration: 15 })
    await saved(anna, 'Short', { size: 'wide' }, wan)
    await saved(boris, 'Short', { duration: 9 })
    await saved(anna, 'Short', { duration: 4 })
    const found = await presetsOf(db, anna.id)
    expect(found.map(({ name, modelId, answers }) => [name, modelId, answers]).toSorted()).toEqual([
      ['Long', reel, { duration: 15 }],
      ['Short', reel, { duration: 4 }],
      ['Short', wan, { size: 'wide' }],
    ])
    expect(await namesOf(anna, reel)).toEqual(['Long', 'Short'])
    expect(await presetsOf(db, boris.id)).toMatchObject([{ answers: { duration: 9 } }])
  })

  it('beyond the thirtieth of a user is refused, except in place of one of them', async () => {
    const [anna, boris] = await people()
    for (let at = 1; at <= 30; at += 1) expect(await saved(anna, `Preset ${at}`)).toBe(true)
    expect(await saved(anna, 'One more')).toBe(false)
    expect(await saved(anna, 'Preset 1', {}, wan)).toBe(false)
    expect(await namesOf(anna)).toHaveLength(30)
    expect(await saved(anna, 'Preset 30', { duration: 3 })).toBe(true)
    const replaced = await findPreset(db, await presetOf(anna, 'Preset 30'), anna.id)
    expect(replaced).toMatchObject({ answers: { duration: 3 } })
    expect(await saved(boris, 'Another user has room')).toBe(true)
  })

  it('is found and deleted by its id, for its owner only', async () => {
    const [anna, boris] = await people()
    for (const name of ['First', 'Second']) await saved(anna, name)
    const id = await presetOf(anna, 'Second')
    expect(await findPreset(db, id, anna.id)).toMatchObject({ name: 'Second' })
    expect(await findPreset(db, id, boris.id)).toBeUndefined()
    await deletePreset(db, id, boris.id)
    expect(await namesOf(anna)).toEqual(['First', 'Second'])
    await deletePreset(db, id, anna.id)
    expect(await namesOf(anna)).toEqual(['First'])
  })
})

it('the settings of the last order are those of the newest ordered card of this user and model', async () => {
  const [anna, boris] = await people(500_00n)
  expect(await lastAnswers(db, anna.id, reel)).toBeUndefined()
  for (const [user, duration] of [
    [anna, 3],
    [anna, 4],
    [boris, 5],
  ] as const) {
    await order(world, user, { duration })
    clock.advance(1000)
  }
  await quoteFor(world, anna, { duration: 6 })
  expect(await lastAnswers(db, anna.id, reel)).toMatchObject({ duration: 4 })
  expect(await lastAnswers(db, anna.id, wan)).toBeUndefined()
})

it('a seed above the limit of the model’s field is not offered for another order', async () => {
  const generation = await order(world, await userWith(world, 100_00n))
  const request = { model: videoWan.id, positivePrompt: 'a cat' }
  const empty = {
    fileId: null,
    messageId: null,
    kind: null,
    facts: null,
    originalFileId: null,
    resultId: null,
  }
  const file = { position: 0, url: '', misses: 0, lost: null, ...empty, generationId: generation.id }
  const seeded = (seed: number) => repeatableSeed(videoWan, { ...generation, request }, [{ ...file, seed }])
  expect([seeded(2_147_483_647), seeded(2_147_483_648)]).toEqual([2_147_483_647, undefined])
})

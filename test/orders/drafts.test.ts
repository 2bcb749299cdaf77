// Drafts: how they change, how the messages with their cards are found, and which cards come back after a top-up.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { drafts } from '../../src/db/schema.ts'
import {
  changeDraft,
  claimRewriting,
  createDraft,
  type Draft,
  draftForWords,
  draftOfCard,
  dropDraft,
  findDraft,
  markAwaitingTopUp,
  newestOpenDraft,
  setCard,
  setOpenPage,
  takeAwaiting,
} from '../../src/orders/drafts.ts'
import type { User } from '../../src/users/user.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, quoteFor, readDraft, userWith } from '../support/worlds/generations.ts'

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
  const base = { id: `draft-${drafted}`, userId: user.id, modelId: 'MODEL-VIDEO-REEL', answers, ...chat }
  return createDraft(db, { ...base, ...own }, clock.now())
}

const people = async () => [await userWith(world, 0n), await userWith(world, 0n)] as const
const idOf = async (draft: Promise<Draft | undefined>) => (await draft)?.id
const changedTo = (positivePrompt: string) => () => ({ answers: { positivePrompt } })

describe('a change of a draft', () => {
  it('is made in this draft only, and makes its next revision with the main page', async () => {
    const [anna] = await people()
    const [draft, other] = [await draftOf(anna), await draftOf(anna)]
    await setOpenPage(db, draft.id, 'duration', clock.now())
    clock.advance(1000)
    const changed = await changeDraft(db, draft, changedTo('a dog'), clock.now())
    expect(changed).toMatchObject({ id: draft.id, revision: 2, openPage: null, updatedAt: clock.now() })
    expect(await readDraft(world, draft.id)).toMatchObject({ answers: { positivePrompt: 'a dog' } })
    expect(await readDraft(world, other.id)).toEqual(other)
  })

  it('is based on the newest row when another change was first', async () => {
    const [anna] = await people()
    const draft = await draftOf(anna)
    await changeDraft(db, draft, ({ answers }) => ({ answers: { ...answers, duration: 3 } }), clock.now())
    await changeDraft(db, draft, ({ answers }) => ({ answers: { ...answers, size: 'wide' } }), clock.now())
    const answers = { positivePrompt: 'a cat', duration: 3, size: 'wide' }
    expect(await readDraft(world, draft.id)).toMatchObject({ answers, revision: 3 })
  })

  it('is not made in a draft that was dropped meanwhile, and a draft is dropped once', async () => {
    const [anna] = await people()
    const [draft, other] = [await draftOf(anna), await draftOf(anna)]
    expect(await dropDraft(db, draft.id, clock.now())).toBe(true)
    expect(await dropDraft(db, draft.id, clock.now())).toBe(false)
    expect(await changeDraft(db, draft, changedTo('a dog'), clock.now())).toBeUndefined()
    await setOpenPage(db, draft.id, 'duration', clock.now())
    expect(await markAwaitingTopUp(db, draft.id, anna.id)).toBe(false)
    expect(await claimRewriting(db, draft, 'turn-1')).toBe(false)
    expect(await readDraft(world, draft.id)).toEqual({ ...draft, state: 'dropped', updatedAt: clock.now() })
    expect(await readDraft(world, other.id)).toEqual(other)
  })
})

it('the prompt of a draft is rewritten by the turn that was named first', async () => {
  const [anna] = await people()
  const [draft, other] = [await draftOf(anna), await draftOf(anna)]
  expect(await claimRewriting(db, draft, 'turn-1')).toBe(true)
  expect(await claimRewriting(db, draft, 'turn-2')).toBe(false)
  expect(await readDraft(world, draft.id)).toMatchObject({ rewritingId: 'turn-1' })
  expect(await readDraft(world, other.id)).toMatchObject({ rewritingId: null })
})

it('an update that is handled again begins no second draft', async () => {
  const [anna, boris] = await people()
  await draftOf(boris, { updateId: 71 })
  const first = await draftOf(anna, { updateId: 72 })
  const again = await draftOf(anna, { updateId: 72 })
  expect(again).toEqual(first)
})

it('a draft is found by its id, for its owner only', async () => {
  const [anna, boris] = await people()
  const [draft] = [await draftOf(anna), await draftOf(anna)]
  expect(await idOf(findDraft(db, draft.id, anna.id))).toBe(draft.id)
  expect(await findDraft(db, draft.id, boris.id)).toBeUndefined()
})

it('the draft of a card is the open one of this message in this group, or in the private chat of its user', async () => {
  const [anna, boris] = await people()
  const group = { topicId: null, chatId: -700 }
  const made = [await draftOf(anna, group), await draftOf(boris, group)] as const
  const elsewhere = await draftOf(anna, { ...group, chatId: -701 })
  const alone = await draftOf(anna)
  const put = (draft: { id: string }, message: number) => setCard(db, draft.id, message, clock.now())
  for (const [at, draft] of [made[0], made[1]].entries()) await put(draft, 10 + at)
  await put(elsewhere, 11)
  await put(alone, 11)
  expect(await idOf(draftOfCard(db, -700, 11, anna.id))).toBe(made[1].id)
  expect(await draftOfCard(db, -700, 12, anna.id)).toBeUndefined()
  expect(await idOf(draftOfCard(db, alone.chatId, 11, anna.id))).toBe(alone.id)
  expect(await draftOfCard(db, alone.chatId, 11, boris.id)).toBeUndefined()
  await dropDraft(db, made[1].id, clock.now())
  expect(await draftOfCard(db, -700, 11, anna.id)).toBeUndefined()
})

it('the newest draft of a user in a chat is the open one that was changed last', async () => {
  const [anna, boris] = await people()
  const chatId = anna.telegramId ?? 0
  await draftOf(anna)
  const second = await draftOf(anna)
  const dropped = await draftOf(anna)
  await dropDraft(db, dropped.id, clock.now())
  await draftOf(anna, { chatId: -800 })
  await draftOf(boris, { chatId })
  expect(await idOf(newestOpenDraft(db, anna.id, chatId))).toBe(second.id)
})

it('words are for the draft at an open page, else for the last one with a card, in the same topic', async () => {
  const [anna] = await people()
  const here = { chatId: anna.telegramId ?? 0, topicId: null }
  const forWords = () => draftForWords(db, anna.id, here)
  const [first, second] = [await draftOf(anna), await draftOf(anna)]
  expect(await forWords()).toBeUndefined()
  await setOpenPage(db, first.id, 'duration', clock.now())
  await setCard(db, second.id, 5, clock.now())
  await setCard(db, (await draftOf(anna, { topicId: 7 })).id, 6, clock.now())
  expect(await idOf(forWords())).toBe(first.id)
  await setOpenPage(db, first.id, null, clock.now())
  expect(await idOf(forWords())).toBe(second.id)
})

describe('after a top-up', () => {
  it('the card from which the user began it is shown again once, and no card that was opened later', async () => {
    const anna = await userWith(world, 1_00n)
    const { draft } = await quoteFor(world, anna)
    expect(await takeAwaiting(db, anna.id)).toBeUndefined()
    expect(await markAwaitingTopUp(db, draft.id, anna.id)).toBe(true)
    clock.advance(1000)
    await quoteFor(world, anna)
    expect(await takeAwaiting(db, anna.id)).toMatchObject({ id: draft.id, awaitsTopUp: false })
    expect(await takeAwaiting(db, anna.id)).toBeUndefined()
  })

  it('the newest of several such cards is shown, and none of another user', async () => {
    const [anna, boris] = await people()
    const [foreign, first, second, third] = [
      await draftOf(boris),
      await draftOf(anna),
      await draftOf(anna),
      await draftOf(anna),
    ]
    expect(await markAwaitingTopUp(db, foreign.id, anna.id)).toBe(false)
    expect(await markAwaitingTopUp(db, foreign.id, boris.id)).toBe(true)
    for (const { id } of [first, third, second]) expect(await markAwaitingTopUp(db, id, anna.id)).toBe(true)
    expect(await idOf(takeAwaiting(db, anna.id))).toBe(third.id)
    expect(await takeAwaiting(db, anna.id)).toBeUndefined()
    expect(await idOf(takeAwaiting(db, boris.id))).toBe(foreign.id)
  })

  it('a card that was ordered since is not shown again', async () => {
    const anna = await userWith(world, 500_00n)
    const { draftId } = await order(world, anna)
    await db.update(drafts).set({ awaitsTopUp: true }).where(eq(drafts.id, draftId))
    expect(await takeAwaiting(db, anna.id)).toBeUndefined()
  })
})

// What the history shows of orders, the marks of its owner, and how long orders of a model usually take. The rows are changed without
// their money, so there is no audit.

import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { mediumOf } from '../../src/catalog/field.ts'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { type Model, minimalAnswers } from '../../src/catalog/model.ts'
import { model3d } from '../../src/catalog/model-3d.ts'
import { trialOf } from '../../src/catalog/trial.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { artifacts, generations } from '../../src/db/schema.ts'
import { subjectOf } from '../../src/orders/deliver/job.ts'
import { followUpsOf, nextOf } from '../../src/orders/deliver/result.ts'
import { type Generation, hasResults, mayReport } from '../../src/orders/generation.ts'
import {
  deliveredFiles,
  type HistoryQuery,
  markFetched,
  markOrder,
  readHistory,
  readReceipt,
  shownStateOf,
  untoldSince,
  videosOf,
} from '../../src/orders/history.ts'
import { createTimes } from '../../src/orders/times.ts'
import { loadTexts } from '../../src/texts.ts'
import type { User } from '../../src/users/user.ts'
import { createWorld, order, reread, userWith } from '../support/worlds/generations.ts'

const world = await createWorld()
const { deps, clock } = world
const { db } = deps
afterAll(() => world.close())

async function orderWith(user: User, change: Partial<Generation> = {}): Promise<string> {
  const { id } = await order(world, user)
  await db
    .update(generations)
    .set({ chatId: user.telegramId ?? 0, ...change })
    .where(eq(generations.id, id))
  return id
}
const rich = () => userWith(world, 20_000_00n)
const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

it('a page of the history has five orders, the newest first, and those of one moment each on one page', async () => {
  const anna = await rich()
  expect(await readHistory(deps, anna.id, 3)).toEqual({ entries: [], page: 0, total: 0 })
  await orderWith(await rich())
  const moment: string[] = []
  for (let at = 0; at < 7; at += 1) moment.push(await orderWith(anna))
  clock.advance(1000)
  const last = await orderWith(anna)
  const pages = [await readHistory(deps, anna.id, 0), await readHistory(deps, anna.id, 1)]
  expect(pages.map(({ page, total, entries }) => [page, total, entries.length])).toEqual([
    [0, 8, 5],
    [1, 8, 3],
  ])
  expect(pages.flatMap(({ entries }) => idsOf(entries))).toEqual([last, ...moment.toSorted().toReversed()])
  expect(await readHistory(deps, anna.id, 9), 'the last page in place of a later one').toEqual(pages[1])
})

it('a page of the history has only the orders that fit', async () => {
  const rows: readonly (readonly [string, Partial<Generation>, HistoryQuery])[] = [
    ['the chat', { chatId: -44 }, { chatId: -44 }],
    ['the model', { modelId: 'MODEL-X' }, { modelIds: ['MODEL-X', 'MODEL-Y'] }],
    ['the state', { state: 'unknown' }, { states: ['unknown', 'running'] }],
    ['a favourite', { favouriteAt: new Date(0) }, { favourite: true }],
    ['a removed order', { hiddenAt: new Date(0) }, { hidden: true }],
  ]
  for (const [what, change, query] of rows) {
    const anna = await rich()
    await orderWith(anna)
    const fitting = await orderWith(anna, change)
    const { entries, total } = await readHistory(deps, anna.id, 0, query)
    expect([idsOf(entries), total], what).toEqual([[fitting], 1])
    expect((await readHistory(deps, anna.id, 0)).total, what).toBe(change.hiddenAt ? 1 : 2)
  }
})

it('the newest five orders of a chat that ended untold since a time are those to tell', async () => {
  const anna = await rich()
  const untold = { chatId: -45, delivery: 'undeliverable' } as const
  const at = (ms: number) => ({ ...untold, settledAt: new Date(ms) })
  const others = [at(1000), { ...at(9000), chatId: -46 }, { ...at(9000), delivery: 'delivered' as const }]
  for (const other of others) await orderWith(anna, other)
  await orderWith(await rich(), at(9000))
  const ended: string[] = []
  for (let ms = 1001; ms < 1007; ms += 1) ended.unshift(await orderWith(anna, at(ms)))
  expect(await untoldSince(db, anna.id, -45, new Date(1000))).toEqual(ended.slice(0, 5))
  expect(await untoldSince(db, anna.id, -45, new Date(1003))).toEqual(ended.slice(0, 3))
})

const now = new Date('2026-11-21T12:00:00Z')
const paid = { state: 'succeeded', captured: 10n, amount: 10n, delivery: 'delivered' } as const

it('an order stands as it ended and was paid; only a charged one may be reported', async () => {
  const some = await order(world, await rich())
  const rows: readonly (readonly [ReturnType<typeof shownStateOf>, Partial<Generation>, boolean])[] = [
    ['done', paid, true],
    ['partly', { ...paid, captured: 9n }, true],
    ['partly', { ...paid, refunded: 9n }, true],
    ['refunded', { ...paid, refunded: 10n }, false],
    ['sending', { ...paid, delivery: 'pending' }, true],
    ['undelivered', { ...paid, delivery: 'undeliverable' }, true],
    ['failed', { state: 'failed', delivery: 'delivered', captured: 0n }, false],
    ['late', { state: 'failed', arrivedLateAt: now, delivery: 'delivered' }, false],
    ['sending', { state: 'failed', arrivedLateAt: now, delivery: 'pending' }, false],
    ['working', { state: 'running' }, false],
  ]
  for (const [standing, change, isCharged] of rows) {
    const generation = { ...some, ...change }
    const has = !['failed', 'working'].includes(standing)
    const found = [shownStateOf(generation), hasResults(generation), mayReport(generation)]
    expect(found).toEqual([standing, has, isCharged])
  }
})

it('the receipt says what was charged and what came back, once the order has ended, to its owner only', async () => {
  const anna = await rich()
  const id = await orderWith(anna)
  expect(await readReceipt(deps, id, anna.id)).toMatchObject({ charged: 0n, returned: undefined })
  await db.update(generations).set({ settledAt: now, captured: 2_45n }).where(eq(generations.id, id))
  expect(await readReceipt(deps, id, anna.id)).toMatchObject({ charged: 2_45n, returned: 90_00n })
  expect(await readReceipt(deps, id, (await rich()).id)).toBeUndefined()
})

it('a result that was fetched from the history counts as delivered only if it had not been deliverable', async () => {
  const anna = await rich()
  const pending = await orderWith(anna, { delivery: 'pending' })
  const delivered = await orderWith(anna, { delivery: 'delivered', deliveredAt: now })
  const lost = await orderWith(anna, { delivery: 'undeliverable', attempts: 12 })
  const other = await orderWith(anna, { delivery: 'undeliverable' })
  clock.advance(1000)
  for (const id of [pending, delivered, lost]) await markFetched(deps, id)
  for (const [id, facts] of [
    [pending, { delivery: 'pending', deliveredAt: null }],
    [delivered, { deliveredAt: now }],
    [lost, { delivery: 'delivered', deliveredAt: clock.now(), attempts: 0 }],
    [other, { delivery: 'undeliverable' }],
  ] as const)
    expect(await reread(world, { id })).toMatchObject(facts)
})

it('the videos that can be continued are those of the user and model that have succeeded and have a task', async () => {
  const [anna, boris] = [await rich(), await rich()]
  const video = async (user: User, taskId: string | null, change: Partial<Generation> = {}) => {
    const id = await orderWith(user, { state: 'succeeded', modelId: 'MODEL-V', taskId, ...change })
    const resultId = taskId === 'v1' ? 'r1' : null
    const file = { generationId: id, url: '' }
    await db.insert(artifacts).values([
      { ...file, position: 0, resultId },
      { ...file, position: 1 },
    ])
    clock.advance(1000)
    return id
  }
  const continued = async (by: 'task' | 'result', most: number) => {
    const found = await videosOf(db, anna.id, { modelId: 'MODEL-V' }, by, most)
    return found.map(({ generation, continuedBy }) => `${generation.id} ${continuedBy}`)
  }
  const [first, second] = [await video(anna, 'v1'), await video(anna, 'v2')]
  await video(boris, 'v3')
  await video(anna, 'v4', { modelId: 'MODEL-W' })
  await video(anna, 'v5', { state: 'failed' })
  await video(anna, null)
  expect(await continued('task', 9)).toEqual([`${second} v2`, `${first} v1`])
  expect(await continued('task', 1)).toEqual([`${second} v2`])
  expect(await continued('result', 9)).toEqual([`${first} r1`])
})

describe('below a result', () => {
  const none = { kind: null, facts: null, originalFileId: null, resultId: null, seed: null, lost: null }
  const file = { ...none, generationId: '', position: 0, url: '', misses: 0, fileId: 'file', messageId: 5 }
  /** The order that is offered next, in the words of its button. */
  async function next(model: Model, { answers = {}, count = 1, by = 'task' as 'task' | 'result', ...own }) {
    const request = deps.catalog.request(model, { ...minimalAnswers(model), ...answers }) ?? {}
    const generation = { ...(await order(world, await rich())), modelId: model.id, request, taskId: 'task-1' }
    const subject = await subjectOf({ ...deps, texts: loadTexts() }, generation, 'en')
    const results = { ...deps.results, continued: by }
    return nextOf({ ...deps, results }, subject, Array(count).fill({ ...file, ...own }))?.text
  }

  it('its final version, its full model, its continuation or the first use of its file is offered', async () => {
    const trial = trialOf(videoReel, minimalAnswers(videoReel))?.answers
    for (const [model, own, words] of [
      [videoReel, { answers: trial, seed: 7 }, /^🎬 Final: 15 s, 1080p · ₽277.35$/],
      [model3d, { answers: { mode: 'preview' } }, /^🧊 Full model, made anew · ₽192$/],
      [videoDream, { by: 'result', resultId: 'r1' }, /^▶️ Continue/],
      [videoDream, { by: 'task' }, /^▶️ Continue/],
      [imageDesign, {}, /^🎬 Animate · ₽92.45$/],
    ] as const)
      expect(await next(model, own)).toMatch(words)
  })

  it('nothing is offered without a seed, an id of the video or a file, nor below several results', async () => {
    const trial = trialOf(videoReel, minimalAnswers(videoReel))?.answers
    for (const [model, own] of [
      [videoReel, { answers: trial }],
      [videoReel, { seed: 7 }],
      [model3d, {}],
      [videoDream, { by: 'result' }],
      [imageDesign, { count: 2 }],
      [imageDesign, { fileId: null }],
    ] as const)
      expect(await next(model, own)).toBeUndefined()
  })

  it.each<[string, { id?: string }, boolean, string]>([
    ['image/png', {}, false, 'animate VIDEO-REEL, last-frame VIDEO-REEL, voice SPEECH-TURBO'],
    [
      'image/png',
      {},
      true,
      'animate VIDEO-REEL, last-frame VIDEO-REEL, talk VIDEO-WAN, texture 3D-TEXT, voice SPEECH-TURBO',
    ],
    ['video/mp4', {}, false, 'voice SPEECH-TURBO'],
    ['video/mp4', { id: 'v1' }, false, 'extend VIDEO-REEL, voice SPEECH-TURBO'],
    ['audio/mpeg', {}, false, ''],
    ['audio/mpeg', {}, true, 'talk VIDEO-WAN, sound VIDEO-REEL'],
    ['audio/mpeg', { id: 'a1' }, false, 'talk VIDEO-WAN, sound VIDEO-REEL'],
  ])('%s with %o, and links %s, has the uses of its kind', (mime, known, hasLinks, expected) => {
    const media = { ...deps.media, link: hasLinks ? () => 'https://we.are/file' : undefined }
    const made = { file: 'file', mime, medium: mediumOf(mime) ?? expect.unreachable(mime), ...known }
    const uses = followUpsOf({ media }, deps.catalog.offered, made)
    expect(uses.map(({ use, model }) => `${use} ${model.id.slice('MODEL-'.length)}`).join(', ')).toBe(
      expected,
    )
  })
})

it('the delivered files are those in messages of the user’s orders that are on the list, the newest orders first', async () => {
  const [anna, boris] = [await rich(), await rich()]
  const files = async (user: User, rows: Partial<typeof artifacts.$inferInsert>[], change = {}) => {
    clock.advance(1000)
    const generationId = await orderWith(user, change)
    const sent = { generationId, url: 'https://files.example/1', fileId: 'file', messageId: 5 }
    await db.insert(artifacts).values(rows.map((row, position) => ({ position, ...sent, ...row })))
    return generationId
  }
  const first = await files(anna, [{}, {}])
  const second = await files(anna, [{}, { messageId: null }, { fileId: null }])
  await files(anna, [{}], { hiddenAt: now })
  await files(boris, [{}])
  await files(anna, [{ fileId: null }])
  const found = await deliveredFiles(db, anna.id, 3)
  const places = found.map(({ generationId, position }) => `${generationId} ${position}`)
  expect(places).toEqual([`${second} 0`, `${first} 0`, `${first} 1`])
  expect(await deliveredFiles(db, anna.id, 1)).toHaveLength(1)
})

it('only the owner of an order marks it, and hides it only when it has ended', async () => {
  const [owner, stranger] = [await rich(), await rich()]
  const id = await orderWith(owner)
  const marks = async (by: User, ...all: Parameters<typeof markOrder>[3][]) => {
    for (const mark of all) await markOrder(deps, id, by.id, mark)
    const { favouriteAt, hiddenAt } = await reread(world, { id })
    return [favouriteAt, hiddenAt]
  }
  expect(await marks(owner, 'hide')).toEqual([null, null])
  await db.update(generations).set({ settledAt: now }).where(eq(generations.id, id))
  expect(await marks(stranger, 'favourite', 'hide')).toEqual([null, null])
  const marked = [clock.now(), clock.now()]
  expect(await marks(owner, 'favourite', 'hide')).toEqual(marked)
  expect(await marks(stranger, 'ordinary', 'show')).toEqual(marked)
  expect(await marks(owner, 'ordinary', 'show')).toEqual([null, null])
})

describe('the usual time of a model', () => {
  const second = 1000
  const minute = 60 * second
  const day = 24 * 60 * minute
  /** That of the catalog. */
  const unknown = 180 * second
  const user = rich()
  let made = 0

  /** A model that nobody has ordered yet. @returns its usual time, and a function that makes delivered orders of it */
  function newModel() {
    made += 1
    const modelId = `MODEL-TEST-${made}`
    const { usualMs } = createTimes(deps)
    return {
      usual: (read = usualMs) => read({ ...videoReel, id: modelId }),
      fresh: () => createTimes(deps).usualMs({ ...videoReel, id: modelId }),
      async took(count: number, seconds: number, change: Partial<Generation> = {}): Promise<void> {
        const at = new Date(clock.now().getTime() + seconds * second)
        const ended = { state: 'succeeded', delivery: 'delivered', settledAt: at, deliveredAt: at } as const
        for (let left = count; left > 0; left -= 1)
          await orderWith(await user, { modelId, ...ended, ...change })
      },
    }
  }

  it('is that of four of five delivered orders; with fewer than three it is that of the catalog', async () => {
    const [{ took, fresh }, another] = [newModel(), newModel()]
    await another.took(3, 1)
    for (const seconds of [10, 100]) await took(1, seconds)
    expect(await fresh()).toBe(unknown)
    await took(1, 20)
    expect(await fresh()).toBe(100 * second)
  })

  it('leaves out failed orders, orders on their way to the chat, and orders of more than 30 days ago', async () => {
    const { took, fresh } = newModel()
    for (const seconds of [10, 20]) await took(1, seconds)
    await took(1, 30, { state: 'failed' })
    await took(1, 30, { deliveredAt: null, delivery: 'pending' })
    const monthAgo = clock.now().getTime() - 30 * day
    await took(1, 30, { settledAt: new Date(monthAgo) })
    expect(await fresh()).toBe(unknown)
    await took(1, 30, { settledAt: new Date(monthAgo + second) })
    expect(await fresh()).toBe(30 * second)
  })

  it('takes the last fifty orders only', async () => {
    const { took, fresh } = newModel()
    await took(26, 200)
    clock.advance(10 * minute)
    await took(41, 100)
    expect(await fresh()).toBe(100 * second)
  })

  it('is read again after ten minutes, or after one minute while too few orders were delivered', async () => {
    const { took, usual } = newModel()
    const at = async (afterMs: number) => {
      clock.advance(afterMs)
      return (await usual()) / second
    }
    expect(await at(0)).toBe(180)
    await took(3, 10)
    expect([await at(minute - 1), await at(1)]).toEqual([180, 10])
    await took(4, 30)
    expect([await at(10 * minute - 1), await at(1)]).toEqual([10, 30])
  })
})

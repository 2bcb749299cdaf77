// A message that is in the chat is not sent again: neither when one of several results fails, nor when a process dies, nor by a
// process that was suspended. Only a message whose answer was lost is sent twice. A delivery that ends every process that takes it is made
// with more and more care, and is given up in the end.

import type { ServerResponse } from 'node:http'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { undeliveredCheck } from '../../../src/operator/checks.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend } from '../../../src/orders/deliver/resend.ts'
import { recordAlbum } from '../../../src/orders/deliver/send.ts'
import { claim } from '../../../src/orders/generation.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { leaseMs } from '../../../src/runtime/queue-worker.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { claimNow } from '../../support/database/claim.ts'
import { delayingStatements, failingStatements } from '../../support/database/failing.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import type { Order, Serve } from '../../support/worlds/delivery.ts'
import { gate } from '../../support/worlds/generations.ts'
import {
  broken,
  failed,
  glb,
  images,
  lastWords,
  object3d,
  pictures,
  refusal,
  shown,
  statusOf,
  unheard,
  video,
  videos,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock } = delivery

const single = videos([video])
const album = images(pictures)
const model = object3d([glb])
const flood: Fault = { kind: 'error', status: 429, retryAfter: 5 }
const photos = (count: number) => Array<string>(count).fill('photo')

/** Lets so many pauses of a second pass. */
async function pausesPass(count: number) {
  for (let pause = 0; pause < count; pause += 1) {
    await clock.asked(1000)
    clock.advance(1000)
  }
}

describe('a message that fails', () => {
  it.each<[string, Order, string, Fault, string[], string[], number]>([
    [
      'one of several results',
      videos([video, video, video]),
      'sendVideo',
      broken,
      ['video', 'video+'],
      ['video', 'video+', 'video'],
      2,
    ],
    [
      'one that meets a flood limit, like the others',
      videos([video, video]),
      'sendVideo',
      flood,
      [],
      ['video', 'video+'],
      1,
    ],
    [
      'one whose answer is lost',
      videos([video, video]),
      'sendVideo',
      unheard,
      ['video', 'video+'],
      ['video', 'video+', 'video'],
      2,
    ],
    ['an album', album, 'sendMediaGroup', broken, [], [...photos(3), 'text+'], 2],
    [
      'an album whose answer is lost',
      album,
      'sendMediaGroup',
      unheard,
      photos(3),
      [...photos(6), 'text+'],
      2,
    ],
    ['the words of an album', album, 'sendMessage', broken, photos(3), [...photos(3), 'text+'], 2],
    ['a 3D model, below its picture', model, 'sendDocument', broken, ['photo'], ['photo', '.glb+'], 2],
    ['the explanation of a failure', failed, 'sendMessage', broken, [], ['text+'], 2],
  ])('is sent later, alone: %s', async (_, order, operation, fault, before, after, attempts) => {
    const one = await delivery.made(order)
    delivery.fault(operation, fault)
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: attempts - 1 })
    expect(await shown(one)).toEqual(before)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts })
    expect(await shown(one)).toEqual(after)
  })

  it('leaves the files of the others as they are, and the status goes away', async () => {
    const one = await delivery.made(videos([video, video, video]))
    delivery.fault('sendVideo', broken)
    await delivery.deliver(one)
    expect(await statusOf(one)).toBeUndefined()
    expect([one.asked(0), one.asked(1), one.asked(2)]).toEqual([2, 1, 1])
  })

  it.each<[string, Order, string, Fault, string[]]>([
    ['an album', album, 'sendMediaGroup', refusal(400, 'Bad Request: no'), ['photo', 'photo', 'photo+']],
    ['the picture of a 3D model', model, 'sendPhoto', broken, ['.glb+']],
  ])('is done without: %s', async (_, order, operation, fault, seen) => {
    const one = await delivery.made(order)
    delivery.fault(operation, fault)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(seen)
  })
})

describe('during a short outage of the database', () => {
  it.each<[string, Order, string[]]>([
    ['results', videos([video, video]), ['video', 'video+']],
    ['an album', album, [...photos(3), 'text+']],
    ['an explanation', failed, ['text+']],
  ])('%s that were sent are recorded after it, and not sent twice', async (_, order, seen) => {
    const one = await delivery.made(order)
    const away = failingStatements(db, 2, /update "(artifacts|generations)"/)
    const attempt = delivery.attempt(one, away)
    await pausesPass(2)
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(seen)
  })

  it('that loses the answer to the end of the delivery, or of Telegram, the status still goes away', async () => {
    const lost = failingStatements(db, 1, /update "generations"/, { isExecuted: true })
    for (const answered of [lost, db]) {
      const one = await delivery.made(single)
      if (answered === db) delivery.fault('deleteMessage', broken)
      const attempt = delivery.attempt(one, answered)
      await pausesPass(1)
      expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
      expect(await shown(one)).toEqual(['video+'])
      expect(await statusOf(one)).toBeUndefined()
    }
  })
})

it('a 3D model whose picture hangs is sent without it, and the late picture changes nothing', async () => {
  const one = await delivery.made(model)
  const [asked, finish] = [gate(), gate()]
  delivery.api.config.use(async (prev, method, payload, signal) => {
    if (method === 'sendPhoto' && Object(payload).chat_id === one.anna.id) {
      asked.open()
      await finish.opened
    }
    return prev(method, payload, signal)
  })
  const attempt = delivery.attempt(one)
  await asked.opened
  clock.advance(10_000)
  expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
  expect(await shown(one)).toEqual(['.glb+'])
  const kept = await artifactsOf(delivery, one.generation.id)
  finish.open()
  await expect.poll(() => shown(one)).toEqual(['.glb+', 'photo'])
  expect(await artifactsOf(delivery, one.generation.id)).toEqual(kept)
})

/** Lets a process die at a call of this method, after this many earlier calls. Resolves when that call is made. */
function dieBefore(dying: string, after = 0): Promise<void> {
  let left = after
  let isDead = false
  return new Promise((died) => {
    delivery.api.config.use((prev, method, payload, signal) => {
      if (isDead || method !== dying || left-- > 0) return prev(method, payload, signal)
      isDead = true
      died()
      return new Promise(() => undefined)
    })
  })
}

it.each<[string, Order, string, number, string[], string[]]>([
  ['two results', videos([video, video, video]), 'sendVideo', 1, ['video'], ['video', 'video', 'video+']],
  ['an album and its words', album, 'sendMessage', 0, photos(3), [...photos(3), 'text+']],
])(
  'a process that dies between %s leaves the rest to the next process',
  async (_, order, method, after, before, seen) => {
    const one = await delivery.made(order)
    const died = dieBefore(method, after)
    void delivery.attempt(one)
    await died
    expect(await shown(one)).toEqual(before)
    clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(seen)
  },
)

describe('a process that was suspended past its lease', () => {
  it('sends nothing when it resumes', async () => {
    const [held, resumed] = [gate(), gate()]
    let isFirst = true
    let pausedAnswer: ServerResponse | undefined
    const slow: Serve = (req, res) => {
      if (!isFirst) return video(req, res)
      isFirst = false
      pausedAnswer = res
      held.open()
      void resumed.opened.then(() => video(req, res))
    }
    const one = await delivery.made(videos([slow, video]))
    const paused = delivery.attempt(one)
    await held.opened
    clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['video', 'video+'])
    resumed.open()
    await paused
    expect(pausedAnswer?.writableEnded).toBe(true)
    expect(await shown(one)).toEqual(['video', 'video+'])
  })

  it.each([
    ['a failure', { reason: 'task-failed' }],
    [
      'a cancelled order without a status message',
      { state: 'canceled', reason: 'withdrawn', statusMessageId: null },
    ],
  ] as const)('does not explain %s once more', async (_, change) => {
    const one = await delivery.made(failed)
    await db.update(generations).set(change).where(eq(generations.id, one.generation.id))
    const [{ opened, open }, begun] = [gate(), gate()]
    const paused = delivery.attempt(one, delayingStatements(db, /from "artifacts"/, opened, begun.open))
    await begun.opened
    clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['text+'])
    open()
    await paused
    expect(await shown(one)).toEqual(['text+'])
  })

  it('does not overwrite what another process has recorded since', async () => {
    const one = await delivery.made(album)
    await delivery.deliver(one)
    const kept = await artifactsOf(delivery, one.generation.id)
    expect(kept.every(({ messageId }) => messageId !== null)).toBe(true)
    // The other process has sent the whole album again; this is the record of the first album.
    await recordAlbum(
      { ...delivery, log: silentLog },
      kept,
      kept.map(() => ({ message_id: 1 })),
    )
    expect(await artifactsOf(delivery, one.generation.id)).toEqual(kept)
  })
})

/** Lets so many processes end, one after the other, each during its delivery. */
async function abandon(processes: number) {
  const { deps } = delivery.world
  for (let process = 0; process < processes; process += 1) {
    expect(await claim(deps, 'deliveries', claimNow(deps, 32))).toHaveLength(1)
    clock.advance(leaseMs)
  }
}

describe('a delivery during which processes ended in a row', () => {
  it.each<[number, string, Order, number, string[]]>([
    [2, 'a video is sent as ever', single, 0, ['video+']],
    [3, 'a video is sent without a look into it', single, 0, ['.mp4+']],
    [3, 'an album is sent without a look into it', album, 0, ['.png', '.png', '.png+']],
    [3, 'a 3D model is sent without a look into it', model, 0, ['.glb+']],
    [3, 'also after eight failures', single, 8, ['.mp4+']],
    [7, 'a link is sent, also after eight failures', single, 8, ['text+']],
    [1, 'the last attempt is left to the next process', single, 11, ['video+']],
  ])('%i times: %s', async (processes, _, order, attempts, seen) => {
    const one = await delivery.made(order)
    await db.update(generations).set({ attempts }).where(eq(generations.id, one.generation.id))
    await abandon(processes)
    const ended = await delivery.attempt(one)
    expect(ended).toMatchObject({ delivery: 'delivered', refunded: null, lease: null })
    expect(await shown(one)).toEqual(seen)
    if (processes < 7) return
    expect(await lastWords(one)).toContain(one.data[0]?.url)
    expect(one.asked(0)).toBe(0)
  })

  it('7 times: a file that came within the answer has no link, and is sent without a look into it', async () => {
    const one = await delivery.made(images(pictures.slice(0, 1)))
    const url = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`
    await db.update(artifacts).set({ url }).where(eq(artifacts.generationId, one.generation.id))
    await abandon(7)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['.png+'])
  })

  it('11 times is given up; the result stays, is charged, and can be had from the history', async () => {
    const one = await delivery.made(single)
    await abandon(11)
    const ended = await delivery.attempt(one)
    const kept = { captured: 92_45n, refunded: null, nextCheckAt: null }
    expect(ended).toMatchObject({ ...kept, delivery: 'undeliverable' })
    expect(await shown(one)).toEqual([])
    expect(await statusOf(one)).toMatch(/списано 92,45 ₽, но прислать сюда не удалось/)
    expect(JSON.stringify(await undeliveredCheck(db, clock.now()))).toContain(ended.id)
    const place = { chatId: one.anna.id, topicId: null }
    await resend(delivery.deps, ended, place, delivery.deps.texts('ru'))
    expect(await shown(one)).toEqual(['video+'])
  })

  it('11 times: the explanation of a failure is given up, too; the money was returned before', async () => {
    const one = await delivery.made(failed)
    await abandon(11)
    const ended = { state: 'failed', delivery: 'undeliverable', captured: 0n }
    expect(await delivery.attempt(one)).toMatchObject(ended)
  })

  it('begins the care anew after an outcome', async () => {
    const one = await delivery.made(single)
    await abandon(2)
    delivery.fault('sendVideo', broken)
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: 3 })
    await abandon(2)
    await delivery.attempt(one)
    expect(await shown(one)).toEqual(['video+'])
  })
})

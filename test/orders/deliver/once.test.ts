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
import type { Made, Order, Serve } from '../../support/worlds/delivery.ts'
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
  single,
  singlePrice,
  statusOf,
  unheard,
  video,
  videos,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock } = delivery

const two = videos([video, video])
const three = videos([video, video, video])
const album = images(pictures)
const model = object3d([glb])
const flood: Fault = { kind: 'error', status: 429, retryAfter: 5 }
const whole = 'photo photo photo text+'
const seen = async (one: Made) => (await shown(one)).join(' ')
const ofOrder = ({ generation }: Made) => eq(generations.id, generation.id)

/** Lets so many pauses of a second pass. */
async function pausesPass(count: number) {
  for (let pause = 0; pause < count; pause += 1) {
    await clock.asked(1000)
    clock.advance(1000)
  }
}

describe('a message that fails', () => {
  it.each<[string, Order, string, Fault, string, string, number]>([
    ['one of several results', three, 'sendVideo', broken, 'video video+', 'video video+ video', 2],
    ['one that meets a flood limit, like the others', two, 'sendVideo', flood, '', 'video video+', 1],
    ['one without an answer', two, 'sendVideo', unheard, 'video video+', 'video video+ video', 2],
    ['an album', album, 'sendMediaGroup', broken, '', whole, 2],
    [
      'an album, its answer',
      album,
      'sendMediaGroup',
      unheard,
      'photo photo photo',
      `photo photo photo ${whole}`,
      2,
    ],
    ['the words of an album', album, 'sendMessage', broken, 'photo photo photo', whole, 2],
    ['a 3D model, below its picture', model, 'sendDocument', broken, 'photo', 'photo .glb+', 2],
    ['the explanation of a failure', failed, 'sendMessage', broken, '', 'text+', 2],
  ])('is sent later, alone: %s', async (_, order, operation, fault, before, after, attempts) => {
    const one = await delivery.made(order)
    delivery.fault(operation, fault)
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: attempts - 1 })
    expect(await seen(one)).toBe(before)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts })
    expect(await seen(one)).toBe(after)
    expect(await statusOf(one)).toBeUndefined()
    if (order === three) expect([one.asked(0), one.asked(1), one.asked(2)]).toEqual([2, 1, 1])
  })

  it.each<[string, Order, string, Fault, string]>([
    ['an album', album, 'sendMediaGroup', refusal(400, 'Bad Request: no'), 'photo photo photo+'],
    ['the picture of a 3D model', model, 'sendPhoto', broken, '.glb+'],
  ])('is done without: %s', async (_, order, operation, fault, after) => {
    const one = await delivery.made(order)
    delivery.fault(operation, fault)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await seen(one)).toBe(after)
  })
})

describe('during a short outage of the database', () => {
  it.each<[string, Order, string]>([
    ['results', two, 'video video+'],
    ['an album', album, whole],
    ['an explanation', failed, 'text+'],
  ])('%s that were sent are recorded after it, and not sent twice', async (_, order, after) => {
    const one = await delivery.made(order)
    const attempt = delivery.attempt(one, failingStatements(db, 2, /update "(artifacts|generations)"/))
    await pausesPass(2)
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await seen(one)).toBe(after)
  })

  it('that loses the answer to the end of the delivery, or of Telegram, the status still goes away', async () => {
    const lost = failingStatements(db, 1, /update "generations"/, { isExecuted: true })
    for (const answered of [lost, db]) {
      const one = await delivery.made(single)
      if (answered === db) delivery.fault('deleteMessage', broken)
      const attempt = delivery.attempt(one, answered)
      await pausesPass(1)
      expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
      expect([await seen(one), await statusOf(one)]).toEqual(['photo+', undefined])
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
  expect(await seen(one)).toBe('.glb+')
  const kept = await artifactsOf(delivery, one.generation.id)
  finish.open()
  await expect.poll(() => seen(one)).toBe('.glb+ photo')
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

it.each<[string, Order, string, number, string, string]>([
  ['two results', three, 'sendVideo', 1, 'video', 'video video video+'],
  ['an album and its words', album, 'sendMessage', 0, 'photo photo photo', whole],
])('a process that dies between %s leaves the rest', async (_, order, method, after, before, all) => {
  const one = await delivery.made(order)
  const died = dieBefore(method, after)
  void delivery.attempt(one)
  await died
  expect(await seen(one)).toBe(before)
  clock.advance(6 * 60_000)
  expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
  expect(await seen(one)).toBe(all)
})

describe('a process that was suspended past its lease', () => {
  it('sends nothing when it resumes', async () => {
    const [held, resumed] = [gate(), gate()]
    let pausedAnswer: ServerResponse | undefined
    const slow: Serve = (req, res) => {
      if (pausedAnswer) return video(req, res)
      pausedAnswer = res
      held.open()
      void resumed.opened.then(() => video(req, res))
    }
    const one = await delivery.made(videos([slow, video]))
    const paused = delivery.attempt(one)
    await held.opened
    clock.advance(6 * 60_000)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await seen(one)).toBe('video video+')
    resumed.open()
    await paused
    expect(pausedAnswer?.writableEnded).toBe(true)
    expect(await seen(one)).toBe('video video+')
  })

  it('explains neither a failure nor a cancelled order without a status message once more', async () => {
    for (const change of [
      { reason: 'task-failed' },
      { state: 'canceled', reason: 'withdrawn', statusMessageId: null },
    ] as const) {
      const one = await delivery.made(failed)
      await db.update(generations).set(change).where(ofOrder(one))
      const [{ opened, open }, begun] = [gate(), gate()]
      const paused = delivery.attempt(one, delayingStatements(db, /from "artifacts"/, opened, begun.open))
      await begun.opened
      clock.advance(6 * 60_000)
      expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
      expect(await seen(one)).toBe('text+')
      open()
      await paused
      expect(await seen(one)).toBe('text+')
    }
  })

  it('does not overwrite what another process has recorded since', async () => {
    const one = await delivery.made(album)
    await delivery.deliver(one)
    const kept = await artifactsOf(delivery, one.generation.id)
    expect(kept.every(({ messageId }) => messageId !== null)).toBe(true)
    // The other process has sent the whole album again; this is the record of the first album.
    const sent = kept.map(() => ({ message_id: 1 }))
    await recordAlbum({ ...delivery, log: silentLog }, kept, sent)
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
  it.each<[number, string, Order, number, string]>([
    [2, 'a picture is sent as ever', single, 0, 'photo+'],
    [3, 'a picture is sent without a look into it', single, 0, '.png+'],
    [3, 'an album is sent without a look into it', album, 0, '.png .png .png+'],
    [3, 'a 3D model is sent without a look into it', model, 0, '.glb+'],
    [3, 'also after eight failures', single, 8, '.png+'],
    [7, 'a link is sent, also after eight failures', single, 8, 'text+'],
    [1, 'the last attempt is left to the next process', single, 11, 'photo+'],
  ])('%i times: %s', async (processes, _, order, attempts, after) => {
    const one = await delivery.made(order)
    await db.update(generations).set({ attempts }).where(ofOrder(one))
    await abandon(processes)
    const ended = { delivery: 'delivered', refunded: null, lease: null }
    expect(await delivery.attempt(one)).toMatchObject(ended)
    expect(await seen(one)).toBe(after)
    if (processes < 7) return
    expect(await lastWords(one)).toContain(one.data[0]?.url)
    expect(one.asked(0)).toBe(0)
  })

  it('7 times: a file that came within the answer has no link, and is sent without a look into it', async () => {
    const one = await delivery.made(single)
    const url = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`
    await db.update(artifacts).set({ url }).where(eq(artifacts.generationId, one.generation.id))
    await abandon(7)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await seen(one)).toBe('.png+')
  })

  it('11 times is given up, as is an explanation; the result stays, is charged, and can be had from the history', async () => {
    const failure = await delivery.made(failed)
    await abandon(11)
    const given = { state: 'failed', delivery: 'undeliverable', captured: 0n }
    expect(await delivery.attempt(failure)).toMatchObject(given)
    const one = await delivery.made(single)
    await abandon(11)
    const ended = await delivery.attempt(one)
    const kept = { captured: singlePrice, refunded: null, nextCheckAt: null }
    expect(ended).toMatchObject({ ...kept, delivery: 'undeliverable' })
    expect(await seen(one)).toBe('')
    expect(await statusOf(one)).toMatch(/списано 5,28 ₽, но прислать сюда не удалось/)
    expect(JSON.stringify(await undeliveredCheck(db, clock.now()))).toContain(ended.id)
    const place = { chatId: one.anna.id, topicId: null }
    await resend(delivery.deps, ended, place, delivery.deps.texts('ru'))
    expect(await seen(one)).toBe('photo+')
  })

  it('begins the care anew after an outcome', async () => {
    const one = await delivery.made(single)
    await abandon(2)
    delivery.fault('sendPhoto', broken)
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: 3 })
    await abandon(2)
    await delivery.attempt(one)
    expect(await seen(one)).toBe('photo+')
  })
})

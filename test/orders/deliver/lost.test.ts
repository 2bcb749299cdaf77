// Results that are lost, and results that come too late: what they do to sales, to the figures, and to the chat.

import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { generations } from '../../../src/db/schema.ts'
import { salesCheck } from '../../../src/operator/checks.ts'
import { readFigures } from '../../../src/operator/figures.ts'
import { periodOf } from '../../../src/operator/periods.ts'
import { hasResults } from '../../../src/orders/generation.ts'
import { shownStateOf } from '../../../src/orders/history.ts'
import { readStopFact } from '../../../src/sales/sales.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { type Made, type Serve, status } from '../../support/worlds/delivery.ts'
import { taskIs } from '../../support/worlds/generations.ts'
import {
  broken,
  failed,
  lastWords,
  paidBy,
  shown,
  video,
  videos,
  warnings,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock, world } = delivery
const minute = 60_000
const makes = (...files: Serve[]) => delivery.made(videos(files))

describe('results that cannot be downloaded', () => {
  const alarm = async () => (await salesCheck(db, clock.now())).map(({ fact }) => readStopFact(fact))

  it.each([
    [403, 'refused'],
    [503, 'unavailable'],
  ])(
    'of three orders in a row (%i) stop the sales of their model until one is delivered',
    async (code, reason) => {
      clock.advance(25 * 60 * minute)
      const lose = async () => delivery.deliver(await makes(status(code)))
      await lose()
      await delivery.deliver(await makes(video))
      await lose()
      await lose()
      const said = expect.stringMatching(`^127\\.0\\.0\\.1:\\d+: ${reason}$`)
      const stop = { cause: `lost:${videoReel.id}`, said }
      expect(await alarm()).toEqual([{ ...stop, isStopped: false }])
      const third = await makes(status(code))
      for (let tries = 0; tries < 6; tries += 1) await delivery.attemptNext(third)
      expect(await alarm()).toEqual([{ ...stop, isStopped: true }])
      await expect(makes(video)).rejects.toThrow('paused')
      clock.advance(16 * minute)
      expect(await alarm()).toHaveLength(1)
      await delivery.deliver(await makes(video))
      clock.advance(15 * minute)
      expect(await alarm()).toEqual([])
    },
  )

  it('are counted, and the figures have them as failed, with what the gateway charged for them', async () => {
    clock.advance(25 * 60 * minute)
    using counted = vi.spyOn(delivery.deps.metrics.orders, 'lost')
    await delivery.deliver(await makes(status(403)))
    await delivery.deliver(await makes(video, status(404)))
    const figures = await readFigures(db, periodOf(1, clock.now(), 'UTC'))
    expect(figures).toMatchObject({ lost: { count: 2, cost: 184_90n }, refunds: 184_90n, cost: 277_35n })
    expect(figures.models).toMatchObject([{ done: 1, failed: 1 }])
    expect(counted.mock.calls).toEqual(Array(2).fill([videoReel.id, 1]))
  })
})

describe('a result that came after the refund', () => {
  /** An order that failed because its time was over, as the chat was told; then its task completes. */
  async function late(serve: Serve): Promise<Made> {
    const one = await delivery.made({ ...failed, files: [serve] })
    const change = { reason: 'late', said: null } as const
    await db.update(generations).set(change).where(eq(generations.id, one.generation.id))
    await delivery.attempt(one)
    expect(await lastWords(one)).toMatch(/в течение суток, вы получите его бесплатно/)
    clock.advance(13 * minute)
    world.gatewayAnswers(taskIs('completed', { data: one.data }))
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'pending' })
    return one
  }

  it('is delivered with the words that it is free, and is in the history', async () => {
    const one = await late(video)
    const ended = await delivery.attempt(one)
    expect(ended).toMatchObject({ state: 'failed', delivery: 'delivered', refunded: null })
    expect((await shown(one)).at(-1)).toBe('video+')
    expect(await lastWords(one)).toMatch(/после возврата денег, поэтому он бесплатный/)
    expect([shownStateOf(ended), hasResults(ended)]).toEqual(['late', true])
    expect(await paidBy(delivery, one)).toBe(0n)
  })

  it('is explained when it cannot be downloaded, and nothing is refunded twice', async () => {
    const one = await late(status(404))
    delivery.fault('sendMessage', broken)
    expect(await delivery.deliver(one)).toMatchObject({ state: 'failed', delivery: 'undeliverable' })
    expect(one.asked(0), 'the file is not downloaded again when the message about it failed').toBe(6)
    const told = /Файл получить не удалось[\s\S]*возвращены раньше, ничего не списано/
    expect(await warnings(one)).toEqual([expect.stringMatching(told)])
    expect(await paidBy(delivery, one)).toBe(0n)
  })
})

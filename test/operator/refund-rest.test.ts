// An order whose lost files were refunded: an operator refunds the rest, once, and never more than what was charged.

import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { videoReel } from '../../src/catalog/video-reel.ts'
import type { Database } from '../../src/db/client.ts'
import { operatorActions, transfers } from '../../src/db/schema.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { type Allowance, leftOf, refundGeneration } from '../../src/operator/refunds.ts'
import { fileReport, refundReport } from '../../src/operator/reports.ts'
import { findGeneration } from '../../src/orders/confirm.ts'
import { mayReport } from '../../src/orders/generation.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { clip } from '../support/media/media-files.ts'
import { auditedDelivery } from '../support/worlds/audited.ts'
import { file, type Made, status } from '../support/worlds/delivery.ts'

const delivery = await auditedDelivery()

const start = 2000_00n
const good = file(await clip('640x640.mp4'), 'video/mp4')

/** Three videos, of which one is found to be lost when they are delivered. */
const withLostFile = () =>
  delivery.made({
    model: videoReel,
    answers: { positivePrompt: 'a cat', numberResults: 3 },
    files: [good, status(404), good],
  })

/** Of three videos for 277.35 ₽ one is lost, and 92.45 ₽ came back. */
async function partlyRefunded(): Promise<Made> {
  const made = await withLostFile()
  expect(await delivery.deliver(made)).toMatchObject({ captured: 277_35n, refunded: 92_45n })
  return made
}

const deps = { db: delivery.db, clock: delivery.clock }
const refund = ({ generation }: Made) =>
  refundGeneration(deps, { by: 1, generationId: generation.id, reason: 'all are blank' })
const now = async ({ generation: { id, userId } }: Made) => {
  const found = await findGeneration(deps, id, userId)
  if (!found) throw new Error(`no generation ${id}`)
  return found
}
const availableTo = async ({ user }: Made) => (await readBalance(delivery.db, user.id)).available
const refundsOf = async ({ generation: { id } }: Made) => {
  const which = and(eq(transfers.generationId, id), eq(transfers.kind, 'refund'))
  const found = await delivery.db.select().from(transfers).where(which).orderBy(transfers.id)
  return found.map(({ key, amount }) => [key.replace(id, 'id'), amount])
}

it('operators with a limit refund at most that sum a day, also when they refund at once; a day later they may again', async () => {
  const orders: Made[] = []
  for (let at = 0; at < 5; at += 1) orders.push(await partlyRefunded())
  const within = (day: string) => ({ operatorId: 7, day, most: 600_00n })
  const by = (allowance: Allowance, { generation }: Made) =>
    refundGeneration(deps, { by: 7, allowance, generationId: generation.id, reason: 'blank' })
  const today = await Promise.all(orders.map((one) => by(within('2026-11-21'), one)))
  expect(today.filter(({ ok }) => ok)).toHaveLength(3)
  const over = { ok: false, reason: 'over-limit', left: 600_00n - 3n * 184_90n }
  expect(today.filter(({ ok }) => !ok)).toEqual([over, over])
  const refused = orders.find((_, at) => !today[at]?.ok)
  if (!refused) throw new Error('two are refused')
  expect(await availableTo(refused)).toBe(start - 184_90n)
  expect(await by(within('2026-11-22'), refused)).toMatchObject({ ok: true })
  expect(await by(within('2026-11-22'), refused)).toEqual({ ok: false, reason: 'already' })
  expect(await leftOf(delivery.db, within('2026-11-22'))).toBe(600_00n - 184_90n)
})

describe('the rest of a partly refunded order', () => {
  it('is refunded once, with concurrent operators', async () => {
    const made = await partlyRefunded()
    const all = await Promise.all(Array.from({ length: 6 }, () => refund(made)))
    expect(all.filter(({ ok }) => ok)).toMatchObject([{ amount: 184_90n }])
    expect(await refund(made)).toEqual({ ok: false, reason: 'already' })
    expect(await availableTo(made)).toBe(start)
    expect(await refundsOf(made)).toEqual([
      ['refund:id', 92_45n],
      ['refund:id:9245', 184_90n],
    ])
    const subject = `generation:${made.generation.id}`
    const actions = await delivery.db
      .select()
      .from(operatorActions)
      .where(eq(operatorActions.subject, subject))
    expect(actions).toMatchObject([{ action: 'refund', details: { amount: '18490' } }])
  })

  it('is refunded although the delivery refunds the lost files between the reading of the order and the refund', async () => {
    const made = await withLostFile()
    let isDelivered = false
    const execute = async (...given: Parameters<Database['execute']>) => {
      if (!isDelivered) await delivery.deliver(made)
      isDelivered = true
      return delivery.db.execute(...given)
    }
    const db = new Proxy(delivery.db, {
      get: (real, name) => (name === 'execute' ? execute : Reflect.get(real, name)),
    })
    const one = { by: 1, generationId: made.generation.id, reason: 'all are blank' }
    expect(await refundGeneration({ ...deps, db }, one)).toMatchObject({ ok: true, amount: 184_90n })
    expect(await availableTo(made)).toBe(start)
    expect(await refundsOf(made)).toEqual([
      ['refund:id', 92_45n],
      ['refund:id:9245', 184_90n],
    ])
  })

  it('can be reported by its user, and is refunded by the report', async () => {
    const made = await partlyRefunded()
    const { id: generationId, userId } = made.generation
    expect(mayReport(await now(made))).toBe(true)
    const filed = await fileReport({ ...deps, ids: randomIds }, { generationId, userId, said: 'blank' })
    expect(filed && (await refundReport(deps, 1, filed, 'a report'))).toMatchObject({
      ok: true,
      amount: 184_90n,
    })
    expect(await availableTo(made)).toBe(start)
    expect(mayReport(await now(made))).toBe(false)
  })
})

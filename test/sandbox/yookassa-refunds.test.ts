// The list of refunds of the local YooKassa: filters, pages, and refusals of what the documentation does not name.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openPaying, type Paying } from '../support/worlds/payments.ts'

const refundList = z.strictObject({
  type: z.literal('list'),
  items: z.array(z.object({ id: z.string(), payment_id: z.string(), status: z.literal('succeeded') })),
  next_cursor: z.string().optional(),
})

let world: Paying
beforeAll(async () => {
  world = await openPaying()
})
afterAll(() => world.close())

const list = (query: Record<string, string>) =>
  world.asksYookassa('GET', `/refunds?${new URLSearchParams(query)}`)

it('the list is read in pages, newest first, and filtered by time and status', async () => {
  const refunded: string[] = []
  const times: string[] = []
  for (let count = 0; count < 4; count += 1) {
    const { id } = await world.user()
    const { externalId } = await world.link(id, 50_00n)
    await world.decides(externalId, 'pay')
    world.clock.advance(60_000)
    times.push(world.clock.now().toISOString())
    await world.decides(externalId, 'refund')
    refunded.unshift(externalId)
  }
  const listed = async (query: Record<string, string>) => {
    const { items, next_cursor: next } = refundList.parse(await list(query))
    return { payments: items.map(({ payment_id: payment }) => payment), next }
  }
  const first = await listed({ limit: '3' })
  expect(first).toEqual({ payments: refunded.slice(0, 3), next: expect.any(String) })
  const rest = { payments: refunded.slice(3), next: undefined }
  expect(await listed({ limit: '3', cursor: first.next ?? '' })).toEqual(rest)
  expect((await listed({ 'created_at.gte': times[2] ?? '' })).payments).toEqual(refunded.slice(0, 2))
  expect((await listed({ status: 'succeeded' })).payments).toHaveLength(4)
  expect((await listed({ status: 'pending' })).payments).toEqual([])
  for (const wrong of [{ limit: '101' }, { cursor: 'unknown' }, { status: 'done' }, { created_at: 'today' }])
    expect(await list(wrong)).toMatchObject({ type: 'error', code: 'invalid_request' })
})

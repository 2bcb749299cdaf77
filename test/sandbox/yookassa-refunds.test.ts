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
/** The refunded payments, newest first, a minute between two refunds. */
const refunded: string[] = []
let middle: string

beforeAll(async () => {
  world = await openPaying()
  for (let count = 0; count < 12; count += 1) {
    const { id } = await world.user()
    const { externalId } = await world.link(id, 50_00n)
    await world.decides(externalId, 'pay')
    world.clock.advance(60_000)
    if (count === 6) middle = world.clock.now().toISOString()
    await world.decides(externalId, 'refund')
    refunded.unshift(externalId)
  }
})
afterAll(() => world.close())

const list = (query: Record<string, string>) =>
  world.asksYookassa('GET', `/refunds?${new URLSearchParams(query)}`)
const listed = async (query: Record<string, string>) => {
  const { items, next_cursor: next } = refundList.parse(await list(query))
  return { payments: items.map(({ payment_id: payment }) => payment), next }
}

it('the list is read in pages of ten, or of the asked size', async () => {
  const first = await listed({})
  expect(first).toEqual({ payments: refunded.slice(0, 10), next: expect.any(String) })
  expect(await listed({ cursor: first.next ?? '' })).toEqual({
    payments: refunded.slice(10),
    next: undefined,
  })
  expect((await listed({ limit: '3' })).payments).toEqual(refunded.slice(0, 3))
  expect(await listed({ limit: '12' })).toEqual({ payments: refunded, next: undefined })
})

it('the list is filtered by time and status', async () => {
  expect((await listed({ 'created_at.gte': middle, limit: '100' })).payments).toEqual(refunded.slice(0, 6))
  expect((await listed({ status: 'succeeded' })).payments).toHaveLength(10)
  expect((await listed({ status: 'pending' })).payments).toEqual([])
})

it.each([
  ['limit', '0'],
  ['limit', '101'],
  ['cursor', 'unknown'],
  ['status', 'done'],
  ['created_at.gte', 'yesterday'],
  ['created_at', '2026-11-21'],
])('the list refuses %s=%s', async (name, value) => {
  expect(await list({ [name]: value })).toMatchObject({ type: 'error', code: 'invalid_request' })
})

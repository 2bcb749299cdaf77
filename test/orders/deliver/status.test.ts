// What the status message of an order says while the order waits, runs and is delivered, and how its edits are made: one at a time, from
// the newest row, and an outdated one is never the last.

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { generations } from '../../../src/db/schema.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { createStatusUpdates, type StatusNews, updateStatus } from '../../../src/orders/deliver/messages.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import { traced, within } from '../../../src/runtime/log.ts'
import { labelsOf } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import type { Made, Serve } from '../../support/worlds/delivery.ts'
import { gate } from '../../support/worlds/generations.ts'
import { images, pictures, refusal, statusOf, video, videos } from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock, deps, world } = delivery
const minute = 60_000
const calls: string[] = []
/** What edits of texts wait for. */
let editing: Promise<void> | undefined
delivery.api.config.use(async (prev, method, payload, signal) => {
  calls.push(method)
  if (method === 'editMessageText') await editing
  return prev(method, payload, signal)
})

describe('the status of an order', () => {
  const told = async (one: Made, change: Partial<Generation>, usualMs = minute, news: StatusNews = {}) => {
    const times = { usualMs: async () => usualMs, limitMs: async () => minute }
    const row = { ...one.generation, settledAt: null, ...change }
    expect(await updateStatus({ ...deps, times }, row, news)).toBe(true)
    const message = (await one.anna.chat()).find(({ message_id }) => message_id === row.statusMessageId)
    if (!message?.text) throw new Error('the status message is gone')
    return { text: message.text, labels: labelsOf(message) }
  }

  it('says what is held, how long the model usually takes, and until when a slow one is waited for', async () => {
    const one = await delivery.made(videos([video]))
    const slow = /Это дольше обычного. Если до \d\d:\d\d МСК не получится, 92,45.₽ вернутся на баланс./
    const after = (elapsedMs: number) => ({
      state: 'running' as const,
      createdAt: new Date(clock.now().getTime() - elapsedMs),
    })
    const rows: readonly (readonly [Partial<Generation>, number, RegExp, RegExp?])[] = [
      [{ state: 'held' }, 54_000, /^.+\na cat\n⏳ Начинаю · 92,45.₽ · обычно до минуты$/],
      [{ state: 'submitting' }, 28_000, /Начинаю · 92,45.₽ · обычно до полуминуты$/],
      [after(0), minute, /^🕐 В очереди · обычно до минуты · 0:00$/m, slow],
      [{ ...after(0), progress: 'processing' }, 61_000, /^🎬 Снимаю · обычно до 2 минут · 0:00$/m, slow],
      [after(2 * minute), minute, /a cat/, slow],
      [after(3 * minute), minute, slow],
    ]
    for (const [change, usualMs, words, none] of rows) {
      const { text, labels } = await told(one, change, usualMs)
      expect(text).toMatch(words)
      if (none) expect(text).not.toMatch(none)
      expect(labels).toHaveLength(change.state === 'held' ? 1 : 0)
    }
    for (const state of ['held', 'running'] as const) {
      const outageSince = new Date(clock.now().getTime() - 5 * minute)
      const { text } = await told(one, { state }, minute, { outageSince })
      const [since, until] = text.match(/\d\d:\d\d МСК/g) ?? []
      expect(text).toMatch(/уже 5:00/)
      expect(until).not.toBe(since)
    }
    expect(await updateStatus(deps, { ...one.generation, statusMessageId: null })).toBe(true)
    await delivery.deliver(one)
    await clock.asked(1500)
  })
})

/** An order whose file is served when the test says so. */
async function slowOrder() {
  const { opened, open } = gate()
  const slow: Serve = (req, res) => void opened.then(() => video(req, res))
  const one = await delivery.made(videos([slow]))
  calls.length = 0
  return { one, open }
}

describe('a delivery', () => {
  it('whose file is at hand sends one message and deletes the status', async () => {
    const one = await delivery.made(videos([video]))
    calls.length = 0
    await delivery.attempt(one)
    expect(calls).toEqual(['sendVideo', 'deleteMessage'])
    await clock.asked(1500)
  })

  it('that is slow says so once, and shows an upload until it ends, whether Telegram accepts that or not', async () => {
    const { one, open } = await slowOrder()
    delivery.fault('sendChatAction', refusal(400, 'Bad Request: not enough rights'))
    const attempt = delivery.attempt(one)
    await clock.asked(1500)
    clock.advance(1500)
    for (let actions = 1; actions <= 3; actions += 1) {
      await clock.asked(4500)
      clock.advance(4500)
    }
    open()
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(calls.slice(0, 4)).toEqual(['editMessageText', ...Array(3).fill('sendChatAction')])
    const others = calls.filter((method) => method !== 'sendChatAction')
    expect(others).toEqual(['editMessageText', 'sendVideo', 'deleteMessage'])
    const before = calls.length
    clock.advance(minute)
    await new Promise(setImmediate)
    expect(calls).toHaveLength(before)
  })

  it('of an album that is slow is made by its first attempt', async () => {
    const { opened, open } = gate()
    const [picture, other] = pictures
    const one = await delivery.made(images([(req, res) => void opened.then(() => picture(req, res)), other]))
    const attempt = delivery.attempt(one)
    await clock.asked(1500)
    clock.advance(1500)
    await clock.asked(4500)
    open()
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
  })

  it('records what it has sent before its last edit of the status ends: the process may die meanwhile', async () => {
    const { one, open } = await slowOrder()
    const edited = gate()
    editing = edited.opened
    const attempt = delivery.attempt(one)
    await clock.asked(1500)
    clock.advance(1500)
    await expect.poll(() => calls).toContain('editMessageText')
    open()
    const sent = async () => (await artifactsOf(delivery, one.generation.id))[0]?.messageId
    await expect.poll(sent).toEqual(expect.any(Number)).finally(edited.open)
    expect(await attempt).toMatchObject({ delivery: 'delivered' })
    expect(await statusOf(one)).toBeUndefined()
  })

  it('that has lost its lease sends nothing', async () => {
    const setLease = (lease: string | null) =>
      db.update(generations).set({ lease, leaseUntil: null }).where(eq(generations.id, one.generation.id))
    const { one, open } = await slowOrder()
    const attempt = delivery.attempt(one)
    await expect.poll(() => one.asked(0)).toBe(1)
    await setLease('of another process')
    open()
    expect(await attempt).toMatchObject({ delivery: 'pending', lease: 'of another process' })
    expect(calls).not.toContain('sendVideo')
    await setLease(null)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
  })
})

describe('the edits', () => {
  let row: Generation
  beforeAll(async () => {
    const one = await delivery.made(videos([video]))
    row = await delivery.deliver(one)
  })

  /** A queue whose edits end when the test says so. */
  function slowQueue() {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const updates = createStatusUpdates(world.deps, ({ id }) => {
      begun.push(id)
      return new Promise((resolve) => ends.set(id, () => resolve(true)))
    })
    const queue = (...ids: string[]) => ids.forEach((id) => void updates.queue({ ...row, id }))
    const end = async (id: string) => {
      ends.get(id)?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { ...updates, queue, begun, end }
  }

  it('of an order are one at a time, and the last one has the newest row; those of other orders do not wait', async () => {
    const { queue, begun, end, idle } = slowQueue()
    queue('a', 'a', 'a', 'b')
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'a'])
    await end('a')
    await end('b')
    await idle()
    expect(begun).toEqual(['a', 'b', 'a'])
  })

  it('that wait are cancelled, and the one under way is waited for', async () => {
    const { queue, cancel, begun, end } = slowQueue()
    queue('a', 'a')
    let isCancelled = false
    const cancelled = cancel('a')?.then(() => {
      isCancelled = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isCancelled).toBe(false)
    await end('a')
    await cancelled
    expect(begun).toEqual(['a'])
    expect(cancel('never shown')).toBeUndefined()
  })

  it.each([
    ['are repeated when the order has ended', true, 2, [1000, 2000], 3],
    ['are given up after five tries', true, 100, [1000, 2000, 4000, 8000], 5],
    ['are not repeated while the order runs: the next poll shows it', false, 100, [], 1],
  ])('that Telegram does not answer %s', async (_, isEnded, failures, pauses, tries) => {
    const ended = { state: 'failed', delivery: 'delivered', settledAt: new Date() } as const
    let tried = 0
    const updates = createStatusUpdates(world.deps, async () => ++tried > failures)
    updates.queue({ ...row, ...(isEnded ? ended : { state: 'running', settledAt: null }) })
    for (const pauseMs of pauses) {
      await world.clock.asked(pauseMs)
      world.clock.advance(pauseMs)
    }
    await updates.idle()
    expect(tried).toBe(tries)
  })

  it('have the trace of their own order, whatever started them, and their errors end nothing', async () => {
    const seen: unknown[] = []
    const updates = createStatusUpdates(world.deps, async () => {
      seen.push(traced())
      throw new Error('no')
    })
    within({ generation: 'another' }, () => updates.queue(row))
    await updates.idle()
    expect(seen).toMatchObject([within({ generation: row.id }, traced) ?? {}])
  })
})

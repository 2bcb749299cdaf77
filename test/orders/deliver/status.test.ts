// What the status message of an order says while the order waits, runs and is delivered, and how its edits are made: one at a time, from
// the newest row, and an outdated one is never the last. The order ends as one message: a quick result takes the place of the status
// message, and any other is sent below it, which goes away then.

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { createStatusUpdates, type StatusNews, updateStatus } from '../../../src/orders/deliver/messages.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import { deadlineOf, lastLookMs, submitDeadlineMs } from '../../../src/orders/times.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { failingStatements } from '../../support/database/failing.ts'
import { labelsOf } from '../../support/users/user.ts'
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
  speech,
  statusOf,
  track,
  unheard,
  video,
  videos,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock, deps, world } = delivery
const minute = 60_000
const calls: string[] = []
/** What edits of texts wait for. */
let editing: Promise<void> | undefined
/** Called after the next request to Telegram. */
let after: (() => Promise<void>) | undefined
delivery.api.config.use(async (prev, method, payload, signal) => {
  calls.push(method)
  if (method === 'editMessageText') await editing
  const answer = await prev(method, payload, signal)
  const then = after
  after = undefined
  await then?.()
  return answer
})
const change = ({ generation }: Made, set: Partial<Generation>) =>
  db.update(generations).set(set).where(eq(generations.id, generation.id))

const quick = (order: Order) => ({ ...order, quick: true })
const photo = quick(single)
const model = quick(object3d([glb]))
const refused = refusal(400, "Bad Request: message can't be edited")

it('the status says what is held, how long the model usually takes, and until when a slow one is waited for', async () => {
  const one = await delivery.made(videos([video]))
  const told = async (set: Partial<Generation>, usualMs = minute, news: StatusNews = {}) => {
    const times = { usualMs: async () => usualMs, limitMs: async () => minute }
    expect(await updateStatus({ ...deps, times }, { ...one.generation, settledAt: null, ...set }, news)).toBe(
      true,
    )
    const messages = await one.anna.chat()
    const message = messages.find(({ message_id: id }) => id === one.generation.statusMessageId)
    return { text: message?.text ?? '', labels: message ? labelsOf(message) : [] }
  }
  const slow = /Это дольше обычного. Если до \d\d:\d\d МСК не получится, 92,45.₽ вернутся на баланс./
  const running = (elapsedMs: number) =>
    ({ state: 'running', createdAt: new Date(clock.now().getTime() - elapsedMs) }) as const
  const rows: readonly (readonly [Partial<Generation>, number, RegExp, RegExp?])[] = [
    [{ state: 'held' }, 54_000, /^.+\na cat\n⏳ Начинаю · 92,45.₽ · обычно до минуты$/],
    [{ state: 'submitting' }, 30_000, /Начинаю · 92,45.₽ · обычно до полуминуты$/],
    [running(0), minute, /^🕐 В очереди · обычно до минуты · 0:00$/m, slow],
    [{ ...running(0), progress: 'processing' }, 61_000, /^🎬 Снимаю · обычно до 2 минут · 0:00$/m, slow],
    [running(2 * minute), minute, /a cat/, slow],
    [running(3 * minute), minute, slow],
  ]
  for (const [set, usualMs, words, none = /never/] of rows) {
    const { text, labels } = await told(set, usualMs)
    expect(text).toMatch(words)
    expect(text).not.toMatch(none)
    expect(labels).toHaveLength(set.state === 'held' ? 1 : 0)
  }
  for (const [state, untilMs] of [
    ['held', one.generation.createdAt.getTime() + submitDeadlineMs],
    ['running', deadlineOf(one.generation).getTime() + lastLookMs],
  ] as const) {
    const outageSince = new Date(clock.now().getTime() - 5 * minute)
    const { text } = await told({ state }, minute, { outageSince })
    expect(text).toMatch(/уже 5:00/)
    const clockTime = new Intl.DateTimeFormat('ru', { timeStyle: 'short', timeZone: 'Europe/Moscow' })
    expect(text.match(/\d\d:\d\d МСК/g)?.[1]).toBe(`${clockTime.format(untilMs)} МСК`)
  }
  expect(await updateStatus(deps, { ...one.generation, statusMessageId: null })).toBe(true)
  delivery.fault('editMessageText', refused)
  expect(await updateStatus(deps, { ...one.generation, state: 'held' }), 'not repeated').toBe(true)
  calls.length = 0
  await delivery.attempt(one)
  expect(calls, 'a file at hand is one message').toEqual(['sendVideo', 'deleteMessage'])
  await clock.asked(1500)
})

describe('a delivery', () => {
  /** An order whose file is served when the test says so. */
  async function slowOrder() {
    const { opened, open } = gate()
    const slow: Serve = (req, res) => void opened.then(() => pictures[0](req, res))
    const one = await delivery.made(images([slow]))
    calls.length = 0
    return { one, open }
  }

  it('that is slow says so once, and shows an upload until it ends, whether Telegram accepts that or not', async () => {
    const { one, open } = await slowOrder()
    delivery.fault('sendChatAction', refusal(400, 'Bad Request: not enough rights'))
    const attempt = delivery.attempt(one)
    for (const pause of [1500, 4500, 4500, 4500]) {
      await clock.asked(pause)
      clock.advance(pause)
    }
    open()
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(calls.slice(0, 4)).toEqual(['editMessageText', ...Array(3).fill('sendChatAction')])
    const others = calls.filter((method) => method !== 'sendChatAction')
    expect(others).toEqual(['editMessageText', 'sendPhoto', 'deleteMessage'])
    const before = calls.length
    clock.advance(minute)
    await new Promise(setImmediate)
    expect(calls).toHaveLength(before)
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
    const lease = 'of another process'
    const { one, open } = await slowOrder()
    const attempt = delivery.attempt(one)
    await expect.poll(() => one.asked(0)).toBe(1)
    await change(one, { lease, leaseUntil: null })
    open()
    expect(await attempt).toMatchObject({ delivery: 'pending', lease })
    expect(calls).not.toContain('sendPhoto')
    await change(one, { lease: null })
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
  })
})

it.each<[string, Order, Fault | undefined, string, string, number]>([
  ['a video', quick(videos([video])), undefined, 'editMessageMedia', 'video+', 1],
  ['a photo', photo, undefined, 'editMessageMedia', 'photo+', 1],
  ['without an answer', photo, unheard, 'editMessageMedia editMessageText editMessageMedia', 'photo+', 2],
  ['an error', photo, broken, 'editMessageMedia editMessageText editMessageMedia', 'photo+', 2],
  ['refused', photo, refused, 'editMessageMedia sendPhoto deleteMessage', 'photo+', 1],
  ['a 3D model', model, undefined, 'editMessageMedia sendDocument', 'photo .glb+', 1],
  ['it refused', model, refused, 'editMessageMedia sendPhoto sendDocument deleteMessage', 'photo .glb+', 1],
  ['its picture failed', model, broken, 'editMessageMedia sendDocument deleteMessage', '.glb+', 1],
  [
    'a voice, which no edit can make',
    quick(speech([track])),
    undefined,
    'sendVoice deleteMessage',
    'voice+',
    1,
  ],
])('a quick result is one message: %s', async (_, order, fault, methods, seen, attempts) => {
  const one = await delivery.made(order)
  if (fault) delivery.fault('editMessageMedia', fault)
  calls.length = 0
  expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts })
  expect([calls.join(' '), (await shown(one, 'status')).join(' ')]).toEqual([methods, seen])
  const words = attempts === 1 ? /Готово за 0:10 · списано \d/ : /Готово · списано \d/
  expect(await lastWords(one)).toMatch(words)
})

describe('a quick result', () => {
  it('is not sent below when Telegram says that the repeated edit changes nothing', async () => {
    const one = await delivery.made(photo)
    delivery.fault('editMessageMedia', unheard)
    await delivery.attemptNext(one)
    calls.length = 0
    delivery.fault('editMessageMedia', refusal(400, 'Bad Request: message is not modified'))
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
    expect(calls).toEqual(['editMessageMedia'])
    expect(await shown(one, 'status')).toEqual(['photo+'])
  })

  it('that was edited in during an outage of the database is recorded after it, once', async () => {
    const one = await delivery.made(photo)
    const attempt = delivery.attempt(one, failingStatements(db, 2, /update "(artifacts|generations)"/))
    for (let pause = 0; pause < 2; pause += 1) {
      await clock.asked(1000)
      clock.advance(1000)
    }
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one, 'status')).toEqual(['photo+'])
  })

  it('that an earlier attempt has sent, in the status message or below, is neither edited again nor deleted', async () => {
    for (const [order, at] of [
      [photo, 0],
      // Under the rules of an earlier version.
      [single, 0],
      [model, 1],
    ] as const) {
      const one = await delivery.made(order)
      const sent = { messageId: Number(one.generation.statusMessageId) + at, fileId: 'sent' }
      await db.update(artifacts).set(sent).where(eq(artifacts.generationId, one.generation.id))
      calls.length = 0
      expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
      expect(calls).toEqual([])
    }
  })
})

it.each<[string, Order, string[]]>([
  ['a result after a longer wait, since an edit comes without a notification', single, ['photo+']],
  ['several results', quick(videos([video, video])), ['video', 'video+']],
])('is sent below the status, which goes away, with prompt and price once: %s', async (_, order, seen) => {
  const one = await delivery.made(order)
  await delivery.deliver(one)
  expect(await shown(one, 'status')).toEqual(seen)
  const words = (await one.anna.chat()).map(({ text, caption }) => text ?? caption ?? '').join('\n')
  expect(words.includes('нажмите номер')).toBe(seen.length > 1)
  for (const once of [/Готово/g, /a cat|a fox/g, /5,28|184,90/g]) expect(words.match(once)).toHaveLength(1)
})

it('a status that Telegram does not delete stays, and then only says where the result is', async () => {
  const one = await delivery.made(single)
  delivery.fault('deleteMessage', refusal(400, "Bad Request: message can't be deleted"))
  await delivery.deliver(one)
  expect(await statusOf(one)).toBe('👇 Ваш результат')
})

describe('the explanation of a quick failure', () => {
  const explanation = /the cat is wet[\s\S]*92,45/
  const failure = quick(failed)

  it.each([
    ['takes the place of the status message', unheard, 1],
    ['is sent below a status message that cannot be edited', refused, 2],
  ])('%s', async (_, fault, messages) => {
    const one = await delivery.made(failure)
    delivery.fault('editMessageText', fault)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one, 'status')).toHaveLength(messages)
    expect(await lastWords(one)).toMatch(explanation)
  })

  it('replaces an outdated status that was edited in after it', async () => {
    const one = await delivery.made(failure)
    const explained = await delivery.deliver(one)
    await updateStatus(deps, { ...one.generation, state: 'running', settledAt: null })
    expect(await lastWords(one)).not.toMatch(explanation)
    await updateStatus(deps, explained)
    expect(await shown(one, 'status')).toEqual(['text+'])
    expect(await lastWords(one)).toMatch(explanation)
  })

  it('replaces a status that another process edited in before the outcome was written, also that of a cancelled order', async () => {
    for (const [set, words] of [
      [{}, explanation],
      [{ state: 'canceled', reason: 'withdrawn' }, /отмен[\s\S]*92,45/i],
    ] as const) {
      const one = await delivery.made(failure)
      await change(one, { nextCheckAt: clock.now(), ...set })
      calls.length = 0
      after = async () => {
        await updateStatus(deps, { ...one.generation, state: 'held', settledAt: null })
        expect(await lastWords(one)).not.toMatch(words)
      }
      await delivery.deliver(one)
      expect(await lastWords(one)).toMatch(words)
      expect(calls).toEqual(Array(3).fill('editMessageText'))
    }
  })
})

describe('the edits', () => {
  let row: Generation
  beforeAll(async () => {
    row = await delivery.deliver(await delivery.made(single))
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
      await new Promise(setImmediate)
    }
    return { ...updates, queue, begun, end }
  }

  it('of an order are one at a time, and the last one has the newest row; those of other orders do not wait', async () => {
    const { queue, begun, end, idle } = slowQueue()
    queue('a', 'a', 'a', 'b')
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'a'])
    for (const id of ['a', 'b']) await end(id)
    await idle()
    expect(begun).toEqual(['a', 'b', 'a'])
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
})

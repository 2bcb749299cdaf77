// Only results that arrive are charged: a result whose link is dead is fetched again from its link or that of the task, then its price is
// refunded, once, and the chat is told. Extra files are neither charged nor refunded.

import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { artifacts, generations, transfers } from '../../../src/db/schema.ts'
import { refundGeneration } from '../../../src/operator/refunds.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend } from '../../../src/orders/deliver/resend.ts'
import { labelsOf } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made, type Order, type Serve, status } from '../../support/worlds/delivery.ts'
import { gate, taskIs } from '../../support/worlds/generations.ts'
import {
  broken,
  images,
  lastWords,
  object3d,
  paidBy,
  pictures,
  refusal,
  shown,
  song,
  speech,
  statusOf,
  track,
  video,
  videos,
  warnings,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock, world } = delivery
afterEach(() => world.reset())

const [picture] = pictures
const obj = file('o chair\nv 0 0 0\nf 1 1 1\n', 'text/plain')
const srt = file('1\n00:00:00,000 --> 00:00:01,000\nGood morning\n', 'text/plain')
const page = file('<html>', 'text/html')
const minute = 60_000
const price = 92_45n

const makes = (...files: Serve[]) => delivery.made(videos(files))
/** A file that can be had while the condition holds. */
const whenever =
  (isThere: () => boolean, code = 404): Serve =>
  (req, res) =>
    (isThere() ? video : status(code))(req, res)
const refunds = ({ generation: { id } }: Made) => db.$count(transfers, eq(transfers.key, `refund:${id}`))

describe('a file that cannot be had', () => {
  it.each<[string, Serve, number, RegExp]>([
    ['is not found', status(404), 6, /файла нет по выданной нам ссылке/],
    ['is refused by its server', status(403), 6, /сервер, на котором лежит файл, отказался его отдать/],
    ['is a page under the type of a video', file('<html>', 'video/mp4'), 6, /по выданной нам ссылке не файл/],
    ['is an error as text', file('{"error": "expired"}', 'text/plain'), 6, /по выданной нам ссылке не файл/],
    ['is empty', file('', 'video/mp4'), 6, /по выданной нам ссылке не файл/],
    ['has a server that does not answer', status(503), 12, /сервер.*не отдал/],
    [
      'is at an address of our own network',
      (_, res) => void res.writeHead(302, { location: 'http://10.0.0.1/a.mp4' }).end(),
      6,
      /адрес, который мы не открываем/,
    ],
  ])('since it %s, is tried for minutes, then refunded', async (_, serve, attempts, why) => {
    const one = await makes(serve)
    const began = Number(clock.now())
    const ended = await delivery.deliver(one)
    expect(ended).toMatchObject({ delivery: 'undeliverable', attempts, captured: price, refunded: price })
    expect(one.asked(0)).toBe(attempts)
    expect(Number(clock.now()) - began).toBeGreaterThan(180_000)
    expect(await paidBy(delivery, one)).toBe(0n)
    const [told = '', ...more] = await warnings(one)
    expect(more).toEqual([])
    expect(told).toMatch(/Файл получить не удалось[\s\S]*92,45 ₽ возвращены на баланс/)
    expect(told).toMatch(why)
    expect(told).not.toContain('№')
    const again = expect.stringMatching(/^🔁 Ещё раз · /)
    expect((await one.anna.chat()).slice(-1).map(labelsOf)).toEqual([[again, '✏️ Изменить']])
    expect(await statusOf(one)).toMatch(/❌ Не получилось · 92,45 ₽/)
    const moved = await db
      .select()
      .from(transfers)
      .where(eq(transfers.key, `refund:${one.generation.id}`))
    expect(moved).toMatchObject([{ kind: 'refund', amount: price, note: '#refund-lost' }])
  })

  it.each([404, 503])(
    '(%i) more than a day after the settlement is refunded at the first attempt',
    async (code) => {
      const one = await makes(status(code))
      clock.advance(25 * 60 * minute)
      const ended = { delivery: 'undeliverable', attempts: 1, refunded: price }
      expect(await delivery.attempt(one)).toMatchObject(ended)
      expect(await paidBy(delivery, one)).toBe(0n)
      expect(await warnings(one)).toHaveLength(1)
    },
  )

  it('at first is said to be fetched again, arrives later, and its caption then tells no time', async () => {
    let asked = 0
    const one = await makes(whenever(() => ++asked === 6))
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: 1 })
    expect(await lastWords(one)).toMatch(/Готово, но прислать пока не получается/)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 6, refunded: null })
    expect(await lastWords(one)).toMatch(/✅ Готово · списано 92,45/)
    expect(await paidBy(delivery, one)).toBe(price)
    expect(await warnings(one)).toEqual([])
  })

  it('for the first time after five failures of Telegram causes no refund', async () => {
    let isThere = true
    const one = await makes(whenever(() => isThere))
    delivery.fault('sendVideo', broken, 5)
    for (let attempts = 0; attempts < 5; attempts += 1) await delivery.attemptNext(one)
    isThere = false
    expect(await delivery.attemptNext(one)).toMatchObject({ attempts: 6, delivery: 'pending' })
    isThere = true
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
  })

  it('after a pause of more than a day that Telegram asked for is refunded', async () => {
    let isThere = true
    const one = await makes(whenever(() => isThere))
    delivery.fault('sendVideo', { kind: 'error', status: 429, retryAfter: 25 * 3600 })
    await delivery.attemptNext(one)
    isThere = false
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', refunded: price })
  })

  it('until after the refund is not sent by the delivery, and later from the history for free', async () => {
    let isThere = false
    const one = await makes(whenever(() => isThere))
    for (let attempts = 0; attempts < 5; attempts += 1) await delivery.attemptNext(one)
    delivery.fault('sendMessage', broken, 2)
    await delivery.attemptNext(one)
    isThere = true
    const ended = await delivery.deliver(one)
    expect(ended).toMatchObject({ delivery: 'undeliverable', attempts: 8, refunded: price })
    expect(one.asked(0)).toBe(6)
    expect(await refunds(one)).toBe(1)
    expect(await shown(one)).toEqual(['text+'])
    const place = { chatId: one.anna.id, topicId: null }
    for (let times = 0; times < 2; times += 1)
      expect(await resend(delivery.deps, ended, place, delivery.deps.texts('ru'))).toMatchObject({ sent: 1 })
    expect(one.asked(0)).toBe(7)
    expect(await paidBy(delivery, one)).toBe(0n)
  })

  it('is refunded although its user has blocked the bot, which ends the delivery', async () => {
    const one = await makes(status(404))
    delivery.fault('sendMessage', refusal(403, 'Forbidden: bot was blocked by the user'))
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 6 })
    expect(await paidBy(delivery, one)).toBe(0n)
  })

  it('is not refunded after an operator has refunded the order', async () => {
    const one = await makes(video, status(404))
    await delivery.attempt(one)
    const refund = { by: null, generationId: one.generation.id, reason: 'a gift' }
    expect(await refundGeneration({ db, clock }, refund)).toMatchObject({ ok: true })
    expect(await delivery.deliver(one)).toMatchObject({ refunded: 2n * price })
    expect(await paidBy(delivery, one)).toBe(0n)
    expect(await refunds(one)).toBe(1)
  })
})

it('a file that an operator was shown before its delivery is still delivered', async () => {
  const one = await makes(video)
  const elsewhere = { chatId: (await delivery.newUser()).anna.id, topicId: null }
  const seen = await resend(delivery.deps, one.generation, elsewhere, delivery.deps.texts('ru'))
  expect(seen).toMatchObject({ sent: 1 })
  await delivery.deliver(one)
  expect(await shown(one)).toEqual(['video+'])
})

describe('of several files', () => {
  const json = file('{"seed": 7}', 'application/json')
  it.each<[string, Order, bigint | null, bigint, RegExp]>([
    [
      'a result is refunded',
      videos([video, status(404), video]),
      price,
      2n * price,
      /1 из 3[\s\S]*№ 2: .*нет/,
    ],
    ['all results are', videos([status(404), status(404)]), 2n * price, 0n, /2 из 2 файлов, пришло: 0/],
    [
      'each is named with its reason',
      videos([status(404), video, page, status(404)]),
      3n * price,
      price,
      /3 из 4[\s\S]*пришло: 1[\s\S]*№ 1, 4: файла нет[\s\S]*№ 3: по выданной нам ссылке не файл[\s\S]*277,35 ₽/,
    ],
    [
      'a result is, its extras not',
      videos([video, picture, status(404), picture], 2),
      price,
      price,
      /№ 3: .*\s.*92,45/,
    ],
    ['an extra is not', videos([video, status(404), video, picture], 2), null, 2n * price, /№ 2/],
    ['a picture is', images([picture, status(410), picture, json], 3), 5_28n, 10_56n, /№ 2[\s\S]*5,28/],
    ['speech without its sound is', speech([status(404), srt]), 1n, 0n, /1 из 2/],
    ['a model in another format is not', object3d([status(404), obj]), null, 192_00n, /№ 1/],
    [
      'a variant that shares the price is not',
      song([track, status(404)]),
      null,
      6_60n,
      /Списано только за то, что пришло/,
    ],
  ])('%s', async (_, order, refunded, paid, told) => {
    const one = await delivery.made(order)
    const arrives = order.files.filter((serve) =>
      [video, picture, track, srt, obj, json].includes(serve),
    ).length
    await delivery.attempt(one)
    const inChat = async () => (await shown(one)).filter((name) => !name.startsWith('text'))
    expect(await inChat(), 'what can be had is sent at once').toHaveLength(arrives)
    const ended = await delivery.deliver(one)
    expect(ended).toMatchObject({ attempts: 6, delivery: arrives > 0 ? 'delivered' : 'undeliverable' })
    expect(ended.refunded).toBe(refunded)
    expect(await paidBy(delivery, one)).toBe(paid)
    expect(await inChat(), 'and only once').toHaveLength(arrives)
    expect(await warnings(one)).toEqual([expect.stringMatching(told)])
    if (refunded && paid > 0n) expect(await statusOf(one)).toMatch(/списано [\d,]+ ₽, возвращено [\d,]+ ₽/)
  })

  it('dead ones are refunded also when Telegram refuses the others', async () => {
    const one = await makes(status(404), video)
    delivery.fault('sendVideo', broken, 12)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', refunded: price })
    expect(await warnings(one)).toHaveLength(1)
  })

  it.each<[string, Order, readonly number[]]>([
    ['a free one', song([track, status(404)]), [1, 6]],
    // Each attempt tries the pictures together, and then each of them alone.
    ['pictures of an album', images([status(404), status(404)]), [12, 12]],
  ])('%s is not downloaded again when the message about it failed', async (_, order, asked) => {
    const one = await delivery.made(order)
    delivery.fault('sendMessage', broken)
    expect(await delivery.deliver(one)).toMatchObject({ attempts: 7 })
    expect([one.asked(0), one.asked(1)]).toEqual(asked)
    expect(await warnings(one)).toHaveLength(1)
  })

  it('of an order of an earlier version, which have no kind, each counts as a result', async () => {
    const one = await makes(video, status(404))
    await delivery.attempt(one)
    await db.update(artifacts).set({ kind: null }).where(eq(artifacts.generationId, one.generation.id))
    expect(await delivery.deliver(one)).toMatchObject({ refunded: price })
  })
})

it.each<[string, Order, bigint | null]>([
  ['a result', videos([]), price],
  ['a free file', song([track]), null],
])(
  'an attempt whose order another process has taken over neither gives up %s nor tells the chat',
  async (_, order, refunded) => {
    const setLease = (lease: string | null) =>
      db.update(generations).set({ lease, leaseUntil: null }).where(eq(generations.id, one.generation.id))
    const { opened, open } = gate()
    let last = Promise.resolve()
    const dead: Serve = (req, res) => void last.then(() => status(404)(req, res))
    const one = await delivery.made({
      ...order,
      answers: { ...order.answers, ...(refunded && { numberResults: 1 }) },
      files: [...order.files, dead],
    })
    for (let attempts = 0; attempts < 5; attempts += 1) await delivery.attemptNext(one)
    last = opened
    const attempt = delivery.attempt(one)
    await expect.poll(() => one.asked(order.files.length)).toBe(6)
    await setLease('of another process')
    open()
    expect(await attempt).toMatchObject({ lease: 'of another process', delivery: 'pending', refunded: null })
    expect(await warnings(one)).toEqual([])
    expect((await artifactsOf(delivery, one.generation.id)).filter(({ lost }) => lost !== null)).toEqual([])
    await setLease(null)
    expect(await delivery.deliver(one)).toMatchObject({ refunded })
    expect(await warnings(one)).toHaveLength(1)
  },
)

describe('a link that has expired', () => {
  const renewed = ({ data }: Made) => data.map(({ url }) => ({ url: `${url}?new` }))
  /** A file whose link is dead, until it is asked for by a renewed link. */
  const expired =
    (code: number): Serve =>
    (req, res) =>
      (req.url?.endsWith('?new') ? video : status(code))(req, res)

  it.each([
    [403, 5],
    [410, 11],
  ])(
    '(%i) after %i failures of Telegram is renewed from the task, without a refund',
    async (code, failures) => {
      let isExpired = false
      const one = await makes((req, res) => (isExpired ? expired(code) : video)(req, res))
      delivery.fault('sendVideo', broken, failures)
      for (let attempts = 0; attempts < failures; attempts += 1) await delivery.attemptNext(one)
      isExpired = true
      world.requests.length = 0
      world.gatewayAnswers(taskIs('completed', { data: renewed(one) }))
      const whole = { delivery: 'delivered', refunded: null, attempts: failures + 1 }
      expect(await delivery.attempt(one)).toMatchObject(whole)
      expect(world.requests).toEqual([`GET /v1/tasks/${one.generation.taskId}`])
      const kept = renewed(one).map(({ url }) => ({ url, misses: 0 }))
      expect(await artifactsOf(delivery, one.generation.id)).toMatchObject(kept)
    },
  )

  it('is renewed alone among several, unless the task names another number of files', async () => {
    const one = await makes(video, expired(404), expired(404))
    const all = taskIs('completed', { data: renewed(one) })
    world.gatewayAnswers(all, all)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    const urls = (await artifactsOf(delivery, one.generation.id)).map(({ url }) => url)
    expect(urls).toEqual([one.data[0], ...renewed(one).slice(1)].map((link) => link?.url))
    const other = await makes(video, expired(404))
    world.gatewayAnswers(taskIs('completed', { data: renewed(other).slice(1) }))
    expect(await delivery.deliver(other)).toMatchObject({ delivery: 'delivered', refunded: price })
  })

  it('and is still the link of the task is refunded', async () => {
    const one = await makes(status(404))
    world.gatewayAnswers(...Array(6).fill(taskIs('completed', { data: one.data })))
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', refunded: price })
    expect(one.asked(0)).toBe(6)
  })
})

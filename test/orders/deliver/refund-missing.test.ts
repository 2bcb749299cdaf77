// Only results that arrive are charged: a result whose link is dead is fetched again from its link or that of the task, then its price is
// refunded, once, and the chat is told. Extra files are neither charged nor refunded. Lost and late results in sales and figures.

import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { artifacts, generations, transfers } from '../../../src/db/schema.ts'
import { salesCheck } from '../../../src/operator/checks.ts'
import { readFigures } from '../../../src/operator/figures.ts'
import { refundGeneration } from '../../../src/operator/refunds.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend } from '../../../src/orders/deliver/resend.ts'
import { hasResults } from '../../../src/orders/generation.ts'
import { shownStateOf } from '../../../src/orders/history.ts'
import { readStopFact } from '../../../src/sales/sales.ts'
import { labelsOf } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made, type Order, type Serve, status } from '../../support/worlds/delivery.ts'
import { gate, neverLooked, taskIs } from '../../support/worlds/generations.ts'
import { periodOf } from '../../support/worlds/operator.ts'
import {
  broken,
  images,
  lastWords,
  object3d,
  paidBy,
  pictures,
  refusal,
  shown,
  singlePrice,
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
const price = singlePrice
/** The price of a video. */
const reel = 92_45n

const makes = (...files: Serve[]) => delivery.made(images(files))
/** A file that can be had while the condition holds. */
const whenever =
  (isThere: () => boolean, code = 404): Serve =>
  (req, res) =>
    (isThere() ? picture : status(code))(req, res)
const refunds = ({ generation: { id } }: Made) =>
  db
    .select()
    .from(transfers)
    .where(eq(transfers.key, `refund:${id}`))
const change = ({ generation }: Made, set: object) =>
  db.update(generations).set(set).where(eq(generations.id, generation.id))
const again = (one: Made, chatId = one.anna.id) =>
  resend(delivery.deps, one.generation, { chatId, topicId: null }, delivery.deps.texts('ru'))
const attemptsOf = async (one: Made, count: number) => {
  for (let attempts = 0; attempts < count; attempts += 1) await delivery.attemptNext(one)
}
const lost = { delivery: 'undeliverable', refunded: price }
const kept = { delivery: 'delivered', refunded: null }
const notFile = /по выданной нам ссылке не файл/
const ours: Serve = (_, res) => void res.writeHead(302, { location: 'http://10.0.0.1/a.mp4' }).end()

describe('a file that cannot be had', () => {
  it.each<[string, Serve, number, RegExp]>([
    ['is not found', status(404), 6, /файла нет по выданной нам ссылке/],
    ['is refused by its server', status(403), 6, /сервер, на котором лежит файл, отказался его отдать/],
    ['is a page under the type of a picture', file('<html>', 'image/png'), 6, notFile],
    ['is an error as text', file('{"error": "expired"}', 'text/plain'), 6, notFile],
    ['has a server that does not answer', status(503), 12, /сервер.*не отдал/],
    ['is at an address of our own network', ours, 6, /адрес, который мы не открываем/],
  ])('since it %s, is tried for minutes, then refunded', async (_, serve, attempts, why) => {
    const one = await makes(serve)
    const began = Number(clock.now())
    expect(await delivery.deliver(one)).toMatchObject({ ...lost, attempts, captured: price })
    expect(one.asked(0)).toBe(attempts)
    expect(Number(clock.now()) - began).toBeGreaterThan(180_000)
    expect(await paidBy(delivery, one)).toBe(0n)
    const [told = '', ...more] = await warnings(one)
    expect(more).toEqual([])
    expect(told).toMatch(/Файл получить не удалось[\s\S]*5,28 ₽ возвращены на баланс/)
    expect(told).toMatch(why)
    expect(told).not.toContain('№')
    const repeat = expect.stringMatching(/^🔁 Ещё раз · /)
    expect((await one.anna.chat()).slice(-1).map(labelsOf)).toEqual([[repeat, '✏️ Изменить']])
    expect(await statusOf(one)).toMatch(/❌ Не получилось · 5,28 ₽/)
    expect(await refunds(one)).toMatchObject([{ kind: 'refund', amount: price, note: '#refund-lost' }])
  })

  it('more than a day after the settlement, or after a pause that Telegram asked for, is refunded at once', async () => {
    for (const code of [404, 503]) {
      const one = await makes(status(code))
      clock.advance(25 * 60 * minute)
      expect(await delivery.attempt(one)).toMatchObject({ ...lost, attempts: 1 })
      expect(await paidBy(delivery, one)).toBe(0n)
      expect(await warnings(one)).toHaveLength(1)
    }
    let isThere = true
    const paused = await makes(whenever(() => isThere))
    delivery.fault('sendPhoto', { kind: 'error', status: 429, retryAfter: 25 * 3600 })
    await delivery.attemptNext(paused)
    isThere = false
    expect(await delivery.attempt(paused)).toMatchObject(lost)
  })

  it('at first is said to be fetched again, arrives later, and its caption then tells no time', async () => {
    let asked = 0
    using reported = vi.spyOn(delivery.deps.refusals, 'lost')
    const one = await makes(whenever(() => ++asked === 6))
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: 1 })
    expect(await lastWords(one)).toMatch(/Готово, но прислать пока не получается/)
    expect(await delivery.deliver(one)).toMatchObject({ ...kept, attempts: 6 })
    expect(reported).not.toHaveBeenCalled()
    expect(await lastWords(one)).toMatch(/✅ Готово · списано 5,28/)
    expect(await paidBy(delivery, one)).toBe(price)
    expect(await warnings(one)).toEqual([])
  })

  it('for the first time after five failures of Telegram causes no refund', async () => {
    let isThere = true
    const one = await makes(whenever(() => isThere))
    delivery.fault('sendPhoto', broken, 5)
    await attemptsOf(one, 5)
    isThere = false
    expect(await delivery.attemptNext(one)).toMatchObject({ attempts: 6, delivery: 'pending' })
    isThere = true
    expect(await delivery.deliver(one)).toMatchObject(kept)
  })

  it('until after the refund is not sent by the delivery, and later from the history for free', async () => {
    let isThere = false
    const one = await makes(whenever(() => isThere))
    await attemptsOf(one, 5)
    delivery.fault('sendMessage', broken, 2)
    await delivery.attemptNext(one)
    isThere = true
    expect(await delivery.deliver(one)).toMatchObject({ ...lost, attempts: 8 })
    expect(one.asked(0)).toBe(6)
    expect(await refunds(one)).toHaveLength(1)
    expect(await shown(one)).toEqual(['text+'])
    for (let times = 0; times < 2; times += 1) expect(await again(one)).toMatchObject({ sent: 1 })
    expect(one.asked(0)).toBe(7)
    expect(await paidBy(delivery, one)).toBe(0n)
  })

  it('is refunded although its user has blocked the bot, and not after an operator has refunded the order', async () => {
    const one = await makes(status(404))
    delivery.fault('sendMessage', refusal(403, 'Forbidden: bot was blocked by the user'))
    expect(await delivery.deliver(one)).toMatchObject({ ...lost, attempts: 6 })
    expect(await paidBy(delivery, one)).toBe(0n)
    const other = await makes(picture, status(404))
    await delivery.attempt(other)
    const refund = { by: null, generationId: other.generation.id, reason: 'a gift' }
    expect(await refundGeneration({ db, clock }, refund)).toMatchObject({ ok: true })
    expect(await delivery.deliver(other)).toMatchObject({ refunded: 2n * price })
    expect(await paidBy(delivery, other)).toBe(0n)
    expect(await refunds(other)).toHaveLength(1)
  })
})

it('a file that an operator was shown before its delivery is still delivered', async () => {
  const one = await makes(picture)
  expect(await again(one, (await delivery.newUser()).anna.id)).toMatchObject({ sent: 1 })
  await delivery.deliver(one)
  expect(await shown(one)).toEqual(['photo+'])
})

describe('of several files', () => {
  const json = file('{"seed": 7}', 'application/json')
  const [gone, dead] = [status(404), status(410)]
  const each = /3 из 4[\s\S]*пришло: 1[\s\S]*№ 1, 4: файла нет[\s\S]*№ 3: по выданной[\s\S]*277,35 ₽/
  it.each<[string, Order, bigint | null, bigint, RegExp]>([
    ['a result is refunded', videos([video, gone, video]), reel, 2n * reel, /1 из 3[\s\S]*№ 2: .*нет/],
    ['all results are', videos([gone, gone]), 2n * reel, 0n, /2 из 2 файлов, пришло: 0/],
    ['each is named with its reason', videos([gone, video, page, gone]), 3n * reel, reel, each],
    ['extras are not', videos([video, picture, gone, picture], 2), reel, reel, /№ 3: .*\s.*92,45/],
    ['an extra is not', videos([video, gone, video, picture], 2), null, 2n * reel, /№ 2/],
    ['a picture is', images([picture, dead, picture, json], 3), 5_28n, 10_56n, /№ 2[\s\S]*5,28/],
    ['speech without its sound is', speech([gone, srt]), 1n, 0n, /1 из 2/],
    ['a model in another format is not', object3d([gone, obj]), null, 192_00n, /№ 1/],
    ['a variant of the same price is not', song([track, gone]), null, 6_60n, /Списано только за то, что/],
  ])('%s', async (_, order, refunded, paid, told) => {
    const one = await delivery.made(order)
    const good = [video, picture, track, srt, obj, json]
    const arrives = order.files.filter((serve) => good.includes(serve)).length
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
    const one = await makes(gone, picture)
    delivery.fault('sendPhoto', broken, 12)
    expect(await delivery.deliver(one)).toMatchObject(lost)
    expect(await warnings(one)).toHaveLength(1)
  })

  it('none is downloaded again when the message about it failed', async () => {
    for (const [order, asked] of [
      [song([track, gone]), [1, 6]],
      // Each attempt tries the pictures together, and then each of them alone.
      [images([gone, gone]), [12, 12]],
    ] as const) {
      const one = await delivery.made(order)
      delivery.fault('sendMessage', broken)
      expect(await delivery.deliver(one)).toMatchObject({ attempts: 7 })
      expect([one.asked(0), one.asked(1)]).toEqual(asked)
      expect(await warnings(one)).toHaveLength(1)
    }
  })

  it('of an order of an earlier version, which have no kind, each counts as a result', async () => {
    const one = await makes(picture, gone)
    await delivery.attempt(one)
    await db.update(artifacts).set({ kind: null }).where(eq(artifacts.generationId, one.generation.id))
    expect(await delivery.deliver(one)).toMatchObject({ refunded: price })
  })
})

it.each<[string, Order, bigint | null]>([
  ['result', images([], 1), price],
  ['free file', song([track]), null],
])('an attempt that has lost its order gives up no %s and tells nothing', async (_, order, refunded) => {
  const { opened, open } = gate()
  let last = Promise.resolve()
  const dead: Serve = (req, res) => void last.then(() => status(404)(req, res))
  const one = await delivery.made({ ...order, files: [...order.files, dead] })
  await attemptsOf(one, 5)
  last = opened
  const attempt = delivery.attempt(one)
  await expect.poll(() => one.asked(order.files.length)).toBe(6)
  await change(one, { lease: 'of another process', leaseUntil: null })
  open()
  expect(await attempt).toMatchObject({ lease: 'of another process', delivery: 'pending', refunded: null })
  expect(await warnings(one)).toEqual([])
  const files = await artifactsOf(delivery, one.generation.id)
  expect(files.filter((each) => each.lost !== null)).toEqual([])
  await change(one, { lease: null, leaseUntil: null })
  expect(await delivery.deliver(one)).toMatchObject({ refunded })
  expect(await warnings(one)).toHaveLength(1)
})

describe('a link that has expired', () => {
  const renewed = ({ data }: Made) => data.map(({ url }) => ({ url: `${url}?new` }))
  /** A file whose link is dead, until it is asked for by a renewed link. */
  const expired =
    (code: number): Serve =>
    (req, res) =>
      (req.url?.endsWith('?new') ? picture : status(code))(req, res)

  it.each([
    [403, 5],
    [410, 11],
  ])('(%i) after %i failures of Telegram is renewed from the task', async (code, failures) => {
    let isExpired = false
    const one = await makes((req, res) => (isExpired ? expired(code) : picture)(req, res))
    delivery.fault('sendPhoto', broken, failures)
    await attemptsOf(one, failures)
    isExpired = true
    world.requests.length = 0
    world.gatewayAnswers(taskIs('completed', { data: renewed(one) }))
    expect(await delivery.attempt(one)).toMatchObject({ ...kept, attempts: failures + 1 })
    expect(world.requests).toEqual([`GET /v1/tasks/${one.generation.taskId}`])
    const files = renewed(one).map(({ url }) => ({ url, misses: 0 }))
    expect(await artifactsOf(delivery, one.generation.id)).toMatchObject(files)
  })

  it('is renewed alone among several, unless the task names another number of files, or still this link', async () => {
    const one = await makes(picture, expired(404), expired(404))
    const all = taskIs('completed', { data: renewed(one) })
    world.gatewayAnswers(all, all)
    expect(await delivery.attempt(one)).toMatchObject(kept)
    const urls = (await artifactsOf(delivery, one.generation.id)).map(({ url }) => url)
    expect(urls).toEqual([one.data[0], ...renewed(one).slice(1)].map((link) => link?.url))
    const other = await makes(picture, expired(404))
    world.gatewayAnswers(taskIs('completed', { data: renewed(other).slice(1) }))
    expect(await delivery.deliver(other)).toMatchObject({ delivery: 'delivered', refunded: price })
    world.reset()
    const same = await makes(status(404))
    world.gatewayAnswers(...Array(6).fill(taskIs('completed', { data: same.data })))
    expect(await delivery.deliver(same)).toMatchObject(lost)
    expect(same.asked(0)).toBe(6)
  })
})

describe('lost results', () => {
  const alarm = async () => (await salesCheck(db, clock.now())).map(({ fact }) => readStopFact(fact))

  it.each([
    [403, 'refused'],
    [503, 'unavailable'],
  ])('of three orders in a row (%i) stop the sales of their model', async (code, reason) => {
    clock.advance(25 * 60 * minute)
    const lose = async () => delivery.deliver(await makes(status(code)))
    await lose()
    await delivery.deliver(await makes(picture))
    await lose()
    await delivery.attempt(await delivery.made({ ...images([picture]), error: 'too wet' }))
    await change(await makes(picture), { nextCheckAt: neverLooked })
    await lose()
    const said = expect.stringMatching(`^127\\.0\\.0\\.1:\\d+: ${reason}$`)
    const stop = { cause: `lost:${imageDesign.id}`, said }
    expect(await alarm()).toEqual([{ ...stop, isStopped: false }])
    await attemptsOf(await makes(status(code)), 6)
    expect(await alarm()).toEqual([{ ...stop, isStopped: true }])
    await expect(makes(picture)).rejects.toThrow('paused')
    clock.advance(16 * minute)
    expect(await alarm()).toHaveLength(1)
    await delivery.deliver(await makes(picture))
    clock.advance(15 * minute)
    expect(await alarm()).toEqual([])
  })

  it('are counted, and the figures have them as failed, with what the gateway charged for them', async () => {
    clock.advance(25 * 60 * minute)
    using counted = vi.spyOn(delivery.deps.metrics.orders, 'lost')
    await delivery.deliver(await makes(status(403)))
    await delivery.deliver(await makes(picture, status(404)))
    const figures = await readFigures(db, periodOf('today', clock.now(), 'UTC'))
    const sums = { lost: { count: 2, cost: 2n * price }, refunds: 2n * price, cost: 3n * price }
    expect(figures).toMatchObject(sums)
    expect(figures.models).toMatchObject([{ done: 1, failed: 1 }])
    expect(counted.mock.calls).toEqual(Array(2).fill([imageDesign.id, 1]))
  })
})

describe('a result that came after the refund', () => {
  /** An order that failed because its time was over, as the chat was told; then its task completes. */
  async function late(serve: Serve): Promise<Made> {
    const one = await delivery.made({ ...images([serve]), error: 'too slow' })
    await change(one, { reason: 'late', said: null })
    await delivery.attempt(one)
    expect(await lastWords(one)).toMatch(/в течение суток, вы получите его бесплатно/)
    clock.advance(13 * minute)
    world.gatewayAnswers(taskIs('completed', { data: one.data }))
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'pending' })
    return one
  }

  it('is delivered with the words that it is free, and is in the history', async () => {
    const one = await late(picture)
    const ended = await delivery.attempt(one)
    expect(ended).toMatchObject({ ...kept, state: 'failed' })
    expect((await shown(one)).at(-1)).toBe('photo+')
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

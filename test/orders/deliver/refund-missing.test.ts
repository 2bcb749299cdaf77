// Only results that arrive are charged: a result whose link is dead is retried, then its price is refunded, once, and the chat is
// told.

import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { music } from '../../../src/catalog/music.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { generations, transfers } from '../../../src/db/schema.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { salesCheck } from '../../../src/operator/checks.ts'
import { readFigures } from '../../../src/operator/figures.ts'
import { periodOf } from '../../../src/operator/periods.ts'
import { refundGeneration } from '../../../src/operator/refunds.ts'
import { shareOf } from '../../../src/orders/deliver/deliver.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend } from '../../../src/orders/deliver/resend.ts'
import { readStopFact } from '../../../src/sales/sales.ts'
import { clip, colored, makeMp3, makeWav, sine } from '../../support/media/media-files.ts'
import { labelsOf } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { type Delivery, file, type Made, status } from '../../support/worlds/delivery.ts'
import { gate } from '../../support/worlds/generations.ts'

const delivery = await auditedDelivery()

const start = 2000_00n
const good = file(await clip('640x640.mp4'), 'video/mp4')
const picture = file(await colored(64, 64, [9, 99, 9]).png().toBuffer(), 'image/png')
const track = file(await makeMp3(1), 'audio/mpeg')
const broken = { kind: 'error', status: 500, description: 'Internal Server Error' } as const

type Files = Parameters<Delivery['made']>[0]['files']
const videos = (...files: Files) =>
  delivery.made({
    model: videoReel,
    answers: { positivePrompt: 'a cat', numberResults: files.length },
    files,
  })
const available = async ({ user }: Made) => (await readBalance(delivery.db, user.id)).available
const textsOf = async ({ anna }: Made) =>
  (await anna.chat()).flatMap(({ text = '' }) => (text.startsWith('⚠️') ? text : []))
const statusOf = async ({ anna, generation }: Made) =>
  (await anna.chat()).find(({ message_id }) => message_id === generation.statusMessageId)?.text

describe('a link', () => {
  it.each([
    ['that is not found', status(404)],
    ['that is gone', status(410)],
    ['that is forbidden', status(403)],
    ['that is an HTML page', file(Buffer.from('<html>'), 'text/html')],
    ['that is no video despite its type', file(Buffer.from('<html>'), 'video/mp4')],
    ['that is empty', file(Buffer.alloc(0), 'video/mp4')],
  ])('%s is tried six times in three minutes, then the price is refunded', async (_, serve) => {
    const one = await videos(serve)
    const began = Number(delivery.clock.now())
    const ended = await delivery.deliver(one)
    expect(ended).toMatchObject({ attempts: 6, captured: 92_45n, refunded: 92_45n })
    expect(ended.delivery).toBe('undeliverable')
    expect(one.asked(0)).toBe(6)
    expect(Number(delivery.clock.now()) - began).toBeGreaterThan(180_000)
    expect(await available(one)).toBe(start)
    expect(await textsOf(one)).toEqual([
      expect.stringMatching(/Файл получить не удалось[\s\S]*92,45 ₽ возвращены на баланс/),
    ])
    expect((await one.anna.chat()).slice(-1).map(labelsOf)).toEqual([
      [expect.stringMatching(/^🔁 Ещё раз · /), '✏️ Изменить'],
    ])
    expect(await statusOf(one)).toMatch(/❌ Не получилось · 92,45 ₽/)
  })

  it('that works again after a while causes no refund', async () => {
    let asked = 0
    const one = await videos((req, res) => {
      asked += 1
      return asked < 6 ? status(404)(req, res) : good(req, res)
    })
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await available(one)).toBe(start - 92_45n)
    expect(await textsOf(one)).toEqual([])
  })

  it('that fails once after five failures of Telegram causes no refund', async () => {
    let isDead = false
    const one = await videos((req, res) => (isDead ? status(404)(req, res) : good(req, res)))
    delivery.fault('sendVideo', broken, 5)
    for (let attempts = 0; attempts < 5; attempts += 1) await delivery.attemptNext(one)
    isDead = true
    expect(await delivery.attemptNext(one)).toMatchObject({ attempts: 6, delivery: 'pending' })
    isDead = false
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
  })

  it('that works again between the refund and the end of the delivery is not sent: its price is refunded', async () => {
    let asked = 0
    const one = await videos((req, res) => {
      asked += 1
      return asked <= 6 ? status(404)(req, res) : good(req, res)
    })
    delivery.fault('sendMessage', broken, 1)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 7 })
    expect(one.asked(0)).toBe(6)
    expect((await one.anna.chat()).filter(({ video }) => video)).toEqual([])
    expect(await textsOf(one)).toEqual([expect.stringContaining('92,45 ₽ возвращены')])
    expect(await available(one)).toBe(start)
  })

  it('that works again after the refund is sent again for free, and the audit finds nothing', async () => {
    let isBack = false
    const one = await videos((req, res) => (isBack ? good(req, res) : status(404)(req, res)))
    const ended = await delivery.deliver(one)
    expect(ended).toMatchObject({ delivery: 'undeliverable', refunded: 92_45n })
    isBack = true
    const place = { chatId: one.anna.id, topicId: null }
    const resent = () => resend(delivery.deps, ended, place, delivery.deps.texts('ru'))
    expect(await resent()).toMatchObject({ sent: 1, gone: 0 })
    const asked = one.asked(0)
    expect(await resent()).toMatchObject({ sent: 1, gone: 0 })
    expect(one.asked(0)).toBe(asked)
  })

  it('whose file was shown to an operator before its delivery is still delivered', async () => {
    const one = await videos(good)
    const elsewhere = await delivery.newUser()
    const place = { chatId: elsewhere.anna.id, topicId: null }
    const shown = await resend(delivery.deps, one.generation, place, delivery.deps.texts('ru'))
    expect(shown).toMatchObject({ sent: 1 })
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered' })
    expect((await one.anna.chat()).some(({ video }) => video)).toBe(true)
  })

  it('whose server does not answer is retried for longer, then counts as dead', async () => {
    const one = await videos(status(503))
    expect(await delivery.deliver(one)).toMatchObject({ attempts: 12, refunded: 92_45n })
    expect(one.asked(0)).toBe(12)
    expect(await available(one)).toBe(start)
  })

  it.each([
    ['is not found', status(404)],
    ['has a server that does not answer', status(503)],
  ])('that %s more than a day after the settlement is refunded at the first attempt', async (_, serve) => {
    const one = await videos(serve)
    delivery.clock.advance(25 * 3_600_000)
    expect(await delivery.attempt(one)).toMatchObject({
      delivery: 'undeliverable',
      attempts: 1,
      refunded: 92_45n,
    })
    expect(await available(one)).toBe(start)
    expect(await textsOf(one)).toEqual([expect.stringContaining('92,45 ₽ возвращены')])
  })

  it('that dies while Telegram asks for a pause beyond a day is refunded afterwards', async () => {
    let isDead = false
    const one = await videos((req, res) => (isDead ? status(404)(req, res) : good(req, res)))
    delivery.fault('sendVideo', { kind: 'error', status: 429, retryAfter: 25 * 3600 })
    await delivery.attemptNext(one)
    isDead = true
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', refunded: 92_45n })
  })

  it('to a file that is too large for Telegram is sent as a link', async () => {
    const one = await videos((_, res) => {
      res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 51 * 1024 * 1024 }).write('x')
    })
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect((await one.anna.chat()).at(-1)?.text).toMatch(/http:\S+/)
  })
})

describe('results that cannot be downloaded', () => {
  const minute = 60_000
  const { db, clock } = delivery
  const alarm = async () => (await salesCheck(db, clock.now())).map(({ fact }) => readStopFact(fact))

  it.each([
    [403, 'refused'],
    [503, 'unavailable'],
  ])(
    'of three orders in a row (%i) stop the sales of their model until one is delivered',
    async (code, reason) => {
      clock.advance(25 * 60 * minute)
      const lose = async () => delivery.deliver(await videos(status(code)))
      await lose()
      await delivery.deliver(await videos(good))
      await lose()
      await lose()
      const stop = {
        cause: `lost:${videoReel.id}`,
        said: expect.stringMatching(`^127\\.0\\.0\\.1:\\d+: ${reason}$`),
      }
      expect(await alarm()).toEqual([{ ...stop, isStopped: false }])
      const third = await videos(status(code))
      for (let tries = 0; tries < 6; tries += 1) await delivery.attemptNext(third)
      expect(await alarm()).toEqual([{ ...stop, isStopped: true }])
      await expect(videos(good)).rejects.toThrow('paused')
      clock.advance(16 * minute)
      expect(await alarm()).toHaveLength(1)
      await delivery.deliver(await videos(good))
      clock.advance(15 * minute)
      expect(await alarm()).toEqual([])
    },
  )

  it('are counted, and the figures have them as failed, with what the gateway charged for them', async () => {
    clock.advance(25 * 60 * minute)
    using counted = vi.spyOn(delivery.deps.metrics.orders, 'lost')
    await delivery.deliver(await videos(status(403)))
    await delivery.deliver(await videos(good, status(404)))
    const figures = await readFigures(db, periodOf(1, clock.now(), 'UTC'))
    expect(figures).toMatchObject({ lost: { count: 2, cost: 184_90n }, refunds: 184_90n, cost: 277_35n })
    expect(figures.models).toMatchObject([{ done: 1, failed: 1 }])
    expect(counted.mock.calls).toEqual([
      [videoReel.id, 1],
      [videoReel.id, 1],
    ])
  })
})

describe('of several results', () => {
  it('a dead one is refunded, the others are sent at once and only once', async () => {
    const one = await videos(good, status(404), good)
    await delivery.attempt(one)
    expect((await one.anna.chat()).filter(({ video }) => video)).toHaveLength(2)
    const ended = await delivery.deliver(one)
    expect(ended).toMatchObject({ delivery: 'delivered', attempts: 6, refunded: 92_45n, captured: 277_35n })
    expect([one.asked(0), one.asked(1), one.asked(2)]).toEqual([1, 6, 1])
    expect((await one.anna.chat()).filter(({ video }) => video)).toHaveLength(2)
    expect(await available(one)).toBe(start - 184_90n)
    expect(await statusOf(one)).toMatch(/списано 184,90 ₽, возвращено 92,45 ₽/)
  })

  it('pictures are refunded and sent in the same way when too few are left for an album', async () => {
    const one = await delivery.made({
      model: imageDesign,
      answers: { prompt: 'a fox', n: 3 },
      files: [picture, picture, status(410)],
    })
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: 5_28n })
    expect((await one.anna.chat()).filter(({ photo }) => photo)).toHaveLength(2)
    expect(await available(one)).toBe(start - 10_56n)
  })

  it('all are refunded when all are dead', async () => {
    const one = await videos(status(404), status(404))
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', refunded: 184_90n })
    expect(await textsOf(one)).toEqual([
      expect.stringContaining('Не удалось получить 2 из 2 файлов, пришло: 0'),
    ])
  })

  it('one that shares its price with another is not refunded, and the chat is told', async () => {
    const one = await delivery.made({
      model: music,
      answers: { prompt: 'a song about the sea' },
      files: [track, status(404)],
    })
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await available(one)).toBe(start - 6_60n)
    expect(await textsOf(one)).toEqual([expect.stringContaining('Списано только за то, что пришло')])
  })

  it('free ones that were given up are not downloaded again when the message about them failed', async () => {
    const one = await delivery.made({
      model: music,
      answers: { prompt: 'a song about the sea' },
      files: [track, status(404)],
    })
    delivery.fault('sendMessage', broken, 1)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 7 })
    expect(one.asked(1)).toBe(6)
    expect(await textsOf(one)).toHaveLength(1)
  })

  it('dead pictures of an album are not downloaded again when the message about them failed', async () => {
    let asked = 0
    const one = await delivery.made({
      model: imageDesign,
      answers: { prompt: 'a fox', n: 2 },
      files: [0, 1].map(() => (req, res) => {
        asked += 1
        return asked <= 24 ? status(404)(req, res) : picture(req, res)
      }),
    })
    delivery.fault('sendMessage', broken, 1)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', refunded: 10_56n })
    // Each attempt tries the pictures together, and then each of them alone.
    expect([one.asked(0), one.asked(1)]).toEqual([12, 12])
    expect(await available(one)).toBe(start)
  })

  it('dead ones are refunded also when Telegram refuses the others', async () => {
    const one = await videos(status(404), good)
    delivery.fault('sendVideo', broken, 12)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', refunded: 92_45n })
    expect(await textsOf(one)).toHaveLength(1)
  })

  it.each([
    [300n, { lost: 1, files: 3, paid: 3, others: 0 }, 100n],
    [100n, { lost: 1, files: 3, paid: 3, others: 0 }, 34n],
    [100n, { lost: 3, files: 3, paid: 3, others: 0 }, 100n],
    [100n, { lost: 1, files: 2, paid: 1, others: 0 }, 0n],
    [100n, { lost: 1, files: 2, paid: 1, others: 1 }, 100n],
    [100n, { lost: 2, files: 2, paid: 1, others: 0 }, 100n],
    [100n, { lost: 0, files: 1, paid: 1, others: 1 }, 0n],
    [75n, { lost: 1, files: 3, paid: 4, others: 0 }, 25n],
    [75n, { lost: 1, files: 3, paid: 4, others: 2 }, 25n],
    [300n, { lost: 1, files: 6, paid: 3, others: 3 }, 100n],
    [300n, { lost: 1, files: 6, paid: 3, others: 2 }, 0n],
    [300n, { lost: 4, files: 6, paid: 3, others: 1 }, 200n],
  ])('with %s kopecks captured, %o leads to a refund of %s', (captured, counts, share) => {
    expect(shareOf(captured, counts)).toBe(share)
  })
})

it('the refund is zero when no file is missing, everything when all are, and never shrinks with more missing files', () => {
  const order = fc
    .record({ files: fc.integer({ min: 1, max: 20 }), paid: fc.integer({ min: 1, max: 6 }) })
    .chain(({ files, paid }) =>
      fc.record({
        files: fc.constant(files),
        paid: fc.constant(paid),
        lost: fc.integer({ min: 0, max: files }),
        captured: fc.bigInt({ min: 0n, max: 1_000_000n }),
      }),
    )
    .chain((one) => fc.integer({ min: 0, max: one.files - one.lost }).map((others) => ({ ...one, others })))
  fc.assert(
    fc.property(order, ({ captured, ...counts }) => {
      const share = shareOf(captured, counts)
      expect(share >= 0n && share <= captured).toBe(true)
      if (counts.lost === 0) expect(share).toBe(0n)
      if (counts.lost === counts.files) expect(share).toBe(captured)
      if (counts.lost > 0) expect(shareOf(captured, { ...counts, lost: counts.lost - 1 }) <= share).toBe(true)
    }),
  )
})

describe('an attempt whose order another process has taken over', () => {
  const taken = { lease: 'of another process' }
  const setLease = ({ generation }: Made, lease: { lease: string | null; leaseUntil?: null }) =>
    delivery.db.update(generations).set(lease).where(eq(generations.id, generation.id))

  it.each([
    ['a result', videoReel, { positivePrompt: 'a cat' }, [], 92_45n],
    ['a free file', music, { prompt: 'a song about the sea' }, [track], null],
  ])('neither gives up %s nor tells the chat', async (_, model, answers, files, refunded) => {
    const { opened, open } = gate()
    let last = Promise.resolve()
    const dead: Files[number] = (req, res) => void last.then(() => status(404)(req, res))
    const one = await delivery.made({ model, answers, files: [...files, dead] })
    const missing = files.length
    for (let attempts = 0; attempts < 5; attempts += 1) await delivery.attemptNext(one)
    last = opened
    const attempt = delivery.attempt(one)
    await expect.poll(() => one.asked(missing)).toBe(6)
    await setLease(one, taken)
    open()
    expect(await attempt).toMatchObject({ ...taken, delivery: 'pending', refunded: null })
    expect(await textsOf(one)).toEqual([])
    const kept = await artifactsOf(delivery, one.generation.id)
    expect(kept.filter(({ lost }) => lost !== null)).toEqual([])
    await setLease(one, { lease: null, leaseUntil: null })
    expect(await delivery.deliver(one)).toMatchObject({ refunded })
    expect(await textsOf(one)).toHaveLength(1)
  })
})

describe('a refund', () => {
  const refunds = ({ generation: { id } }: Made) =>
    delivery.db.$count(transfers, eq(transfers.key, `refund:${id}`))

  it('whose message failed is announced later, and not made twice', async () => {
    const one = await videos(status(404))
    delivery.fault('sendMessage', broken, 2)
    expect(await delivery.deliver(one)).toMatchObject({ attempts: 8, refunded: 92_45n })
    expect(await textsOf(one)).toEqual([expect.stringContaining('92,45 ₽ возвращены')])
    expect(await refunds(one)).toBe(1)
    expect(await available(one)).toBe(start)
  })

  it('to a user who has blocked the bot is made, and ends the delivery', async () => {
    const one = await videos(status(404))
    delivery.fault('sendMessage', { kind: 'error', status: 403, description: 'Forbidden: blocked' })
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 6 })
    expect(await available(one)).toBe(start)
  })

  it('is not made after an operator has refunded the order', async () => {
    const one = await videos(good, status(404))
    await delivery.attempt(one)
    const { db, clock } = delivery
    const refund = { by: null, generationId: one.generation.id, reason: 'a gift' }
    expect(await refundGeneration({ db, clock }, refund)).toMatchObject({ ok: true })
    expect(await delivery.deliver(one)).toMatchObject({ refunded: 184_90n })
    expect(await available(one)).toBe(start)
    expect(await refunds(one)).toBe(1)
  })

  it('is explained in the statement', async () => {
    const one = await videos(status(404))
    await delivery.deliver(one)
    const found = delivery.db.select().from(transfers).where(eq(transfers.userId, one.user.id))
    const [refunded] = (await found).filter(({ kind }) => kind === 'refund')
    expect(refunded).toMatchObject({ amount: 92_45n, note: '#refund-lost' })
  })
})

describe('speech', () => {
  const speech = (serve: Files[number]) =>
    delivery.made({ model: speechTurbo, answers: { text: 'Good morning' }, files: [serve] })

  it('without a header is treated as raw sound', async () => {
    const sound = makeWav(0.5, sine(300)).subarray(44)
    const one = await speech(file(sound, 'application/octet-stream'))
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect((await one.anna.chat()).at(-1)?.document?.file_name).toMatch(/\.pcm$/)
  })

  it('that is text does not count as a result', async () => {
    const one = await speech(file(Buffer.from('{"error":"too busy"}'), 'application/octet-stream'))
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 6 })
    expect(await available(one)).toBe(start)
  })
})

it('an SVG drawing is sent as a file', async () => {
  const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const one = await delivery.made({
    model: imageDesign,
    answers: { prompt: 'a fox' },
    files: [file(Buffer.from(svg), 'image/svg+xml')],
  })
  expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
  expect((await one.anna.chat()).at(-1)?.document?.file_name).toMatch(/\.svg$/)
})

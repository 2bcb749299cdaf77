// Files of users on their way to the gateway: only a placeholder is stored, it is replaced by the file when the order is submitted,
// and a file that is unavailable costs nothing.

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Attachment } from '../../src/catalog/field.ts'
import {
  callbackStandIn,
  inlineBytes,
  maxInlineBytes,
  needsLinks,
  readStandIn,
  standIn,
  usualPassing,
} from '../../src/catalog/media.ts'
import { quotes } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import type { MediaSource } from '../../src/orders/generation.ts'
import { MediaUnavailable, putMedia } from '../../src/orders/submit.ts'
import { type Answering, json, page, startAnswering, taskCreated } from '../support/gateway/answering.ts'
import { colored } from '../support/media/media-files.ts'
import {
  createWorld,
  type GenerationWorld,
  neverLooked,
  order,
  reread,
  step,
  userWith,
} from '../support/worlds/generations.ts'

const picture = (file: string): Attachment => ({ file, medium: 'image', mime: 'image/png' })
const bytes = await colored(8, 8, [200, 30, 30]).png().toBuffer()
const jpeg = await colored(8, 8, [200, 30, 30]).jpeg().toBuffer()
const inline = `data:image/png;base64,${bytes.toString('base64')}`
const inlineJpeg = `data:image/jpeg;base64,${jpeg.toString('base64')}`

/** A media source with these files by name; all other files are gone. */
function filesOf(known: Record<string, Buffer>, link?: MediaSource['link']) {
  const asked: { file: string; maxBytes: number }[] = []
  const media: MediaSource = {
    async read(file, maxBytes) {
      asked.push({ file, maxBytes })
      const found = known[file]
      return found ? { ok: true, bytes: found } : { ok: false, reason: 'gone' }
    },
    link,
  }
  return { media, asked }
}
const failing = (reason: 'gone' | 'too-large' | 'unavailable' | 'gone-or-unavailable'): MediaSource => ({
  read: async () => ({ ok: false, reason }),
  link: undefined,
})

describe('placeholders', () => {
  it('keep the name, the type and the way of a file, whatever characters its name has', () => {
    const odd = { ...picture('a&b=c#d/é ?'), mime: 'image/svg+xml' }
    expect(readStandIn(standIn(odd, 'link'))).toEqual({ file: odd.file, mime: odd.mime, via: 'link' })
  })

  it.each([
    '',
    'https://example.com/?file=a',
    'http://media.invalid/data?file=a',
    'see https://media.invalid/data',
  ])('are not found in %j', (text) => {
    expect(readStandIn(text)).toBeUndefined()
  })

  it('say whether a link is needed, at any depth', () => {
    const deep = (via: 'data' | 'link') => ({
      a: [{ b: { c: [standIn(picture('a'), via)] } }],
      n: 1,
      t: true,
    })
    expect(needsLinks(deep('link'))).toBe(true)
    expect(needsLinks(deep('data'))).toBe(false)
    expect(needsLinks({ a: 'a link', b: ['https://example.com'] })).toBe(false)
  })
})

describe('the sizes of the files inside a request', () => {
  const of = (bytes: number, via: 'data' | 'link' = 'data') => standIn({ ...picture('a'), bytes }, via)

  it('are summed, without links and without files of unknown size', () => {
    expect(
      inlineBytes({ a: [of(5), { b: of(7) }], c: of(100, 'link'), d: standIn(picture('x'), 'data') }),
    ).toBe(12)
    expect(readStandIn(of(5))).toEqual({ file: 'a', mime: 'image/png', via: 'data' })
  })

  it('that were not known before are bounded when the request is made', async () => {
    const third = Buffer.alloc(usualPassing.maxInlineTotal / 2 - 100)
    const { media } = filesOf({ a: third, b: third, c: third })
    const images = (...names: string[]) => ({
      images: names.map((name) => standIn({ ...picture(name), mime: 'audio/mpeg' }, 'data')),
    })
    expect(await putMedia(media, images('a', 'b'))).toBeDefined()
    await expect(putMedia(media, images('a', 'b', 'c'))).rejects.toMatchObject({
      name: 'MediaUnavailable',
      retry: 'never',
    })
  })
})

it('a request that still contains the placeholder of the callback address is not made', async () => {
  const request = { prompt: 'la', callBackUrl: callbackStandIn }
  await expect(putMedia(filesOf({}).media, request)).rejects.toMatchObject({ name: 'MediaUnavailable' })
})

describe('a request', () => {
  const request = {
    positivePrompt: 'a cat, see https://example.com',
    duration: 5,
    settings: { audio: true },
    inputs: {
      frameImages: [standIn(picture('a'), 'data'), { image: standIn(picture('b'), 'data'), frame: 'last' }],
      referenceImages: [
        { type: 'image', images: [standIn(picture('a'), 'data')], audio: standIn(picture('v'), 'link') },
      ],
    },
  }

  it('gets its files and links, and is otherwise unchanged', async () => {
    const before = structuredClone(request)
    const { media, asked } = filesOf(
      { a: bytes, b: jpeg },
      ({ file, mime }) => `https://we.are/${file}?${mime}`,
    )
    expect(await putMedia(media, request)).toEqual({
      ...request,
      inputs: {
        frameImages: [inline, { image: inlineJpeg, frame: 'last' }],
        referenceImages: [{ type: 'image', images: [inline], audio: 'https://we.are/v?image/png' }],
      },
    })
    expect(request).toEqual(before)
    expect(asked.every(({ maxBytes }) => maxBytes === maxInlineBytes)).toBe(true)
    expect(asked.map(({ file }) => file).toSorted()).toEqual(['a', 'a', 'b'])
  })

  it('gets pictures as links, whatever their size, where the operator says so', async () => {
    const passing = { ...usualPassing, picturesAsLinks: true, maxInlineTotal: 1 }
    const { media, asked } = filesOf({}, ({ file }) => `https://we.are/${file}`)
    expect(await putMedia(media, { frame: standIn({ ...picture('a'), bytes: 9 }, 'data') }, passing)).toEqual(
      {
        frame: 'https://we.are/a',
      },
    )
    expect(asked).toEqual([])
    expect(inlineBytes({ a: standIn({ ...picture('a'), bytes: 9 }, 'data') }, passing)).toBe(0)
  })

  it("is limited by the operator's sizes", async () => {
    const { media, asked } = filesOf({ a: bytes, b: bytes })
    const passing = { ...usualPassing, maxInlineBytes: 1000, maxInlineTotal: bytes.length }
    const frame = standIn(picture('a'), 'data')
    expect(await putMedia(media, { frame }, passing)).toEqual({ frame: inline })
    expect(asked).toEqual([{ file: 'a', maxBytes: 1000 }])
    const both = { frame, last: standIn(picture('b'), 'data') }
    await expect(putMedia(media, both, passing)).rejects.toMatchObject({ name: 'MediaUnavailable' })
  })

  it.each([
    ['a broken picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a PSD', Buffer.from('8BPS\0\x01', 'latin1')],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('with %s is not made, and is tried a few times', async (_, broken) => {
    const { media } = filesOf({ a: broken })
    await expect(putMedia(media, { frame: standIn(picture('a'), 'data') })).rejects.toMatchObject({
      name: 'MediaUnavailable',
      retry: 'few-times',
    })
  })

  it.each([
    ['gone', 'never'],
    ['too-large', 'never'],
    ['unavailable', 'later'],
  ] as const)('with a file that is %s is not made', async (reason, retry) => {
    const failure = await putMedia(failing(reason), request).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MediaUnavailable)
    expect(failure).toMatchObject({ retry })
  })

  it('that needs a link fails without a public address', async () => {
    const failure = await putMedia(filesOf({ a: bytes, b: bytes }).media, request).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ name: 'MediaUnavailable', retry: 'never' })
  })
})

describe('an order with a picture', () => {
  const minute = 60_000
  let base: GenerationWorld
  let gateway: Answering
  beforeAll(async () => {
    base = await createWorld()
    gateway = await startAnswering()
  })
  afterAll(async () => {
    expect(await audit(base.deps.db)).toEqual([])
    await gateway.close()
    await base.close()
  })
  afterEach(async () => {
    await base.deps.db.execute(sql`update generations set next_check_at = ${neverLooked}, task_id = null`)
    base.reset()
    gateway.seen.length = 0
  })

  const around = (media: MediaSource): GenerationWorld => ({
    ...base,
    deps: { ...base.deps, gateway: gateway.gateway, media },
  })
  const ordered = async () => {
    const user = await userWith(base, 500_00n)
    const generation = await order(base, user, { frames: [picture('a'), { ...picture('b'), note: 'last' }] })
    const available = async () => (await readBalance(base.deps.db, user.id)).available
    return { generation, available }
  }

  it('is submitted with the bytes, which are stored nowhere', async () => {
    const { generation } = await ordered()
    gateway.answer(taskCreated)
    await step(around(filesOf({ a: bytes, b: bytes }).media))
    expect(JSON.parse(gateway.seen[0]?.body ?? '').inputs).toEqual({
      frameImages: [inline, { image: inline, frame: 'last' }],
    })
    const after = await reread(base, generation)
    expect(after).toMatchObject({ state: 'running', taskId: 'task-1', request: generation.request })
    const kept = JSON.stringify([
      after.request,
      await base.deps.db.select({ request: quotes.request }).from(quotes),
    ])
    expect(kept).not.toContain(bytes.toString('base64'))
    expect(kept).toContain('media.invalid')
  })

  it.each(['gone', 'too-large'] as const)(
    'fails when the file is %s: nothing is submitted, and the money is returned',
    async (reason) => {
      const { generation, available } = await ordered()
      await step(around(failing(reason)))
      expect(await reread(base, generation)).toMatchObject({
        state: 'failed',
        reason: 'no-file',
        captured: 0n,
      })
      expect(await available()).toBe(500_00n)
      expect(gateway.seen).toEqual([])
      await step(around(failing(reason)))
      expect(base.delivered).toEqual([generation.id])
    },
  )

  it('that is too large for the gateway fails as that, and the money is returned', async () => {
    const { generation, available } = await ordered()
    gateway.answer(page(413))
    await step(around(filesOf({ a: bytes, b: bytes }).media))
    expect(await reread(base, generation)).toMatchObject({ state: 'failed', reason: 'too-large', said: null })
    expect(await available()).toBe(500_00n)
  })

  it('waits while Telegram is unavailable, and nothing is submitted meanwhile', async () => {
    const { generation, available } = await ordered()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await step(around(failing('unavailable')))
      expect(await reread(base, generation)).toMatchObject({
        state: 'held',
        attempts: attempt,
        submittedAt: null,
      })
      base.clock.advance(minute)
    }
    expect(gateway.seen).toEqual([])
    expect(await available()).toBe(407_55n)
    gateway.answer(taskCreated)
    await step(around(filesOf({ a: bytes, b: bytes }).media))
    expect(gateway.seen).toHaveLength(1)
    expect(await reread(base, generation)).toMatchObject({ state: 'running', attempts: 0 })
  })

  it('counts as gone when Telegram does not say for six tries whether it is, and the service is not blamed', async () => {
    const { generation, available } = await ordered()
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await step(around(failing('gone-or-unavailable')))
      expect(await reread(base, generation)).toMatchObject({ state: 'held', attempts: attempt })
      base.clock.advance(minute)
    }
    await step(around(failing('gone-or-unavailable')))
    expect(await reread(base, generation)).toMatchObject({ state: 'failed', reason: 'no-file' })
    expect(await available()).toBe(500_00n)
    expect(gateway.seen).toEqual([])
  })

  it('fails when Telegram stays unavailable for too long, and the money is returned', async () => {
    const { generation, available } = await ordered()
    base.clock.advance(11 * minute)
    await step(around(failing('unavailable')))
    expect(await reread(base, generation)).toMatchObject({ state: 'failed', reason: 'unavailable' })
    expect(await available()).toBe(500_00n)
    expect(gateway.seen).toEqual([])
  })

  it('downloads the picture again for the second submit, when the gateway did not accept the first', async () => {
    const { generation } = await ordered()
    const { media, asked } = filesOf({ a: bytes, b: bytes })
    gateway.answer(json(503, { error: 'closed' }))
    await step(around(media))
    base.clock.advance(minute)
    gateway.answer(taskCreated)
    await step(around(media))
    expect(await reread(base, generation)).toMatchObject({ state: 'running' })
    expect(asked).toHaveLength(4)
    expect(gateway.seen.map(({ body }) => body)).toEqual([gateway.seen[0]?.body, gateway.seen[0]?.body])
  })
})

// Files of users on their way to the gateway: only a placeholder is stored, it is replaced by the file when the order is submitted,
// and a file that is unavailable costs nothing.

import { afterAll, afterEach, describe, expect, it } from 'vitest'
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
import type { MediaSource } from '../../src/orders/generation.ts'
import { MediaUnavailable, putMedia } from '../../src/orders/submit.ts'
import { json, page, startAnswering, taskCreated } from '../support/gateway/answering.ts'
import { colored } from '../support/media/media-files.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { type GenerationWorld, ordered, step } from '../support/worlds/generations.ts'

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

/** Why a request is not made, and when it is tried again. */
const refused = async (...given: Parameters<typeof putMedia>) => {
  const failure: unknown = await putMedia(...given).catch((error: unknown) => error)
  return failure instanceof MediaUnavailable ? failure.retry : failure
}

it('placeholders keep the name, the type, the size and the way of a file, and say at any depth whether links are needed', () => {
  const odd = { ...picture('a&b=c#d/é ?'), mime: 'image/svg+xml' }
  expect(readStandIn(standIn(odd, 'link'))).toEqual({ file: odd.file, mime: odd.mime, via: 'link' })
  const others = ['', 'https://example.com/?file=a', 'http://media.invalid/data?file=a']
  for (const text of [...others, 'see https://media.invalid/data'])
    expect(readStandIn(text), text).toBeUndefined()
  const deep = (via: 'data' | 'link') => ({ a: [{ b: { c: [standIn(picture('a'), via)] } }], n: 1, t: true })
  expect([deep('link'), deep('data'), { a: 'a link', b: ['https://example.com'] }].map(needsLinks)).toEqual([
    true,
    false,
    false,
  ])
  const of = (bytes: number, via: 'data' | 'link' = 'data') => standIn({ ...picture('a'), bytes }, via)
  const all = { a: [of(5), { b: of(7) }], c: of(100, 'link'), d: standIn(picture('x'), 'data') }
  expect(inlineBytes(all), 'links and unknown sizes count nothing').toBe(12)
  expect(inlineBytes(all, { ...usualPassing, picturesAsLinks: true })).toBe(0)
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
    const frame = standIn({ ...picture('a'), bytes: 9 }, 'data')
    expect(await putMedia(media, { frame }, passing)).toEqual({ frame: 'https://we.are/a' })
    expect(asked).toEqual([])
  })

  it("is limited in its size by half of the usual total a file, or by the operator's sizes", async () => {
    const half = Buffer.alloc(usualPassing.maxInlineTotal / 2 - 100)
    const sound = (name: string) => standIn({ ...picture(name), mime: 'audio/mpeg' }, 'data')
    const sounds = filesOf({ a: half, b: half, c: half }).media
    expect(await putMedia(sounds, { sounds: ['a', 'b'].map(sound) })).toBeDefined()
    expect(await refused(sounds, { sounds: ['a', 'b', 'c'].map(sound) })).toBe('never')
    const { media, asked } = filesOf({ a: bytes, b: bytes })
    const passing = { ...usualPassing, maxInlineBytes: 1000, maxInlineTotal: bytes.length }
    const frame = standIn(picture('a'), 'data')
    expect(await putMedia(media, { frame }, passing)).toEqual({ frame: inline })
    expect(asked).toEqual([{ file: 'a', maxBytes: 1000 }])
    expect(await refused(media, { frame, last: standIn(picture('b'), 'data') }, passing)).toBe('never')
  })

  it('is not made without its files, its links or its callback address, and tried again if they may come', async () => {
    const of = (content: Buffer) => filesOf({ a: content }).media
    const frame = { frame: standIn(picture('a'), 'data') }
    const rows = [
      ['a broken picture', of(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')), frame, 'few-times'],
      ['a PSD', of(Buffer.from('8BPS\0\x01', 'latin1')), frame, 'few-times'],
      ['a drawing', of(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), frame, 'few-times'],
      ['a file that is gone', failing('gone'), request, 'never'],
      ['a file that is too large', failing('too-large'), request, 'never'],
      ['a file that is unavailable', failing('unavailable'), request, 'later'],
      ['a link without a public address', filesOf({ a: bytes, b: bytes }).media, request, 'never'],
      ['no address for callbacks', filesOf({}).media, { callBackUrl: callbackStandIn }, 'never'],
    ] as const
    for (const [what, media, of, retry] of rows) expect(await refused(media, of), what).toBe(retry)
  })
})

const minute = 60_000
const base = await auditedWorld()
const gateway = await startAnswering()
afterEach(() => {
  gateway.seen.length = 0
})
afterAll(() => gateway.close())

describe('an order with a picture', () => {
  const around = (media: MediaSource): GenerationWorld => ({
    ...base,
    deps: { ...base.deps, gateway: gateway.gateway, media },
  })
  const pictured = () => ordered(base, { frames: [picture('a'), { ...picture('b'), note: 'last' }] })
  const both = { a: bytes, b: bytes }

  it('is submitted with the bytes, which are stored nowhere', async () => {
    const { generation, now } = await pictured()
    gateway.answer(taskCreated)
    await step(around(filesOf(both).media))
    expect(JSON.parse(gateway.seen[0]?.body ?? '').inputs).toEqual({
      frameImages: [inline, { image: inline, frame: 'last' }],
    })
    const after = await now()
    expect(after).toMatchObject({ state: 'running', taskId: 'task-1', request: generation.request })
    const quoted = await base.deps.db.select({ request: quotes.request }).from(quotes)
    const kept = JSON.stringify([after.request, quoted])
    expect(kept).not.toContain(bytes.toString('base64'))
    expect(kept).toContain('media.invalid')
  })

  it.each<[string, MediaSource, number, object]>([
    ['is gone', failing('gone'), 0, { reason: 'no-file' }],
    ['is too large', failing('too-large'), 0, { reason: 'no-file' }],
    ['stays unavailable for too long', failing('unavailable'), 11 * minute, { reason: 'unavailable' }],
    ['is too large for the gateway', filesOf(both).media, 0, { reason: 'too-large', said: null }],
  ])('fails when its file %s, and the money is returned', async (_, media, afterMs, facts) => {
    const { generation, now, available } = await pictured()
    base.clock.advance(afterMs)
    gateway.answer(page(413))
    await step(around(media))
    expect(await now()).toMatchObject({ state: 'failed', captured: 0n, ...facts })
    expect(await available()).toBe(500_00n)
    expect(gateway.seen).toHaveLength('said' in facts ? 1 : 0)
    await step(around(media))
    expect(base.delivered).toEqual([generation.id])
  })

  it('waits while Telegram is unavailable, and loads its pictures again for each submit', async () => {
    const { now, available } = await pictured()
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      await step(around(failing('unavailable')))
      expect(await now()).toMatchObject({ state: 'held', attempts, submittedAt: null })
      base.clock.advance(minute)
    }
    expect(gateway.seen).toEqual([])
    expect(await available()).toBe(407_55n)
    const { media, asked } = filesOf(both)
    for (const answer of [json(503, { error: 'closed' }), taskCreated]) {
      gateway.answer(answer)
      await step(around(media))
      base.clock.advance(minute)
    }
    expect(await now()).toMatchObject({ state: 'running', attempts: 0 })
    expect(asked).toHaveLength(4)
    expect(gateway.seen.map(({ body }) => body)).toEqual(Array(2).fill(gateway.seen[0]?.body))
  })

  it('counts as gone when Telegram does not say for six tries whether it is, and the service is not blamed', async () => {
    const { now, available } = await pictured()
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      await step(around(failing('gone-or-unavailable')))
      expect(await now()).toMatchObject(attempts < 6 ? { state: 'held', attempts } : { reason: 'no-file' })
      base.clock.advance(minute)
    }
    expect(await available()).toBe(500_00n)
    expect(gateway.seen).toEqual([])
  })
})

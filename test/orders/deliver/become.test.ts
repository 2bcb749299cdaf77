// The order ends as one message: a quick result takes the place of the status message, and any other is sent below it, which goes away
// then. A repeated attempt edits the same message again, so nothing is in the chat twice.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { updateStatus } from '../../../src/orders/deliver/messages.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { failingStatements } from '../../support/database/failing.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import type { Order } from '../../support/worlds/delivery.ts'
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
  speech,
  statusOf,
  track,
  unheard,
  video,
  videos,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock, deps } = delivery
const calls: string[] = []
/** Called after each request to Telegram, with its method. */
let after: ((method: string) => Promise<void>) | undefined
delivery.api.config.use(async (prev, method, payload, signal) => {
  calls.push(method)
  const answer = await prev(method, payload, signal)
  await after?.(method)
  return answer
})

const quick = (order: Order) => ({ ...order, quick: true })
const single = quick(videos([video]))
const model = quick(object3d([glb]))
const failure = quick(failed)
const refused = refusal(400, "Bad Request: message can't be edited")
const unchanged = refusal(400, 'Bad Request: message is not modified')

it.each<[string, Order, Fault | undefined, string[], string[], number]>([
  ['a video', single, undefined, ['editMessageMedia'], ['video+'], 1],
  ['a photo', quick(images(pictures.slice(0, 1))), undefined, ['editMessageMedia'], ['photo+'], 1],
  [
    'a video whose edit gets no answer',
    single,
    unheard,
    ['editMessageMedia', 'editMessageText', 'editMessageMedia'],
    ['video+'],
    2,
  ],
  [
    'a video whose edit meets an error',
    single,
    broken,
    ['editMessageMedia', 'editMessageText', 'editMessageMedia'],
    ['video+'],
    2,
  ],
  [
    'a video whose status cannot be edited',
    single,
    refused,
    ['editMessageMedia', 'sendVideo', 'deleteMessage'],
    ['video+'],
    1,
  ],
  ['a 3D model', model, undefined, ['editMessageMedia', 'sendDocument'], ['photo', '.glb+'], 1],
  [
    'a 3D model whose status cannot be edited',
    model,
    refused,
    ['editMessageMedia', 'sendPhoto', 'sendDocument', 'deleteMessage'],
    ['photo', '.glb+'],
    1,
  ],
  [
    'a 3D model whose picture fails',
    model,
    broken,
    ['editMessageMedia', 'sendDocument', 'deleteMessage'],
    ['.glb+'],
    1,
  ],
  [
    'a voice, which no edit can make',
    quick(speech([track])),
    undefined,
    ['sendVoice', 'deleteMessage'],
    ['voice+'],
    1,
  ],
])(
  'a quick result is one message where Telegram allows it: %s',
  async (_, order, fault, methods, seen, attempts) => {
    const one = await delivery.made(order)
    if (fault) delivery.fault('editMessageMedia', fault)
    calls.length = 0
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts })
    expect(calls).toEqual(methods)
    expect(await shown(one, 'status')).toEqual(seen)
    expect(await lastWords(one)).toMatch(
      attempts === 1 ? /Готово за 0:10 · списано \d/ : /Готово · списано \d/,
    )
  },
)

describe('a quick result', () => {
  it('is not sent below when Telegram says that the repeated edit changes nothing', async () => {
    const one = await delivery.made(single)
    delivery.fault('editMessageMedia', unheard)
    await delivery.attemptNext(one)
    calls.length = 0
    delivery.fault('editMessageMedia', unchanged)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
    expect(calls).toEqual(['editMessageMedia'])
    expect(await shown(one, 'status')).toEqual(['video+'])
  })

  it('that was edited in during an outage of the database is recorded after it, once', async () => {
    const one = await delivery.made(single)
    const attempt = delivery.attempt(one, failingStatements(db, 2, /update "(artifacts|generations)"/))
    for (let pause = 0; pause < 2; pause += 1) {
      await clock.asked(1000)
      clock.advance(1000)
    }
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one, 'status')).toEqual(['video+'])
  })

  it.each([
    ['edited in', single, { inStatus: true }],
    ['edited in under the rules of an earlier version', videos([video]), { inStatus: true }],
    ['sent below its picture, a 3D model', model, { inStatus: false }],
  ])('that an earlier attempt has %s is neither edited again nor deleted', async (_, order, { inStatus }) => {
    const one = await delivery.made(order)
    const messageId = Number(one.generation.statusMessageId) + (inStatus ? 0 : 1)
    const sent = { messageId, fileId: 'sent' }
    await db.update(artifacts).set(sent).where(eq(artifacts.generationId, one.generation.id))
    calls.length = 0
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(calls).toEqual([])
  })

  it('leaves a status that Telegram does not delete, which then only says where the result is', async () => {
    const one = await delivery.made(videos([video]))
    delivery.fault('deleteMessage', refusal(400, "Bad Request: message can't be deleted"))
    await delivery.deliver(one)
    expect(await statusOf(one)).toBe('👇 Ваш результат')
  })
})

it.each<[string, Order, string[]]>([
  ['a result after a longer wait, since an edit comes without a notification', videos([video]), ['video+']],
  ['several results', quick(videos([video, video])), ['video', 'video+']],
])(
  'is sent below the status message, which goes away, and prompt and price are shown once: %s',
  async (_, order, seen) => {
    const one = await delivery.made(order)
    await delivery.deliver(one)
    expect(await shown(one, 'status')).toEqual(seen)
    const words = (await one.anna.chat()).map(({ text, caption }) => text ?? caption ?? '').join('\n')
    for (const once of [/Готово/g, /a cat/g, /92,45|184,90/g]) expect(words.match(once)).toHaveLength(1)
  },
)

describe('the explanation of a quick failure', () => {
  const explanation = /the cat is wet[\s\S]*92,45/

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

  it.each([
    ['', {}, explanation],
    [', as that of a cancelled order,', { state: 'canceled', reason: 'withdrawn' }, /отмен[\s\S]*92,45/i],
  ] as const)(
    '%s replaces a status that another process edited in before the outcome was written',
    async (_, change, words) => {
      const one = await delivery.made(failure)
      const current = { nextCheckAt: clock.now(), ...change }
      await db.update(generations).set(current).where(eq(generations.id, one.generation.id))
      calls.length = 0
      after = async (method) => {
        after = undefined
        expect(method).toBe('editMessageText')
        await updateStatus(deps, { ...one.generation, state: 'held', settledAt: null })
        expect(await lastWords(one)).not.toMatch(words)
      }
      await delivery.deliver(one)
      expect(await lastWords(one)).toMatch(words)
      expect(calls).toEqual(Array(3).fill('editMessageText'))
    },
  )
})

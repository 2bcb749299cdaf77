// A quick result takes the place of the status message, so the order is one message. A repeated attempt edits the same message
// again, so nothing is in the chat twice.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { updateStatus } from '../../../src/orders/deliver/messages.ts'
import { createTimes } from '../../../src/orders/times.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { loadTexts } from '../../../src/texts.ts'
import { failingStatements } from '../../support/database/failing.ts'
import { addShape, clip, colored, cube, glbOf, makeMp3, newModel } from '../../support/media/media-files.ts'
import { labelsOf } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made } from '../../support/worlds/delivery.ts'

const delivery = await auditedDelivery()
const calls: string[] = []
/** Called after each request to Telegram, with its method. */
let after: ((method: string) => Promise<void>) | undefined
delivery.api.config.use(async (prev, method, payload, signal) => {
  calls.push(method)
  const answer = await prev(method, payload, signal)
  await after?.(method)
  return answer
})

const mp4 = file(await clip('640x640.mp4'), 'video/mp4')
const picture = file(await colored(64, 64, [9, 9, 99]).png().toBuffer(), 'image/png')
const chair = newModel()
addShape(chair, cube())
const video = { model: videoReel, answers: { positivePrompt: 'a cat' }, files: [mp4], quick: true }
const image = { model: imageDesign, answers: { prompt: 'a fox' }, files: [picture], quick: true }
const object3d = {
  model: model3d,
  answers: { prompt: 'a chair' },
  files: [file(await glbOf(chair), 'model/gltf-binary')],
  quick: true,
}

/** The kinds of the status message and of the messages below it; `+` for buttons. */
async function shown({ anna, generation }: Made): Promise<string[]> {
  const first = Number(generation.statusMessageId)
  const messages = (await anna.chat()).filter(({ message_id }) => message_id >= first)
  return messages.map((message) => {
    const kind = (['photo', 'video', 'voice', 'document', 'text'] as const).find(
      (one) => message[one] !== undefined,
    )
    return `${kind}${labelsOf(message).length > 0 ? '+' : ''}`
  })
}

const refused: Fault = { kind: 'error', status: 400, description: "Bad Request: message can't be edited" }
const broken: Fault = { kind: 'error', status: 500, description: 'Internal Server Error' }
const unchanged: Fault = { kind: 'error', status: 400, description: 'Bad Request: message is not modified' }
/** Telegram carries out the request, but its answer is lost. */
const unheard: Fault = { kind: 'cut', after: true }

describe('a quick result', () => {
  it.each([
    ['video', video],
    ['photo', image],
  ])('(%s) takes the place of the status message in one request', async (kind, order) => {
    const one = await delivery.made(order)
    calls.length = 0
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(calls).toEqual(['editMessageMedia'])
    expect(await shown(one)).toEqual([`${kind}+`])
    const [message] = (await one.anna.chat()).slice(-1)
    expect(message?.caption).toMatch(/Готово за 0:10 · списано \d/)
  })

  it('is in the chat once when the answer to its edit is lost', async () => {
    const one = await delivery.made(video)
    delivery.fault('editMessageMedia', unheard)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
    expect(await shown(one)).toEqual(['video+'])
  })

  it('is not sent below when Telegram says that the repeated edit changes nothing', async () => {
    const one = await delivery.made(video)
    delivery.fault('editMessageMedia', unheard)
    await delivery.attemptNext(one)
    calls.length = 0
    delivery.fault('editMessageMedia', unchanged)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
    expect(calls).toEqual(['editMessageMedia'])
    expect(await shown(one)).toEqual(['video+'])
  })

  it('that was edited in during an outage of the database is recorded after it, once', async () => {
    const one = await delivery.made(video)
    const attempt = delivery.attempt(
      one,
      failingStatements(delivery.db, 2, /update "(artifacts|generations)"/),
    )
    for (const _ of ['first', 'second']) {
      await delivery.clock.asked(1000)
      delivery.clock.advance(1000)
    }
    expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['video+'])
  })

  it('that meets an error of Telegram is edited in later', async () => {
    const one = await delivery.made(video)
    delivery.fault('editMessageMedia', broken)
    await delivery.deliver(one)
    expect(await shown(one)).toEqual(['video+'])
  })

  it('whose status message cannot be edited is sent below it', async () => {
    const one = await delivery.made(video)
    delivery.fault('editMessageMedia', refused)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['text', 'video+'])
  })

  it('that an earlier attempt has edited in is not edited again', async () => {
    const one = await delivery.made(video)
    const place = { messageId: one.generation.statusMessageId, fileId: 'sent' }
    await delivery.db.update(artifacts).set(place).where(eq(artifacts.generationId, one.generation.id))
    calls.length = 0
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(calls).not.toContain('editMessageMedia')
  })

  it('of a 3D model has its picture in the status message, and the file below it', async () => {
    const one = await delivery.made(object3d)
    calls.length = 0
    await delivery.deliver(one)
    expect(calls).toEqual(['editMessageMedia', 'sendDocument'])
    expect(await shown(one)).toEqual(['photo', 'document+'])
  }, 60_000)

  it('of a 3D model whose status message cannot be edited has its picture and the file below it', async () => {
    const one = await delivery.made(object3d)
    delivery.fault('editMessageMedia', refused)
    await delivery.deliver(one)
    expect(await shown(one)).toEqual(['text', 'photo', 'document+'])
    expect((await one.anna.chat()).at(-3)?.text).toBe('👇 Ваш результат')
  }, 60_000)

  it('of a 3D model whose picture fails is announced by the status message', async () => {
    const one = await delivery.made(object3d)
    delivery.fault('editMessageMedia', broken)
    await delivery.deliver(one)
    expect(await shown(one)).toEqual(['text', 'document+'])
    expect((await one.anna.chat()).at(-2)?.text).toBe('👇 Ваш результат')
  }, 60_000)

  it('that is a voice message, which no edit can make, is sent below the status message', async () => {
    const track = file(await makeMp3(1), 'audio/mpeg')
    const speech = { model: speechTurbo, answers: { text: 'Good morning' }, files: [track], quick: true }
    const one = await delivery.made(speech)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
    expect(await shown(one)).toEqual(['text', 'voice+'])
  })
})

it('a result after a longer wait is a message of its own, since an edit comes without a notification', async () => {
  const one = await delivery.made({ ...video, quick: false })
  await delivery.deliver(one)
  expect(await shown(one)).toEqual(['text', 'video+'])
  const status = (await one.anna.chat()).at(-2)
  expect(status?.text).toBe('👇 Ваш результат')
  const words = (await one.anna.chat()).slice(-2).map(({ text, caption }) => text ?? caption ?? '')
  expect(words.join('\n').match(/Готово/g)).toHaveLength(1)
})

it('several results are sent below the status message, and the prompt and the price are shown once', async () => {
  const one = await delivery.made({
    ...video,
    answers: { positivePrompt: 'a cat', numberResults: 2 },
    files: [mp4, mp4],
  })
  await delivery.deliver(one)
  expect(await shown(one)).toEqual(['text', 'video', 'video+'])
  const words = (await one.anna.chat()).map(({ text, caption }) => text ?? caption ?? '').join('\n')
  expect(words.match(/a cat/g)).toHaveLength(1)
  expect(words.match(/184,90/g)).toHaveLength(1)
})

it('the explanation of a quick failure takes the place of the status message', async () => {
  const one = await delivery.made({ ...video, files: [], error: 'the cat is wet' })
  delivery.fault('editMessageText', unheard)
  await delivery.deliver(one)
  expect(await shown(one)).toEqual(['text+'])
  expect((await one.anna.chat()).at(-1)?.text).toMatch(/the cat is wet[\s\S]*92,45/)
})

it('the explanation of a quick failure whose status message cannot be edited is sent below it', async () => {
  const one = await delivery.made({ ...video, files: [], error: 'the cat is wet' })
  delivery.fault('editMessageText', refused)
  expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
  expect((await one.anna.chat()).at(-1)?.text).toMatch(/the cat is wet[\s\S]*92,45/)
  expect(await shown(one)).toHaveLength(2)
})

it('the explanation of a quick failure replaces an outdated status that was edited in after it', async () => {
  const one = await delivery.made({ ...video, files: [], error: 'the cat is wet' })
  const explained = await delivery.deliver(one)
  const { world, statuses, api, downloads } = delivery
  const deps = { ...world.deps, ...statuses, api, downloads, texts: loadTexts() }
  await updateStatus(deps, { ...one.generation, state: 'running', settledAt: null })
  expect((await one.anna.chat()).at(-1)?.text).not.toContain('the cat is wet')
  await updateStatus(deps, explained)
  expect(await shown(one)).toEqual(['text+'])
  expect((await one.anna.chat()).at(-1)?.text).toMatch(/the cat is wet[\s\S]*92,45/)
})

it.each([
  ['the explanation of a quick failure', {}, /the cat is wet[\s\S]*92,45/],
  ['the end of a cancelled order', { state: 'canceled', reason: 'withdrawn' }, /отмен[\s\S]*92,45/i],
] as const)(
  '%s replaces a status that another process edited in before the outcome was written',
  async (_, change, explanation) => {
    const one = await delivery.made({ ...video, files: [], error: 'the cat is wet' })
    const { world, api, downloads, clock, db } = delivery
    const current = { nextCheckAt: clock.now(), ...change }
    await db.update(generations).set(current).where(eq(generations.id, one.generation.id))
    const ofAnother = { times: createTimes(world.deps) }
    const another = { ...world.deps, ...ofAnother, api, downloads, texts: loadTexts() }
    calls.length = 0
    after = async (method) => {
      after = undefined
      expect(method).toBe('editMessageText')
      await updateStatus(another, { ...one.generation, state: 'held', settledAt: null })
      expect((await one.anna.chat()).at(-1)?.text).not.toMatch(explanation)
    }
    await delivery.deliver(one)
    expect((await one.anna.chat()).at(-1)?.text).toMatch(explanation)
    expect(calls).toEqual(Array(3).fill('editMessageText'))
  },
)

it('the message of a waiting order says how long the model usually takes, once a few orders were delivered', async () => {
  const last = await delivery.made({ ...object3d, files: [], error: 'no' })
  await delivery.deliver(last)
  const orders = [await delivery.made(video), await delivery.made(video), await delivery.made(video)]
  for (const one of orders) await delivery.deliver(one)
  const times = createTimes(delivery.deps)
  expect(await times.usualMs(videoReel.id)).toEqual(expect.any(Number))
  const one = await delivery.made({ ...video, quick: false })
  const { world, statuses, api, downloads } = delivery
  const deps = { ...world.deps, ...statuses, times, api, downloads, texts: loadTexts() }
  expect(await updateStatus(deps, { ...one.generation, statusMessageId: null })).toBe(true)
  await updateStatus(deps, { ...one.generation, state: 'held', settledAt: null })
  expect((await one.anna.chat()).at(-1)?.text).toMatch(/удержано.*\nОбычно готово за \d+ (с|мин)/)
  await updateStatus(deps, { ...one.generation, state: 'submitting', settledAt: null })
  const submitted = (await one.anna.chat()).at(-1)
  expect(submitted?.text).toMatch(/удержано.*\nОбычно готово за \d+ (с|мин)/)
  expect(submitted && labelsOf(submitted)).toEqual([])
  await updateStatus(deps, { ...one.generation, state: 'running', settledAt: null })
  expect((await one.anna.chat()).at(-1)?.text).toMatch(/Обычно готово за \d+ (с|мин)$/)
  await delivery.deliver(one)
})

it.each(['held', 'running'] as const)(
  'the message of a %s order says for how long the gateway has not answered, and until when the bot waits for it',
  async (state) => {
    const one = await delivery.made({ ...video, quick: false })
    const { world, statuses, api, downloads, clock } = delivery
    const deps = { ...world.deps, ...statuses, api, downloads, texts: loadTexts() }
    const outageSince = new Date(clock.now().getTime() - 5 * 60_000)
    await updateStatus(deps, { ...one.generation, state, settledAt: null }, { outageSince })
    const text = (await one.anna.chat()).at(-1)?.text ?? ''
    const [since, until] = text.match(/\d\d:\d\d МСК/g) ?? []
    expect(text).toMatch(/уже 5:00/)
    expect(until).not.toBe(since)
    await delivery.deliver(one)
  },
)

it.each([
  [2_000, 'Обычно готово за 5 с'],
  [12_000, 'Обычно готово за 10 с'],
  [13_000, 'Обычно готово за 15 с'],
  [100_000, 'Обычно готово за 2 мин'],
])('the status of an order that usually takes %i ms says %j', async (usualMs, words) => {
  const one = await delivery.made({ ...video, quick: false })
  const { world, api, downloads } = delivery
  const statuses = { times: { usualMs: async () => usualMs, limitMs: async () => usualMs } }
  const deps = { ...world.deps, ...statuses, api, downloads, texts: loadTexts() }
  await updateStatus(deps, { ...one.generation, state: 'running', settledAt: null })
  expect((await one.anna.chat()).at(-1)?.text).toContain(words)
  await delivery.deliver(one)
})

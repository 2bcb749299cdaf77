// Deliveries that Telegram refuses: every refusal has one meaning, and every delivery ends. What a delivery writes belongs to its own order,
// and within it to the right file: the files of other orders, which wait for their own deliveries, stay as they are.

import { eq, isNull } from 'drizzle-orm'
import { GrammyError } from 'grammy'
import { describe, expect, it } from 'vitest'
import { createNoticeSender } from '../../../src/bot/account/notices.ts'
import {
  artifacts,
  conversationStates,
  conversations,
  drafts,
  generations,
  messageNotes,
  notices,
  turns,
} from '../../../src/db/schema.ts'
import { refundGeneration } from '../../../src/operator/refunds.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { sendOriginals } from '../../../src/orders/deliver/resend.ts'
import { moveChat } from '../../../src/telegram/moved-chat.ts'
import { isAboutFile, isChatClosed, isTopicGone, outcomeOf } from '../../../src/telegram/send.ts'
import { labelsOf, type SandboxMessage } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { type Made, status } from '../../support/worlds/delivery.ts'
import { reread } from '../../support/worlds/generations.ts'
import {
  broken,
  glb,
  images,
  lastWords,
  object3d,
  pictures,
  refusal,
  shown,
  single,
  singlePrice,
  video,
  videos,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock } = delivery

const hour = 3_600_000
const isPhoto = (message: SandboxMessage) => message.photo !== undefined
const methods: string[] = []
delivery.api.config.use((prev, method, payload, signal) => {
  methods.push(method)
  return prev(method, payload, signal)
})

it('every refusal has one meaning: the chat is closed, the topic is gone, or the file is not accepted', () => {
  const rows = [
    [403, 'Forbidden: bot was blocked by the user', 'chat'],
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'chat'],
    [400, 'Bad Request: chat not found', 'chat'],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', 'chat'],
    [400, 'Bad Request: have no rights to send a message', 'chat'],
    [400, 'Bad Request: group chat was upgraded to a supergroup chat', 'chat'],
    [400, 'Bad Request: message thread not found', 'topic'],
    [400, 'Bad Request: TOPIC_CLOSED', 'topic'],
    [400, 'Bad Request: TOPIC_DELETED', 'topic'],
    [400, 'Bad Request: not enough rights to send videos to the chat', 'file'],
    [413, 'Request Entity Too Large', 'file'],
    [401, 'Unauthorized', 'later'],
    [500, 'Internal Server Error', 'later'],
  ] as const
  const found = rows.map(([error_code, description]) => {
    const error = new GrammyError('', { ok: false, error_code, description }, 'sendPhoto', {})
    const meant = { chat: isChatClosed(error), topic: isTopicGone(error), file: isAboutFile(error) }
    const names = Object.entries({ ...meant, later: outcomeOf(error).retry }).filter(([, is]) => is)
    return [error_code, description, names.map(([name]) => name).join()]
  })
  expect(found).toEqual(rows)
})

describe('a flood limit', () => {
  it('delays the delivery, and never counts as a failed attempt', async () => {
    const one = await delivery.made(single)
    delivery.fault('sendPhoto', { kind: 'error', status: 429, retryAfter: 90 }, 13)
    methods.length = 0
    for (let limit = 0; limit < 13; limit += 1) {
      const waiting = await delivery.attempt(one)
      expect(waiting).toMatchObject({ attempts: 0, delivery: 'pending' })
      expect(Number(waiting.nextCheckAt) - Number(clock.now())).toBe(90_000)
      clock.advance(90_000)
    }
    expect(methods, 'the chat is left in peace').not.toContain('editMessageText')
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['photo+'])
  })

  it('that lasts for a day ends the delivery with the first attempt after that day', async () => {
    const one = await delivery.made(single)
    delivery.fault('sendPhoto', { kind: 'error', status: 429, retryAfter: 5 * 3600 }, 6)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 12 })
    const tookMs = Number(clock.now()) - Number(one.generation.settledAt)
    expect(tookMs).toBeGreaterThan(24 * hour)
    expect(tookMs).toBeLessThan(26 * hour)
  })
})

it('a temporary failure of Telegram, a proxy, the connection or the token is retried', async () => {
  const one = await delivery.made(single)
  for (const [fault, times] of [
    [broken, 8],
    [{ kind: 'garbage' }, 1],
    [{ kind: 'cut', after: false }, 1],
    [refusal(401, 'Unauthorized'), 1],
  ] as const)
    delivery.fault('sendPhoto', fault, times)
  expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 12 })
  expect(await shown(one)).toEqual(['photo+'])
})

it('a failure that persists, or a user who has blocked the bot, ends the delivery; the result stays, and is charged', async () => {
  const charged = { delivery: 'undeliverable', refunded: null, captured: singlePrice, nextCheckAt: null }
  const one = await delivery.made(single)
  delivery.fault('sendPhoto', broken, 12)
  expect(await delivery.deliver(one)).toMatchObject({ ...charged, attempts: 12 })
  expect(await lastWords(one)).toMatch(/списано 5,28 ₽, но прислать сюда не удалось/)
  const blocked = await delivery.made(single)
  delivery.fault('sendPhoto', refusal(403, 'Forbidden: bot was blocked by the user'))
  methods.length = 0
  expect(await delivery.attempt(blocked)).toMatchObject(charged)
  expect(methods.filter((method) => method !== 'sendChatAction')).toEqual(['sendPhoto', 'editMessageText'])
  expect(await shown(blocked)).toEqual([])
})

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(delivery.telegram.url + path, init)
  expect(answer.status).toBe(200)
  return answer.json() as Promise<T>
}

it('a result is sent to its topic, and to the chat itself if the topic is gone; a closed chat ends the delivery', async () => {
  const noTopic = refusal(400, 'Bad Request: message thread not found')
  for (const [fault, times, end, isInTopic] of [
    [undefined, 0, 'delivered', true],
    [noTopic, 1, 'delivered', false],
    [refusal(400, 'Bad Request: TOPIC_CLOSED'), 2, 'undeliverable', undefined],
  ] as const) {
    const of = await delivery.newUser()
    const group = { title: 'We', members: [of.anna.id], forum: true }
    const { id } = await post<{ id: number }>('/api/chats', group)
    const topic = { from: of.anna.id, name: 'Cats' }
    const { message_thread_id: topicId } = await post<{ message_thread_id: number }>(
      `/api/chats/${id}/topics`,
      topic,
    )
    const one = await delivery.made({ ...single, of, chat: { chatId: id, topicId } })
    if (fault) delivery.fault('sendPhoto', fault, times)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: end, attempts: 1 })
    const sent = (await of.anna.in(id).chat()).find(isPhoto)
    expect(sent && sent.message_thread_id === topicId).toBe(isInTopic)
    expect(sent ?? {}).not.toHaveProperty('reply_to_message')
  }
})

describe('a group that became a supergroup', () => {
  const groups = async () => {
    const of = await delivery.newUser()
    const group = () => post<{ id: number }>('/api/chats', { title: 'We', members: [of.anna.id] })
    const [{ id: from }, { id: to }] = [await group(), await group()]
    const one = await delivery.made({ ...single, of, chat: { chatId: from, topicId: null } })
    const photosIn = async (id: number) => (await of.anna.in(id).chat()).filter(isPhoto)
    return { of, from, to, one, photosIn }
  }
  const upgraded = 'Bad Request: group chat was upgraded to a supergroup chat'

  it('gets the result in the supergroup, at once and once', async () => {
    const { from, to, one, photosIn } = await groups()
    delivery.fault('sendPhoto', refusal(400, upgraded, { migrateTo: to }))
    const moved = { delivery: 'delivered', attempts: 1, chatId: to, statusMessageId: null }
    expect(await delivery.attempt(one)).toMatchObject(moved)
    expect(await photosIn(from)).toHaveLength(0)
    const [result] = await photosIn(to)
    expect(result?.reply_to_message).toBeUndefined()
  })

  it('whose new id is refused in the same way gets no further attempt', async () => {
    const { to, one, photosIn } = await groups()
    delivery.fault('sendPhoto', refusal(400, upgraded, { migrateTo: to }), 2)
    methods.length = 0
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', nextCheckAt: null })
    expect(methods.filter((method) => method === 'sendPhoto')).toHaveLength(2)
    expect(await photosIn(to)).toEqual([])
  })

  it('gets the notice of a refunded order in the supergroup, once', async () => {
    const { of, to, one } = await groups()
    const { deps } = delivery
    await delivery.attempt(one)
    const refund = { by: 1, generationId: one.generation.id, reason: 'blurred' }
    expect(await refundGeneration(deps, refund)).toMatchObject({ ok: true })
    delivery.fault('sendMessage', refusal(400, upgraded, { migrateTo: to }))
    const sender = createNoticeSender({ ...deps, operator: { contact: undefined } })
    sender.start()
    while ((await db.$count(notices, isNull(notices.doneAt))) > 0) clock.advance(1000)
    await sender.stop()
    const told = (await of.anna.in(to).chat()).map(({ text }) => text)
    expect(told).toEqual([expect.stringContaining('blurred')])
  })

  it('keeps all rows under its new id, without the ids of its messages', async () => {
    const { of, from, to, one } = await groups()
    const [userId, now] = [of.user.id, clock.now()]
    const modes = { thinking: false, search: false, code: false }
    const talk = { userId, modelId: 'm', modes, createdAt: now }
    const closedAt = new Date(5)
    await db.insert(conversations).values([
      { ...talk, id: 'open', chatId: from },
      { ...talk, id: 'closed', chatId: from, closedAt },
      { ...talk, id: 'other', chatId: to * 10 },
    ])
    const ofTurn = { conversationId: 'open', userId, modelId: 'm', question: '?', files: [], sources: [] }
    const messages = { questionMessageId: 1, answerMessageId: 2 }
    const turn = { ...ofTurn, ...messages, id: 'turn', state: 'done', amount: 0n, createdAt: now } as const
    await db.insert(turns).values(turn)
    const keys = [`${from}::7`, `${from}:3:7`, `${to}:3:7`, `${from}1::7`]
    await db.insert(conversationStates).values(keys.map((key) => ({ key, value: {}, updatedAt: now })))
    const note = { messageId: 3, userId, kind: 'history', about: {}, createdAt: now }
    await db.insert(messageNotes).values([from, to * 10].map((chatId) => ({ ...note, chatId })))
    await db.update(drafts).set({ cardMessageId: 4 }).where(eq(drafts.id, one.generation.draftId))
    await delivery.attempt(one)
    for (let time = 0; time < 2; time += 1) await moveChat(db, from, to)
    expect(await db.select().from(conversations).orderBy(conversations.id)).toMatchObject([
      { id: 'closed', chatId: to, closedAt },
      { id: 'open', chatId: to, closedAt: null },
      { id: 'other', chatId: to * 10 },
    ])
    expect(await db.select().from(turns)).toMatchObject([{ questionMessageId: null, answerMessageId: null }])
    const moved = (await db.select().from(conversationStates)).map(({ key }) => key)
    expect(moved.toSorted()).toEqual([`${to}::7`, `${to}:3:7`, `${from}:3:7`, `${from}1::7`].toSorted())
    const [draft] = await db.select().from(drafts).where(eq(drafts.id, one.generation.draftId))
    expect(draft).toMatchObject({ chatId: to, cardMessageId: null })
    expect(await db.select().from(messageNotes)).toMatchObject([{ chatId: to * 10 }])
    await db.delete(turns)
    await db.delete(conversations)
  })
})

const filesOf = ({ generation }: Made) => artifactsOf(delivery, generation.id)
const setDue = ({ generation }: Made, nextCheckAt: Date | null) =>
  db.update(generations).set({ nextCheckAt }).where(eq(generations.id, generation.id))

describe('while another order waits for its delivery, which stays as it is,', () => {
  const album = images(pictures)
  const forget = ({ generation }: Made) =>
    db
      .update(artifacts)
      .set({ fileId: null, originalFileId: null })
      .where(eq(artifacts.generationId, generation.id))

  /** Does the work while an order waits, which is then delivered. */
  async function beside(work: () => Promise<void>) {
    const other = await delivery.made(album)
    await setDue(other, null)
    const before = await filesOf(other)
    await work()
    expect(await filesOf(other)).toEqual(before)
    expect(await reread(delivery.world, other.generation)).toMatchObject({ refunded: null })
    await setDue(other, clock.now())
    await delivery.deliver(other)
    expect((await other.anna.chat()).filter(({ photo }) => photo)).toHaveLength(3)
  }

  it('an album and its caption are recorded for their own order, each picture with its own message and file', () =>
    beside(async () => {
      const one = await delivery.made(album)
      await delivery.deliver(one)
      const chat = (await one.anna.chat()).slice(-4)
      expect(chat.slice(3).flatMap(labelsOf).slice(0, 3)).toEqual(['1', '2', '3'])
      const recorded = await filesOf(one)
      expect(recorded.map(({ messageId }) => messageId)).toEqual([0, 1, 3].map((at) => chat[at]?.message_id))
      const files = chat.slice(0, 3).map(({ photo }) => photo?.at(-1)?.file_id)
      expect(recorded.map(({ fileId }) => fileId)).toEqual(files)
      await forget(one)
      methods.length = 0
      expect(await sendOriginals(delivery.deps, one.generation, one.generation)).toMatchObject({ sent: 3 })
      expect(methods).toContain('sendChatAction')
      const originals = (await one.anna.chat()).flatMap(({ document }) => document?.file_id ?? [])
      expect((await filesOf(one)).map(({ originalFileId }) => originalFileId)).toEqual(originals)
    }))

  it('the picture of a 3D model is recorded for this model, and a missing file is given up and refunded alone', () =>
    beside(async () => {
      const model = await delivery.made(object3d([glb]))
      delivery.fault('sendDocument', broken)
      await delivery.deliver(model)
      const one = await delivery.made(videos([video, status(404)]))
      await delivery.deliver(one)
      expect(await filesOf(one)).toMatchObject([
        { lost: null, misses: 0 },
        { lost: 'gone', misses: 6 },
      ])
    }))
})

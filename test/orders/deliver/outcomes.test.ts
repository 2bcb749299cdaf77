// Deliveries that Telegram refuses: every refusal has one meaning, and every delivery ends.

import { eq, isNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createNoticeSender } from '../../../src/bot/account/notices.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import {
  conversationStates,
  conversations,
  drafts,
  messageNotes,
  notices,
  topUps,
  turns,
} from '../../../src/db/schema.ts'
import { refundGeneration } from '../../../src/operator/refunds.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { moveChat } from '../../../src/telegram/moved-chat.ts'
import { clip } from '../../support/media/media-files.ts'
import type { SandboxMessage } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file } from '../../support/worlds/delivery.ts'

const delivery = await auditedDelivery()
const video = file(await clip('640x640.mp4'), 'video/mp4')

const hour = 3_600_000
const ordered = { model: videoReel, answers: { positivePrompt: 'a cat' }, files: [video] }
const refusal = (code: number, description: string, more = {}): Fault => ({
  kind: 'error',
  status: code,
  description,
  ...more,
})
const isVideo = (message: SandboxMessage) => message.video !== undefined
const calls = (methods: readonly string[]) => methods.filter((method) => method !== 'sendChatAction')

/** Records the methods of all calls to Telegram. */
function watch(): { readonly methods: string[]; stop(): void } {
  const methods: string[] = []
  delivery.api.config.use((prev, method, payload, signal) => {
    methods.push(method)
    return prev(method, payload, signal)
  })
  return { methods, stop: () => void methods.splice(0) }
}

describe('a flood limit', () => {
  it('delays the delivery, and never counts as a failed attempt', async () => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', { kind: 'error', status: 429, retryAfter: 90 }, 15)
    for (let limit = 0; limit < 15; limit += 1) {
      const waiting = await delivery.attempt(one)
      expect(waiting).toMatchObject({ attempts: 0, delivery: 'pending' })
      expect(Number(waiting.nextCheckAt) - Number(delivery.clock.now())).toBe(90_000)
      delivery.clock.advance(90_000)
    }
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect((await one.anna.chat()).filter(isVideo)).toHaveLength(1)
  })

  it('that lasts for a day ends the delivery with the first attempt after that day', async () => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', { kind: 'error', status: 429, retryAfter: 5 * 3600 }, 6)
    const settledAt = Number(one.generation.settledAt)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 12 })
    expect(Number(delivery.clock.now()) - settledAt).toBeGreaterThan(24 * hour)
    expect(Number(delivery.clock.now()) - settledAt).toBeLessThan(26 * hour)
  })
})

describe('a temporary failure', () => {
  it.each([
    ['of Telegram', refusal(500, 'Internal Server Error')],
    ['of a proxy', { kind: 'garbage' } as const],
    ['of the connection', { kind: 'cut', after: false } as const],
    ['of the bot token', refusal(401, 'Unauthorized')],
  ])('%s is retried', async (_, fault) => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', fault, 11)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 12 })
    expect((await one.anna.chat()).filter(isVideo)).toHaveLength(1)
  })

  it('that persists is given up; the result stays, and is charged', async () => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', refusal(500, 'Internal Server Error'), 12)
    expect(await delivery.deliver(one)).toMatchObject({
      delivery: 'undeliverable',
      attempts: 12,
      refunded: null,
      captured: 92_45n,
    })
    expect((await one.anna.chat()).at(-1)?.text).toMatch(/списано 92,45 ₽, но результат не удалось доставить/)
  })
})

describe('a chat that cannot be written to', () => {
  it.each([
    [403, 'Forbidden: bot was blocked by the user'],
    [403, 'Forbidden: user is deactivated'],
    [403, 'Forbidden: bot was kicked from the supergroup chat'],
    [403, 'Forbidden: bot is not a member of the supergroup chat'],
    [400, 'Bad Request: chat not found'],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN'],
    [400, 'Bad Request: have no rights to send a message'],
  ])('(%i %s) ends the delivery at once, after one refusal', async (code, description) => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', refusal(code, description))
    const { methods, stop } = watch()
    const ended = await delivery.attempt(one)
    expect(ended).toMatchObject({ delivery: 'undeliverable', nextCheckAt: null, refunded: null })
    expect(calls(methods)).toEqual(['sendVideo', 'editMessageText'])
    stop()
    expect((await one.anna.chat()).filter(isVideo)).toHaveLength(0)
  })

  it('only with videos gets a link', async () => {
    const one = await delivery.made(ordered)
    const forbidden = refusal(400, 'Bad Request: not enough rights to send videos to the chat')
    delivery.fault('sendVideo', forbidden)
    delivery.fault('sendDocument', forbidden)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect((await one.anna.chat()).at(-1)?.text).toMatch(/http:\/\/\S+\/\d+/)
  })
})

describe('a topic', () => {
  it.each(['message thread not found', 'TOPIC_CLOSED', 'TOPIC_DELETED'])(
    'that is gone (%s): the result is sent to the chat itself',
    async (text) => {
      const of = await delivery.newUser()
      const { id, topic } = await forum(of.anna.id)
      const one = await delivery.made({ ...ordered, of, chat: { chatId: id, topicId: topic } })
      delivery.fault('sendVideo', refusal(400, `Bad Request: ${text}`))
      expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
      const sent = (await of.anna.in(id).chat()).find(isVideo)
      expect(sent).toBeDefined()
      expect(sent).not.toHaveProperty('message_thread_id')
      expect(sent).not.toHaveProperty('reply_to_message')
    },
  )

  it('that is closed in a chat that is closed as well ends the delivery at once', async () => {
    const of = await delivery.newUser()
    const { id, topic } = await forum(of.anna.id)
    const one = await delivery.made({ ...ordered, of, chat: { chatId: id, topicId: topic } })
    delivery.fault('sendVideo', refusal(400, 'Bad Request: TOPIC_CLOSED'), 2)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', attempts: 1 })
    expect((await of.anna.in(id).chat()).filter(({ document }) => document)).toEqual([])
  })

  it('gets the result as a reply to the status message', async () => {
    const of = await delivery.newUser()
    const { id, topic } = await forum(of.anna.id)
    const one = await delivery.made({ ...ordered, of, chat: { chatId: id, topicId: topic } })
    await delivery.attempt(one)
    expect((await of.anna.in(id).chat()).find(isVideo)).toMatchObject({
      message_thread_id: topic,
      reply_to_message: { message_id: one.generation.statusMessageId },
    })
  })
})

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(delivery.telegram.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return answer.json() as Promise<T>
}

async function forum(userId: number) {
  const { id } = await post<{ id: number }>('/api/chats', { title: 'We', members: [userId], forum: true })
  const { message_thread_id: topic } = await post<{ message_thread_id: number }>(`/api/chats/${id}/topics`, {
    from: userId,
    name: 'Cats',
  })
  return { id, topic }
}

describe('a group that became a supergroup', () => {
  const groups = async () => {
    const of = await delivery.newUser()
    const group = () => post<{ id: number }>('/api/chats', { title: 'We', members: [of.anna.id] })
    return { of, from: (await group()).id, to: (await group()).id }
  }
  const upgraded = 'Bad Request: group chat was upgraded to a supergroup chat'

  it('gets the result in the supergroup, at once and once', async () => {
    const { of, from, to } = await groups()
    const one = await delivery.made({ ...ordered, of, chat: { chatId: from, topicId: null } })
    delivery.fault('sendVideo', refusal(400, upgraded, { migrateTo: to }))
    expect(await delivery.attempt(one)).toMatchObject({
      delivery: 'delivered',
      attempts: 1,
      chatId: to,
      statusMessageId: null,
    })
    expect((await of.anna.in(from).chat()).filter(isVideo)).toHaveLength(0)
    const [result] = (await of.anna.in(to).chat()).filter(isVideo)
    expect(result?.reply_to_message).toBeUndefined()
  })

  it('whose new id is refused in the same way gets no further attempt', async () => {
    const { of, from, to } = await groups()
    const one = await delivery.made({ ...ordered, of, chat: { chatId: from, topicId: null } })
    delivery.fault('sendVideo', refusal(400, upgraded, { migrateTo: to }), 2)
    const { methods, stop } = watch()
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', nextCheckAt: null })
    expect(methods.filter((method) => method === 'sendVideo')).toHaveLength(2)
    stop()
    expect((await of.anna.in(to).chat()).filter(isVideo)).toEqual([])
  })

  it('gets the explanation of a failure in the supergroup', async () => {
    const { of, from, to } = await groups()
    const one = await delivery.made({ ...ordered, error: 'wet', of, chat: { chatId: from, topicId: null } })
    delivery.fault('sendMessage', refusal(400, upgraded, { migrateTo: to }))
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', chatId: to })
    expect((await of.anna.in(to).chat()).map(({ text }) => text)).toEqual([expect.stringContaining('wet')])
  })

  it('gets the notice of a refunded order in the supergroup, once', async () => {
    const { of, from, to } = await groups()
    const { db, clock, deps } = delivery
    const one = await delivery.made({ ...ordered, of, chat: { chatId: from, topicId: null } })
    await delivery.attempt(one)
    const refunded = await refundGeneration(deps, {
      by: 1,
      generationId: one.generation.id,
      reason: 'blurred',
    })
    expect(refunded).toMatchObject({ ok: true })
    delivery.fault('sendMessage', refusal(400, upgraded, { migrateTo: to }))
    const sender = createNoticeSender({ ...deps, operator: { contact: undefined } })
    sender.start()
    while ((await db.$count(notices, isNull(notices.doneAt))) > 0) clock.advance(1000)
    await sender.stop()
    const told = (await of.anna.in(to).chat()).map(({ text }) => text)
    expect(told).toEqual([expect.stringContaining('blurred')])
  })

  it('keeps all rows under its new id, without the ids of its messages', async () => {
    const { of, from, to } = await groups()
    const { db, clock } = delivery
    const userId = of.user.id
    const now = clock.now()
    const talk = { userId, modelId: 'm', modes: { thinking: false, search: false, code: false } }
    await db.insert(conversations).values([
      { ...talk, id: 'open', chatId: from, createdAt: now },
      { ...talk, id: 'closed', chatId: from, createdAt: now, closedAt: new Date(5) },
      { ...talk, id: 'other', chatId: to * 10, createdAt: now },
    ])
    await db.insert(turns).values({
      id: 'turn',
      conversationId: 'open',
      userId,
      modelId: 'm',
      question: '?',
      files: [],
      sources: [],
      state: 'done',
      amount: 0n,
      questionMessageId: 1,
      answerMessageId: 2,
      createdAt: now,
    })
    await db.insert(topUps).values({
      id: 'top-up',
      userId,
      provider: 'p',
      credit: 1n,
      charge: 1n,
      currency: 'XTR',
      chatId: from,
      createdAt: now,
    })
    const said = { value: {}, updatedAt: now }
    await db.insert(conversationStates).values([
      { ...said, key: `${from}::7` },
      { ...said, key: `${from}:3:7` },
      { ...said, key: `${to}:3:7` },
      { ...said, key: `${from}1::7` },
    ])
    const note = { messageId: 3, userId, kind: 'history', about: {}, createdAt: now }
    await db.insert(messageNotes).values([
      { ...note, chatId: from },
      { ...note, chatId: to * 10 },
    ])
    const one = await delivery.made({ ...ordered, of, chat: { chatId: from, topicId: null } })
    await db.update(drafts).set({ cardMessageId: 4 }).where(eq(drafts.id, one.generation.draftId))
    await delivery.attempt(one)
    for (let time = 0; time < 2; time += 1) await moveChat(db, from, to)
    const read = async (id: string) =>
      (await db.select().from(conversations).where(eq(conversations.id, id)))[0]
    expect(await read('open')).toMatchObject({ chatId: to, closedAt: null })
    expect(await read('closed')).toMatchObject({ chatId: to, closedAt: new Date(5) })
    expect(await read('other')).toMatchObject({ chatId: to * 10 })
    expect(await db.select().from(turns)).toMatchObject([{ questionMessageId: null, answerMessageId: null }])
    expect(await db.select().from(topUps)).toMatchObject([{ chatId: to }])
    expect((await db.select().from(conversationStates)).map(({ key }) => key).toSorted()).toEqual(
      [`${to}::7`, `${to}:3:7`, `${from}:3:7`, `${from}1::7`].toSorted(),
    )
    const [draft] = await db.select().from(drafts).where(eq(drafts.id, one.generation.draftId))
    expect(draft).toMatchObject({ chatId: to, cardMessageId: null })
    expect(await db.select().from(messageNotes)).toMatchObject([{ chatId: to * 10 }])
    await db.delete(turns)
    await db.delete(conversations)
  })

  it('that already has a new conversation closes the old one', async () => {
    const { of, from, to } = await groups()
    const { db, clock } = delivery
    const now = clock.now()
    const talk = { userId: of.user.id, modelId: 'm', modes: { thinking: false, search: false, code: false } }
    await db.insert(conversations).values([
      { ...talk, id: 'old', chatId: from, createdAt: now },
      { ...talk, id: 'new', chatId: to, createdAt: now },
    ])
    await moveChat(db, from, to)
    const found = await db
      .select()
      .from(conversations)
      .where(eq(conversations.chatId, to))
      .orderBy(conversations.id)
    expect(found).toMatchObject([
      { id: 'new', closedAt: null },
      { id: 'old', closedAt: now },
    ])
  })
})

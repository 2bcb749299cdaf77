// Deliveries that Telegram refuses: every refusal has one meaning, and every delivery ends.

import { eq, isNull } from 'drizzle-orm'
import { GrammyError } from 'grammy'
import { describe, expect, it } from 'vitest'
import { createNoticeSender } from '../../../src/bot/account/notices.ts'
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
import { moveChat } from '../../../src/telegram/moved-chat.ts'
import { isAboutFile, isChatClosed, isTopicGone, outcomeOf } from '../../../src/telegram/send.ts'
import type { SandboxMessage } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { broken, lastWords, refusal, shown, statusOf, video, videos } from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const { db, clock } = delivery

const hour = 3_600_000
const ordered = videos([video])
const isVideo = (message: SandboxMessage) => message.video !== undefined
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
    const error = new GrammyError('', { ok: false, error_code, description }, 'sendVideo', {})
    const meant = { chat: isChatClosed(error), topic: isTopicGone(error), file: isAboutFile(error) }
    const names = Object.entries({ ...meant, later: outcomeOf(error).retry }).filter(([, is]) => is)
    return [error_code, description, names.map(([name]) => name).join()]
  })
  expect(found).toEqual(rows)
})

describe('a flood limit', () => {
  it('delays the delivery, and never counts as a failed attempt', async () => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', { kind: 'error', status: 429, retryAfter: 90 }, 13)
    for (let limit = 0; limit < 13; limit += 1) {
      const waiting = await delivery.attempt(one)
      expect(waiting).toMatchObject({ attempts: 0, delivery: 'pending' })
      expect(Number(waiting.nextCheckAt) - Number(clock.now())).toBe(90_000)
      clock.advance(90_000)
    }
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['video+'])
  })

  it('that lasts for a day ends the delivery with the first attempt after that day', async () => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', { kind: 'error', status: 429, retryAfter: 5 * 3600 }, 6)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 12 })
    const tookMs = Number(clock.now()) - Number(one.generation.settledAt)
    expect(tookMs).toBeGreaterThan(24 * hour)
    expect(tookMs).toBeLessThan(26 * hour)
  })
})

describe('a temporary failure', () => {
  it('of Telegram, a proxy, the connection or the token is retried', async () => {
    const one = await delivery.made(ordered)
    for (const [fault, times] of [
      [broken, 8],
      [{ kind: 'garbage' }, 1],
      [{ kind: 'cut', after: false }, 1],
      [refusal(401, 'Unauthorized'), 1],
    ] as const)
      delivery.fault('sendVideo', fault, times)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 12 })
    expect(await shown(one)).toEqual(['video+'])
  })

  it('that persists is given up; the result stays, and is charged', async () => {
    const one = await delivery.made(ordered)
    delivery.fault('sendVideo', broken, 12)
    const charged = { refunded: null, captured: 92_45n }
    const ended = { ...charged, delivery: 'undeliverable', attempts: 12 }
    expect(await delivery.deliver(one)).toMatchObject(ended)
    expect(await lastWords(one)).toMatch(/списано 92,45 ₽, но прислать сюда не удалось/)
  })
})

it('a user who has blocked the bot gets one attempt; the result stays, and is charged', async () => {
  const one = await delivery.made(ordered)
  delivery.fault('sendVideo', refusal(403, 'Forbidden: bot was blocked by the user'))
  methods.length = 0
  const ended = await delivery.attempt(one)
  expect(ended).toMatchObject({ delivery: 'undeliverable', nextCheckAt: null, refunded: null })
  expect(ended.captured).toBe(92_45n)
  expect(methods.filter((method) => method !== 'sendChatAction')).toEqual(['sendVideo', 'editMessageText'])
  expect(await shown(one)).toEqual([])
})

it('a user who has deleted the status message gets the result without a reply to it', async () => {
  const one = await delivery.made(ordered)
  await delivery.api.deleteMessage(one.anna.id, one.generation.statusMessageId ?? 0)
  expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', attempts: 1 })
  expect(await shown(one)).toEqual(['video+'])
  expect((await one.anna.chat()).at(-1)).not.toHaveProperty('reply_to_message')
  expect(await statusOf(one)).toBeUndefined()
})

describe('a topic', () => {
  const inTopic = async () => {
    const of = await delivery.newUser()
    const { id } = await post<{ id: number }>('/api/chats', {
      title: 'We',
      members: [of.anna.id],
      forum: true,
    })
    const named = { from: of.anna.id, name: 'Cats' }
    const { message_thread_id: topicId } = await post<{ message_thread_id: number }>(
      `/api/chats/${id}/topics`,
      named,
    )
    const one = await delivery.made({ ...ordered, of, chat: { chatId: id, topicId } })
    return { one, topicId, result: async () => (await of.anna.in(id).chat()).find(isVideo) }
  }

  it('gets the result, which takes the place of the status message there', async () => {
    const { one, topicId, result } = await inTopic()
    await delivery.attempt(one)
    expect(await result()).toMatchObject({ message_thread_id: topicId })
    expect(await result()).not.toHaveProperty('reply_to_message')
  })

  it('that is gone: the result is sent to the chat itself', async () => {
    const { one, result } = await inTopic()
    delivery.fault('sendVideo', refusal(400, 'Bad Request: message thread not found'))
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    const sent = await result()
    expect(sent).toBeDefined()
    expect(sent).not.toHaveProperty('message_thread_id')
    expect(sent).not.toHaveProperty('reply_to_message')
  })

  it('that is closed in a chat that is closed as well ends the delivery at once', async () => {
    const { one, result } = await inTopic()
    delivery.fault('sendVideo', refusal(400, 'Bad Request: TOPIC_CLOSED'), 2)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', attempts: 1 })
    expect(await result()).toBeUndefined()
  })
})

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(delivery.telegram.url + path, init)
  expect(answer.status).toBe(200)
  return answer.json() as Promise<T>
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
    methods.length = 0
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'undeliverable', nextCheckAt: null })
    expect(methods.filter((method) => method === 'sendVideo')).toHaveLength(2)
    expect((await of.anna.in(to).chat()).filter(isVideo)).toEqual([])
  })

  it('gets the notice of a refunded order in the supergroup, once', async () => {
    const { of, from, to } = await groups()
    const { deps } = delivery
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
})

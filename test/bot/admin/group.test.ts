// The operators' group: who is told of what in which topic, support in both directions, and what a member who is no operator gets.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { operatorActions, operatorTopics } from '../../../src/db/schema.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { forget } from '../../../src/privacy/forget.ts'
import { ensureUser, findByTelegram } from '../../../src/users/user.ts'
import { freshUrl } from '../../support/database/database.ts'
import { bossId, type Desk, openDesk } from '../../support/users/desk.ts'
import { alone } from '../../support/users/group.ts'
import { order } from '../../support/users/order.ts'
import { jpeg } from '../../support/users/pictures.ts'
import type { TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

/** The first group of a sandbox. */
const groupId = -1_001_000_000_001
const samId = 900_003
let sandbox: TestSandbox
let desk: Desk
/** The operator in the group, and a member who is no operator. */
let boss: SandboxUser
let guest: SandboxUser
let sam: SandboxUser
beforeAll(async () => {
  const env = { ADMIN_CHAT: String(groupId), SUPPORT_IDS: String(samId), DATABASE_URL: await withForgotten() }
  const opened = await openDesk(env)
  ;({ sandbox, desk } = opened)
  guest = await sandbox.user('Guest')
  sam = await createUser(sandbox.url, { first_name: 'Sam', language_code: 'en', id: samId })
  const group = { title: 'Desk', members: [bossId, samId, guest.id], forum: true, admin: true }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  expect(id).toBe(groupId)
  await opened.boss.asks('/balance', /500/)
  boss = opened.boss.in(groupId)
  guest = guest.in(groupId)
  sam = sam.in(groupId)
})
afterAll(() => desk.close())

/** A database of a group with a topic about a person whose data was deleted. @returns its address */
async function withForgotten(): Promise<string> {
  const url = await freshUrl('postgres')
  const { db, close } = await openDatabase(url)
  const { user } = await ensureUser(db, { telegramId: 900_009, languageCode: 'en' }, new Date())
  await forget(db, user.id, 'gone', new Date())
  await db.insert(operatorTopics).values({ chatId: groupId, name: `user:${user.id}`, topicId: 9000 })
  await close()
  return url
}

const topicNamed = async (name: RegExp): Promise<number> => {
  const isIt = ({ forum_topic_created: topic }: SandboxMessage) => name.test(topic?.name ?? '')
  return (await boss.sees(isIt)).message_thread_id ?? 0
}
/** Waits for a message of the bot in a topic. */
const seesIn = (topic: number | undefined, wanted: RegExp) =>
  boss.sees((one) => one.from?.is_bot === true && one.message_thread_id === topic && wanted.test(textOf(one)))
const isThumb = (id: number) => (one: { message_id: number; reactions?: { emoji?: string }[] }) =>
  one.message_id === id && one.reactions?.[0]?.emoji === '👍'

const refusal = (why: string) => ({ kind: 'error', status: 400, description: `Bad Request: ${why}` })

const talk = {
  en: {
    sent: /^✅ Passed on to a person/,
    letter: /^💬 A person from support writes\n\nWhich one\?\n\nReply to this message/,
    file: /A person from support has sent you a file/,
    facts: /Support[\s\S]*Number: #\d+[\s\S]*Balance: ₽[\d.]+[\s\S]*Language: English/,
  },
  ru: {
    sent: /^✅ Передал человеку/,
    letter: /^💬 Пишет человек из поддержки\n\nWhich one\?\n\nОтветьте на это сообщение/,
    file: /Человек из поддержки прислал вам файл/,
    facts: /Support[\s\S]*Number: #\d+[\s\S]*Balance: ₽[\d.]+[\s\S]*Language: Русский/,
  },
} as const

describe('support', () => {
  it.each(['en', 'ru'] as const)('goes both ways in a topic of its own (%s)', async (language) => {
    const texts = talk[language]
    const anna = await sandbox.user(`Anna-${language}`, language)
    await order(sandbox, anna, '/image a fox')
    await anna.asks('/support my <b>video</b> is black', texts.sent)
    const topic = await topicNamed(new RegExp(`^Anna-${language} · #\\d+$`))
    const first = await seesIn(topic, texts.facts)
    expect(first.text).toMatch(/Design · ₽5\.28 · ✅ done[\s\S]*\n\nmy <b>video<\/b> is black$/)
    const answer = await boss.sends('Which one?', { thread_id: topic })
    const told = await anna.sees(texts.letter)
    await boss.sees(isThumb(answer.message_id))
    const picture = await jpeg()
    await anna.attaches(picture, 'this one', texts.sent, { reply_to: told.message_id })
    const copy = await boss.sees(
      ({ photo, message_thread_id }) => photo !== undefined && message_thread_id === topic,
    )
    expect(copy.caption).toBe('this one')
    const file = await boss.sendsFile(picture, 'here', { thread_id: topic, reply_to: copy.message_id })
    await anna.sees(texts.file)
    await anna.sees(
      ({ photo, caption, from }) => from?.is_bot === true && photo !== undefined && caption === 'here',
    )
    await boss.sees(isThumb(file.message_id))
    const [, number] = /#(\d+)/.exec(first.text ?? '') ?? []
    const log = sandbox.app.db.select().from(operatorActions)
    const letter = { action: 'letter', operatorId: bossId, reason: null }
    expect(await log.where(eq(operatorActions.subject, `user:${number}`))).toMatchObject([letter, letter])
    await boss.taps(`Anna-${language}`)
    await seesIn(topic, /Here since/)
  })

  it('takes answers of those in SUPPORT_IDS, who have the rights of their role there', async () => {
    const ines = await sandbox.user('Ines')
    await ines.asks('/support it is black', talk.en.sent)
    const topic = await topicNamed(/^Ines · #\d+$/)
    const answer = await sam.sends('I look into it', { thread_id: topic })
    await ines.sees(/A person from support writes\s+I look into it/)
    await boss.sees(isThumb(answer.message_id))
    await sam.asks('/grant Ines 5 sorry', /Your role doesn’t allow this/, { thread_id: topic })
  })

  it('takes all files of an album, and says so once', async () => {
    const liz = await desk.newUser('Liz')
    const picture = await jpeg()
    const album = { album: 'two' }
    await liz.sendsFile(picture, '/support look', album)
    await liz.sendsFile(picture, '', album)
    const topic = await topicNamed(/^Liz ·/)
    const copies = async () =>
      (await boss.chat()).filter(({ photo, message_thread_id }) => photo && message_thread_id === topic)
    await expect.poll(async () => (await copies()).length).toBe(2)
    await liz.asks('/balance', /500/)
    expect((await liz.transcript()).match(/Passed on/g)).toHaveLength(1)
  })

  it('keeps commands and replies to colleagues in the group, and says what was not delivered', async () => {
    const ben = await desk.newUser('Ben')
    await ben.asks('/support hello', /Passed on/)
    const topic = await topicNamed(/^Ben ·/)
    const place = { thread_id: topic }
    const remark = await boss.sends('/nonsense', place)
    await boss.sends('he is rude', { ...place, reply_to: remark.message_id })
    await boss.asks('x'.repeat(3501), /Not sent: more than 3,500/, place)
    await sandbox.breaks('telegram', 'copyMessage', refusal("the message can't be copied"))
    await boss.attaches(await jpeg(), 'look', /Telegram can’t copy this message/, place)
    await ben.blocks()
    await boss.asks('the last one', /Not sent: the person has blocked the bot/, place)
    expect((await ben.chat()).map(textOf).join()).not.toMatch(/nonsense|rude|xxx|a file/)
  })

  it('opens from its page by a reply, and is limited to twenty messages an hour', async () => {
    const clara = await desk.newUser('Clara')
    const page = await clara.asks(
      '/support',
      /Where to write: @help[\s\S]*ask right here: reply to this message/,
    )
    for (let n = 0; n < 20; n += 1) await clara.asks(`Hm ${n}`, /Passed on/, { reply_to: page.message_id })
    await clara.asks('/support again', /You’ve sent a lot of messages/)
    expect((await boss.chat()).map(textOf).join()).not.toContain('again')
  })

  it('of a banned person is limited to a few messages a day, also in reply to an answer', async () => {
    const dan = await desk.newUser('Dan')
    await dan.asks('/support why?', /Passed on/)
    const topic = await topicNamed(/^Dan ·/)
    await alone(boss).asks(`/ban ${dan.id} spam`, /Ban Dan/)
    await alone(boss).tapsFor('✅ Yes', /Banned: Dan/)
    const answer = await boss.sends('For spam', { thread_id: topic })
    const letter = await dan.sees(/For spam/)
    await boss.sees(isThumb(answer.message_id))
    await dan.asks('But no', /Passed on/, { reply_to: letter.message_id })
    await dan.asks('/support Please', /Passed on/)
    await dan.asks('/support Please', /You’ve sent a lot of messages/)
    await dan.asks('Hello', /You can no longer use this bot/)
    await dan.asks('/image a fox', /You can no longer use this bot/, { reply_to: letter.message_id })
  })

  it('takes the longest message below all that is told of who writes', async () => {
    const kim = await desk.newUser('K'.repeat(129))
    await alone(boss).asks(`/ban ${kim.id} ${'spam '.repeat(100)}`, /Ban KKK/)
    await alone(boss).tapsFor('✅ Yes', /Banned: KKK/)
    await kim.asks(`/support ${'x'.repeat(3000)}`, /Passed on/)
    await seesIn(await topicNamed(/^KKK/), /spam spam[\s\S]*x{3000}$/)
    await kim.asks(`/support ${'x'.repeat(3001)}`, /That’s too long/)
  })
})

/** A report of a new person about a picture. */
async function reports(name: string, words: string, before = async () => {}): Promise<SandboxUser> {
  const user = await desk.newUser(name)
  await order(sandbox, user, '/image a fox')
  await user.tapsAll(/^⋯/, /⚠️ Problem/)
  await user.isTold(/or just write it/)
  await before()
  await user.asks(words, /Thank you/)
  return user
}

describe('the topics', () => {
  it('take reports, whose buttons work there for operators and not for other members', async () => {
    const eva = await reports('Eva', 'no ears')
    const topic = await topicNamed(/^🚩 Reports$/)
    await seesIn(topic, /no ears/)
    await boss.sees(({ photo, message_thread_id }) => photo !== undefined && message_thread_id === topic)
    const shown = await seesIn(topic, /no ears/)
    const inTopic = async () => (await boss.chat()).filter((one) => one.message_thread_id === topic).length
    const before = await inTopic()
    for (const { callback_data: data } of shown.reply_markup?.inline_keyboard?.flat() ?? [])
      await guest.tapsData(shown.message_id, String(data))
    await guest.sends('/admin', { thread_id: topic })
    await guest.sends('/balance', { thread_id: topic })
    await guest.sends('mine', { thread_id: topic, reply_to: shown.message_id })
    await boss.taps('💸 Refund ₽5.28')
    await seesIn(topic, /Refund ₽5.28 to Eva/)
    await guest.taps('✅ Yes')
    await boss.taps('✅ Yes')
    await seesIn(topic, /Refunded: ₽5.28/)
    await eva.sees(/₽5.28 is back on your balance/)
    // Three of the guest, the question and the outcome: the guest was told nothing.
    expect((await inTopic()) - before).toBe(5)
  })

  it('are made again after they were deleted, and the chat itself takes what no topic may be made for', async () => {
    const gone = refusal('message thread not found')
    const first = await topicNamed(/Reports/)
    await reports('Greg', 'too dark', () => sandbox.breaks('telegram', 'sendMessage', gone))
    await expect.poll(() => topicNamed(/Reports/)).toBeGreaterThan(first)
    const second = await topicNamed(/Reports/)
    await seesIn(second, /too dark/)
    await sandbox.breaks('telegram', 'createForumTopic', refusal('not enough rights'))
    const hugo = await desk.newUser('Hugo')
    await hugo.asks('/support hello', /Passed on/)
    const shown = await seesIn(undefined, /Reply to one of these messages[\s\S]*hello$/)
    await boss.sends('Just talking')
    await boss.sends('Hi, Hugo', { reply_to: shown.message_id })
    await hugo.sees(/A person from support writes\n\nHi, Hugo/)
    expect((await hugo.chat()).map(textOf).join()).not.toContain('Just talking')
  })

  it('about people are deleted with their data, which names no group in an export', async () => {
    const isAboutGone = eq(operatorTopics.topicId, 9000)
    await expect.poll(() => sandbox.app.db.$count(operatorTopics, isAboutGone)).toBe(0)
    const ida = await desk.newUser('Ida')
    await ida.asks('/support forget me', /Passed on/)
    const known = await findByTelegram(sandbox.app.db, ida.id)
    const exported = await exportData(sandbox.app.db, known?.id ?? 0n, new Date())
    expect(exported).toContain('support-message')
    expect(exported).not.toContain(String(groupId))
  })
})

it('an alarm comes into a topic of the group, and not to the operator in private', async () => {
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 401 }, 9)
  const kate = await desk.newUser('Kate')
  await kate.opens('/image a fox', /^Generate/)
  await seesIn(await topicNamed(/^🚨 Alarms$/), /refuses/)
  expect((await alone(boss).chat()).map(textOf).join()).not.toContain('refuses')
})

it('a group that became a supergroup with another id is followed', async () => {
  const group = { title: 'Desk', members: [bossId, guest.id], forum: true, admin: true }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const moved = refusal('group chat was upgraded')
  await sandbox.breaks('telegram', 'createForumTopic', { ...moved, migrateTo: id })
  const jack = await desk.newUser('Jack')
  await jack.asks('/support hello', /Passed on/)
  const there = boss.in(id)
  const { message_thread_id = 0 } = await there.sees(/hello$/)
  await there.sends('Hi, Jack', { thread_id: message_thread_id })
  await jack.sees(/Hi, Jack/)
  await there.asks('/admin', /^📊 /)
})

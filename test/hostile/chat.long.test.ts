// The rows of the tables through the chat, as users send them. First those that may change no balance, then those that buy something.

import { isNotNull } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { users } from '../../src/db/schema.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { colored } from '../support/media/media-files.ts'
import { wire } from '../support/telegram/tap-data.ts'
import { order } from '../support/users/order.ts'
import { jpeg, ordered } from '../support/users/pictures.ts'
import { createUser, type SandboxUser, textOf } from '../support/users/user.ts'
import { type HostileChat, isMarker, openHostileChat, type Row } from '../support/worlds/hostile-chat.ts'
import { files } from './tables/files.ts'
import { codes } from './tables/numbers.ts'
import { junk } from './tables/taps.ts'
import { commands, links, queries, typed } from './tables/texts.ts'
import { oddUpdates } from './tables/updates.ts'

const operators = [9000, 9001, 9002]
let chat: HostileChat
let mayHaveSpent = false
beforeAll(async () => {
  chat = await openHostileChat({ ADMIN_IDS: operators.join(',') })
})
afterEach(() => chat.isWell(mayHaveSpent))
afterAll(() => chat.close())

interface AnsweredRow extends Row {
  readonly reads: RegExp | ((answer: string) => boolean)
}

/** Sends all rows. @returns those with another answer than expected, and the answer */
async function misread<R extends AnsweredRow>(
  rows: readonly R[],
  send: (user: SandboxUser, row: R) => Promise<unknown>,
  person?: () => Promise<SandboxUser>,
) {
  const answers = await chat.answersTo(rows, send, person)
  return rows.flatMap(({ name, reads }) => {
    const answer = answers.get(name) ?? ''
    return (typeof reads === 'function' ? reads(answer) : reads.test(answer)) ? [] : [[name, answer]]
  })
}

/** The bot's first message after this one, other than the answer to the command that marks the end of a row. */
const sees = async (user: SandboxUser, { message_id: sent }: { message_id: number }) =>
  textOf(
    await user.sees(
      ({ from, text, message_id }) => from?.is_bot === true && !isMarker(text) && message_id > sent,
    ),
  )
const every = <T>(nth: number, rows: readonly T[]) => rows.filter((_, at) => at % nth === 0)
const rowsOf = (table: readonly (readonly [name: string, reads: RegExp])[]) =>
  table.map(([name, reads]) => ({ name, reads }))

it('commands in odd spellings are answered as expected', async () => {
  const send = (user: SandboxUser, { name }: Row) =>
    user.sends(name.replace('{bot}', 'sandbox_generation_bot'))
  expect(await misread(rowsOf(commands), send)).toEqual([])
})

it('promo codes are made by operators who write them clearly', async () => {
  const person = () =>
    createUser(chat.sandbox.url, { first_name: 'Boss', language_code: 'en', id: operators.pop() ?? 0 })
  const send = (user: SandboxUser, { name }: Row) => user.sends(`/promo_add ${name}`)
  expect(await misread(rowsOf(codes), send, person)).toEqual([])
})

it('every link to the bot is answered, and only the first two set an inviter', async () => {
  const people = new Map<number, string>()
  const wrong: string[] = []
  for (const link of links) {
    const user = await chat.sandbox.user('Anna')
    people.set(user.id, link)
    const greeting = await sees(user, await user.sends(`/start ${link}`))
    if (!(link === 'topup' ? /How much\?/ : /^👋 Hello, Anna!|^👛/).test(greeting)) wrong.push(link)
  }
  const found = await chat.sandbox.app.db.select().from(users).where(isNotNull(users.referrerId))
  const invited = found.map(({ telegramId }) => people.get(telegramId ?? 0))
  expect([wrong, invited.toSorted()]).toEqual([[], ['ref_01', 'ref_1']])
})

it('taps with data about rows that do not exist, and with data that no button has, are answered', async () => {
  const tapped = [...junk, ...Object.values<string>(wire)].filter((data) => data !== wire.deleteDataNow)
  const queried = new Map<string, string>()
  const people = new Set<SandboxUser>()
  await chat.answersTo(
    tapped.map((name) => ({ name })),
    async (user, { name }) => {
      people.add(user)
      const { callback_query_id: id = '' } = await user.tapsData(1, name)
      queried.set(id, name)
    },
  )
  const notices = new Map<string, string>()
  for (const answers of await Promise.all([...people].map((user) => user.answers())))
    for (const { callback_query_id: id, text = '' } of answers) notices.set(queried.get(id) ?? '', text)
  const isOutdated = (data: string) => /no longer works|outdated/.test(notices.get(data) ?? '')
  expect(junk.filter((data) => !isOutdated(data))).toEqual([])
  expect(tapped.filter((data) => /^undefined$|went wrong/.test(String(notices.get(data))))).toEqual([])
})

/** A text as Telegram passes it on and as the app stores it. */
const passedOn = (text: string) =>
  text
    .replaceAll(/[\r\u2028-\u202e]|\u0333|\u033f|\u030a/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram turns exactly these into spaces.
    .replaceAll(/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g, ' ')
    .toWellFormed()
    .trim()
const beginningOf = (text: string) => [...passedOn(text)].slice(0, 40).join('').trim()

it('texts are shown on the card and in the settings, or refused if they are not visible', async () => {
  const prompts = typed.map(({ name, text, isBlank }) => ({
    name,
    text,
    reads: (answer: string) => {
      // The command that marks the end of a row removes the question, unless it was answered before the question was sent.
      if (isBlank) return /^$|Prompt\nDescribe/.test(answer)
      if (text.includes('media.invalid')) return /cannot|format|Write/.test(answer)
      return answer.includes(`Prompt: ${beginningOf(text)}`) && answer.includes('[Generate · ₽')
    },
  }))
  expect(await misread(prompts, (user, { text }) => user.sends(`/image ${text}`))).toEqual([])
  const personas = every(3, typed).map(({ name, text, isBlank }) => ({
    name,
    text,
    reads: (answer: string) => (isBlank ? !answer.includes('[● ') : answer.includes(beginningOf(text))),
  }))
  expect(await misread(personas, (user, { text }) => user.sends(`/persona ${text}`))).toEqual([])
})

it('updates of an unexpected shape are handled without an error', async () => {
  mayHaveSpent = true
  // One person who sends more at once is told to be slower.
  const perUser = 10
  for (let from = 0, count = perUser; from < count; from += perUser) {
    const user = await chat.sandbox.user('Anna')
    const group = { title: 'We', members: [user.id] }
    const { id: groupId } = await chat.sandbox.post<{ id: number }>('/api/chats', group)
    await user.sends('/start')
    await user.sees('Hello, Anna')
    const odd = Object.values(oddUpdates(user.id, groupId))
    count = odd.length
    const numbered = odd.map((one, at) => ({ update_id: 900_000_000 + at, ...one }) as unknown as Update)
    await storeUpdates({ db: chat.sandbox.app.db, clock: systemClock }, numbered.slice(from, from + perUser))
  }
})

it('questions, and captions of pictures for a card, are taken, or refused if they are not visible', async () => {
  const picture = await jpeg()
  const rows = (blank: RegExp, visible: RegExp) =>
    every(3, typed).map(({ name, text, isBlank }) => ({ name, text, reads: isBlank ? blank : visible }))
  const asks = async (user: SandboxUser, { text }: { text: string }) => sees(user, await user.sends(text))
  expect(await misread(rows(/I can read pictures, text files and PDF/, /About “|Про «/), asks)).toEqual([])
  const attaches = (user: SandboxUser, { text }: { text: string }) =>
    user.sendsFile(picture, `/video ${text}`)
  expect(await misread(rows(/^$|Prompt\nDescribe/, /Generate/), attaches)).toEqual([])
})

it('files are taken for what their bytes are', async () => {
  expect(await misread(files, (user, { file, caption }) => user.sendsFile(file, caption))).toEqual([])
  const anna = await chat.sandbox.user('Anna')
  const bytes = await colored(8, 8, [1, 2, 3]).jpeg().toBuffer()
  await anna.sendsFile({ kind: 'document', name: 'film.mp4', bytes, mime: 'video/mp4' })
  await anna.taps(/^💬 Ask about it/)
  await anna.sees('What would you like to know')
  await anna.sends('What is it?')
  await anna.sees(/About “What is it\?”/)
  expect(JSON.stringify(await ordered(chat.sandbox, /./))).toContain('data:image/jpeg;base64,')
})

it('inline queries find the results of the person who asks, and of nobody else', async () => {
  const boris = await chat.sandbox.user('Boris')
  await order(chat.sandbox, boris, '/image a red fox of Boris')
  for (let from = 0; from < queries.length; from += 20) {
    const anna = await chat.sandbox.user('Anna')
    await order(chat.sandbox, anna, '/image a red fox')
    for (const [query, offset, isFound] of queries.slice(from, from + 20)) {
      const { results, button } = await anna.asksInline(query, offset)
      const isPastEnd = !isFound && offset !== ''
      const expected = isFound ? [['a red fox'], undefined] : [[], isPastEnd ? undefined : expect.any(String)]
      const found = [results.map(({ title }) => title), button?.text]
      expect([query, offset, ...found]).toEqual([query, offset, ...expected])
    }
  }
})

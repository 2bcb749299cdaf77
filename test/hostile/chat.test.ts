// One hostile input of each class through the chat; the tables beside this file are given to the functions that read them.

import { gzipSync } from 'node:zlib'
import type { Update } from 'grammy/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { order } from '../support/users/order.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { oddUpdates } from './tables/updates.ts'

type Send = (user: SandboxUser) => Promise<unknown>
const says =
  (text: string): Send =>
  (user) =>
    user.sends(text)
const sendsAs =
  (mime: string, bytes: Uint8Array, caption = ''): Send =>
  (user) =>
    user.sendsFile({ kind: 'document', name: 'x', mime, bytes }, caption)

const bytes = (text: string) => Buffer.from(text, 'latin1')
const endless = Buffer.alloc(40, 0xff)
const unreadable = /I can read pictures, text files and PDF/
const clip = /What should I make from it\?/
/** Contents of files that are sent as pictures, and what is answered. */
const contents: readonly (readonly [name: string, content: Buffer, reads: RegExp])[] = [
  ['a truncated PNG', bytes('\x89PNG\r\n\x1a\n\0\0\0\0'), /Models can’t see this picture/],
  ['a GIF of absurd size', Buffer.concat([bytes('GIF89a'), endless]), /Models can’t see this picture/],
  ['an MP4 with a box of absurd length', Buffer.concat([bytes('\0\0\0\x18ftypisom'), endless]), clip],
  ['an MP3 with an endless tag', Buffer.concat([bytes('ID3\x04\0\0'), endless]), clip],
  ['a truncated 3D model', bytes('glTF\x02\0\0\0\xff\0\0\0'), unreadable],
  ['a gzip bomb', gzipSync(Buffer.alloc(1_000_000)), unreadable],
  [
    'a PDF of absurd tables',
    bytes('%PDF-1.7\nxref\n0 99999999999\ntrailer<</Size 99999999999>>'),
    unreadable,
  ],
  ['a page', bytes('<!doctype html><html><body>hello</body></html>'), unreadable],
  ['a text', bytes('hello'), unreadable],
]

const asked =
  (words: string, question: RegExp): Send =>
  async (user) => {
    await user.sends(words)
    await user.sees(question)
  }

const inputs: readonly (readonly [name: string, send: Send, reads: RegExp])[] = [
  [
    'a prompt with HTML',
    says('/image <b><i><a href="tg://user?id=1">me'),
    /Prompt: <b><i><a href="tg:.*\[Generate · ₽/s,
  ],
  // The next command removes the question.
  ['a prompt of zero-width spaces', asked('/image \u200b\u200b', /Write the answer/), /^$/],
  ['a persona with SQL', says("/persona '; drop table users; --"), /'; drop table users; --/],
  ['an amount with an exponent', says('/topup 1e9'), /couldn’t read the amount/],
  ['an amount in Arabic digits', says('/topup ٥٠٠'), /couldn’t read the amount/],
  ['an amount above the limit', says('/topup 99999999'), /outside the limits/],
  ['a command in capitals', says('/IMAGE@Sandbox_Generation_Bot a fox'), /Prompt: a fox/],
  ['a command of another bot', says('/image@OtherBot a fox'), /don’t know this command/],
  ['a command after a space', says('/image\u00a0a fox\n/video a cat'), /Prompt: a fox\n\/video a cat/],
  ['a command of operators', says('/grant #1 500 bonus'), /don’t know this command/],
  ['a command that is a prototype', says('/__proto__'), /don’t know this command/],
  ['a link of an inviter who does not exist', says("/start ref_' or 1=1"), /Hello, Anna!/],
  ['a tap with data that no button has', (user) => user.tapsData(1, 'c:x:y:__proto__'), /^$/],
  ...contents.map(([name, bytes, reads]) => [name, sendsAs('image/png', bytes), reads] as const),
  [
    'a page as a frame',
    sendsAs('image/png', Buffer.from('<!doctype html><html></html>'), '/video a fox'),
    /can’t use such/,
  ],
]
const rows = inputs.map(([name]) => ({ name }))

let chat: HostileChat
beforeAll(async () => {
  chat = await openHostileChat()
})
afterAll(() => chat.close())

it('hostile inputs get the expected answers, cause no error and change no balance', async () => {
  const sends = new Map(inputs.map(([name, send]) => [name, send]))
  const answers = await chat.answersTo(rows, async (user, { name }) => sends.get(name)?.(user))
  const wrong = inputs.filter(([name, , reads]) => !reads.test(answers.get(name) ?? 'no answer'))
  expect(wrong.map(([name]) => [name, answers.get(name)])).toEqual([])
  await chat.isWell()
})

it('updates of an unexpected shape are handled without an error', async () => {
  // One person who sends more at once is told to be slower.
  const perUser = 10
  for (let from = 0, count = perUser; from < count; from += perUser) {
    const user = await chat.sandbox.user('Anna')
    const group = { title: 'We', members: [user.id] }
    const { id: groupId } = await chat.sandbox.post<{ id: number }>('/api/chats', group)
    await user.asks('/start', 'Hello, Anna')
    const odd = Object.values(oddUpdates(user.id, groupId))
    count = odd.length
    const numbered = odd.map((one, at) => ({ update_id: 900_000_000 + at, ...one }) as unknown as Update)
    await storeUpdates({ db: chat.sandbox.app.db, clock: systemClock }, numbered.slice(from, from + perUser))
  }
  await chat.isWell(true)
})

it('inline queries find the results of the person who asks, and of nobody else', async () => {
  const [anna, boris] = [await chat.sandbox.user('Anna'), await chat.sandbox.user('Boris')]
  await order(chat.sandbox, boris, '/image a red fox of Boris')
  await order(chat.sandbox, anna, '/image a red fox')
  const queries: readonly (readonly [query: string, offset: string, isFound: boolean])[] = [
    ['', '', true],
    ['  FOX   red ', '', true],
    ['f', '-1', true],
    ['f', '99999999999999999999', true],
    ['f', '1', false],
    ['fox Boris', '', false],
    ["fox' or '1'='1", '', false],
    ['(a+)+$', '', false],
    ['__proto__', '', false],
  ]
  for (const [query, offset, isFound] of queries) {
    const { results, button } = await anna.asksInline(query, offset)
    const titles = results.map(({ title }) => title)
    // A page after the last one has no button.
    expect([query, titles, button !== undefined]).toEqual([
      query,
      isFound ? ['a red fox'] : [],
      !isFound && offset === '',
    ])
  }
})

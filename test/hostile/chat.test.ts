// One hostile input of each class through the chat. The long tests beside this file send all rows of the tables.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SandboxUser } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { contents } from './tables/files.ts'

type Send = (user: SandboxUser) => Promise<unknown>
const says =
  (text: string): Send =>
  (user) =>
    user.sends(text)
const sendsAs =
  (mime: string, bytes: Uint8Array, caption = ''): Send =>
  (user) =>
    user.sendsFile({ kind: 'document', name: 'x', mime, bytes }, caption)

const files = 'a truncated PNG|an MP4 with a box of absurd length|a gzip bomb|a PDF of absurd tables'.split(
  '|',
)

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
  ['a command in capitals', says('/IMAGE a fox'), /Prompt: a fox/],
  ['a command of operators', says('/grant #1 500 bonus'), /don’t know this command/],
  ['a command that is a prototype', says('/__proto__'), /don’t know this command/],
  ['a link of an inviter who does not exist', says("/start ref_' or 1=1"), /Hello, Anna!/],
  ['a tap with data that no button has', (user) => user.tapsData(1, 'c:x:y:__proto__'), /^$/],
  ...files.map((name) => {
    const [bytes, reads] = contents[name] ?? [Buffer.alloc(0), /never/]
    return [name, sendsAs('image/png', bytes), reads] as const
  }),
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

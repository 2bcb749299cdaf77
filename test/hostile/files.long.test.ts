// Hostile files that users send as documents: the answers of the bot, and the files that reach the gateway.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { colored } from '../support/media/media-files.ts'
import { ordered } from '../support/users/pictures.ts'
import type { FileToSend } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { contents, disguised, said } from './tables/disguises.ts'
import { files } from './tables/files.ts'

interface SentRow {
  readonly name: string
  readonly file: FileToSend
  readonly caption: string
  readonly reads: RegExp
}

const document = (name: string, bytes: Uint8Array, mime?: string): FileToSend => ({
  kind: 'document',
  name,
  bytes,
  ...(mime === undefined ? {} : { mime }),
})

const rows: readonly SentRow[] = [
  ...files.map(([name, content, reads]) => ({ name, file: document(name, content), caption: '', reads })),
  ...Object.entries(contents).flatMap(([content, [bytes, reads]]) =>
    said.map((mime) => ({
      name: `${content} as ${mime}`,
      file: document('x', bytes, mime),
      caption: '',
      reads,
    })),
  ),
  ...disguised.map(([name, file, caption, reads]) => ({
    name,
    file: { ...document(name, file.bytes), ...file },
    caption,
    reads,
  })),
]

let chat: HostileChat
beforeAll(async () => {
  chat = await openHostileChat()
})
afterAll(async () => {
  await chat.isWell(true)
  await chat.close()
})

describe('a document of a user', () => {
  let answers: ReadonlyMap<string, string>
  beforeAll(async () => {
    answers = await chat.answersTo(rows, (user, { file, caption }) => user.sendsFile(file, caption))
  })
  afterAll(() => chat.isWell())

  it.each(rows)('is answered as expected: $name', ({ name, reads }) => {
    expect(answers.get(name)).toMatch(reads)
  })
})

it('a picture that is declared as a video is sent to the gateway as a picture', async () => {
  const anna = await chat.sandbox.user('Anna')
  const bytes = await colored(8, 8, [1, 2, 3]).jpeg().toBuffer()
  await anna.sendsFile(document('film.mp4', bytes, 'video/mp4'))
  await anna.taps(/^💬 Ask about it/)
  await anna.sees('What would you like to know')
  await anna.sends('What is it?')
  await anna.sees(/About “What is it\?”/)
  expect(JSON.stringify(await ordered(chat.sandbox, /./))).toContain('data:image/jpeg;base64,')
})

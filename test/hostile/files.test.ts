// Hostile files that users send as documents.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { files } from './tables/files.ts'

const rows = files.map(([name, content, reads]) => ({ name, content, reads }))

describe('a document', () => {
  let chat: HostileChat
  let answers: ReadonlyMap<string, string>
  beforeAll(async () => {
    chat = await openHostileChat()
    answers = await chat.answersTo(rows, (user, { name, content }) =>
      user.sendsFile({ kind: 'document', name, bytes: content }),
    )
  })
  afterAll(async () => {
    await chat.isWell()
    await chat.close()
  })

  it.each(rows)('$name', ({ name, reads }) => {
    expect(answers.get(name)).toMatch(reads)
  })
})

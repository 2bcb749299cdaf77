// Comments below a post of a channel. In its discussion group, each of them names the automatic forward of the post as the message that it
// replies to.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turns } from '../../../src/db/schema.ts'
import { png } from '../../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
let post: { readonly reply_to: number }
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
  const person = await sandbox.user('Anna')
  const telegram = await createUser(sandbox.url, { id: 777_000, first_name: 'Telegram' })
  const members = [person.id, telegram.id]
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Comments', members })
  anna = person.in(id)
  const picture = { ...(await png()), kind: 'photo' }
  post = { reply_to: (await telegram.in(id).sendsFile(picture, 'a post about whales')).message_id }
})
afterAll(() => sandbox.stop())

describe('a comment below a post', () => {
  it('gives its card no picture of the post', async () => {
    await anna.sends('/video a fox', post)
    await anna.seesButton('📎 Frames')
  })

  it('asks a question without the post', async () => {
    await anna.sends('@sandbox_generation_bot what is rain? [short]', post)
    await anna.sees(/short answer/)
    const [turn] = await sandbox.app.db.select().from(turns)
    expect(turn).toMatchObject({ question: 'what is rain? [short]', files: [] })
  })

  it('asks a question with the words of the post that it quotes', async () => {
    await anna.sends('@sandbox_generation_bot how large? [short]', { ...post, quote: 'whales' })
    const questions = async () => (await sandbox.app.db.select().from(turns)).map(({ question }) => question)
    await expect.poll(questions).toContainEqual(expect.stringMatching(/^> whales/))
  })
})

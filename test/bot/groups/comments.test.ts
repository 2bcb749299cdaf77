// Posts of a channel that Telegram forwards into its discussion group, as its service user 777000, and the comments below them, which name
// the forwarded post as the message that they reply to.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { users } from '../../../src/db/schema.ts'
import { turnsIn } from '../../support/users/order.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { createUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()

it('a post that mentions the bot is not a question, and a comment takes the post only where it quotes it', async () => {
  const { db } = sandbox.app
  const person = await sandbox.user('Anna')
  const telegram = await createUser(sandbox.url, { id: 777_000, first_name: 'Telegram' })
  const group = { title: 'Comments', members: [person.id, telegram.id] }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const anna = person.in(id)
  await telegram.in(id).sends('Our new bot @sandbox_generation_bot draws and answers. Try it! [short]')
  const picture = { ...(await png()), kind: 'photo' }
  const post = await telegram.in(id).sendsFile(picture, 'a post about whales')
  const below = { reply_to: post.message_id }
  await anna.sends('/video a fox', below)
  expect((await anna.seesButton(/^Generate/)).text).not.toContain('Frames')
  expect(await db.$count(users, eq(users.telegramId, 777_000))).toBe(0)
  expect(await turnsIn(sandbox, anna)).toEqual([])
  await anna.sends('@sandbox_generation_bot what is rain? [short]', below)
  await anna.sees(/short answer/)
  expect(await turnsIn(sandbox, anna)).toMatchObject([{ question: 'what is rain? [short]', files: [] }])
  await anna.sends('@sandbox_generation_bot how large? [short]', { ...below, quote: 'whales' })
  await expect
    .poll(() => turnsIn(sandbox, anna))
    .toMatchObject([{}, { question: expect.stringMatching(/^> whales/) }])
})

// Commands as captions of pictures, documents, videos and voice messages, and edited captions.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { film, jpeg, song } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100', ADMIN_IDS: '77' })
})
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})
afterAll(() => sandbox.stop())

const notes = { kind: 'document', name: 'notes.txt', bytes: Buffer.from('The tide comes twice a day.') }
const questionsOf = async ({ id }: SandboxUser) => {
  const [user] = await sandbox.app.db.select().from(users).where(eq(users.telegramId, id))
  return sandbox.app.db
    .select()
    .from(turns)
    .where(eq(turns.userId, user?.id ?? 0n))
    .orderBy(turns.createdAt)
}
const inGroup = async (user: SandboxUser) => {
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [user.id] })
  return user.in(id)
}

describe('/chat as a caption', () => {
  it('asks about the picture', async () => {
    await anna.sendsFile(await jpeg(), '/chat what is on it?')
    await anna.sees(/looked at what you attached/)
    expect(await questionsOf(anna)).toMatchObject([
      { question: 'what is on it?', files: [{ medium: 'image' }] },
    ])
  })

  it('asks about the picture in a group, also with a capital and the name of the bot', async () => {
    const member = await inGroup(anna)
    await member.sendsFile(await jpeg(), '/Chat@sandbox_generation_bot what is on it?')
    await member.sees(/looked at what you attached/)
  })

  it('asks about the document', async () => {
    await anna.sendsFile(notes, '/chat how often? [short]')
    await anna.sees(/short answer/)
    const [turn] = await questionsOf(anna)
    expect(turn?.question).toMatch(/^how often\? \[short\]\n\nnotes\.txt:\n```\nThe tide/)
  })

  it('does not ask about a video, a sound or a voice message, which its model does not see or hear', async () => {
    await anna.sendsFile(await film(), '/chat what is in it?')
    await anna.sees('I cannot watch videos, so nothing was asked or charged')
    for (const kind of ['audio', 'voice']) {
      const { message_id: sent } = await anna.sendsFile({ ...(await song()), kind }, '/chat what is in it?')
      await anna.sees(
        ({ message_id, text = '' }) =>
          message_id > sent && text.startsWith('Assistant cannot listen to sounds'),
      )
    }
    expect(await questionsOf(anna)).toEqual([])
  })
})

it.each([
  ['/balance', '^Balance: '],
  ['/help', 'What I can do'],
  ['/settings', 'Язык / Language'],
  ['/new', 'A new conversation'],
  ['/topup 500', 'How would you like to pay ₽500.00?'],
  ['/promo NONE', 'There is no such promo code'],
  ['/cancel', 'nothing to cancel'],
  ['/vidoe', 'Did you mean /video'],
])('%s as a caption is answered like a text', async (caption, answer) => {
  await anna.sendsFile(await film(), caption)
  await anna.sees(new RegExp(answer, 'i'))
})

it("an operator's command as a caption is carried out, and /broadcast asks for the message", async () => {
  await sandbox.post('/api/users', { id: 77, first_name: 'Boss', language_code: 'en' })
  const boss = anna.in(77)
  await anna.sends('/start')
  await anna.sees('Hello, Anna')
  const base64 = Buffer.from((await jpeg()).bytes).toString('base64')
  const posts = (caption: string) =>
    sandbox.post('/api/chats/77/messages', {
      from: 77,
      caption,
      file: { kind: 'photo', name: 'a.jpg', base64 },
    })
  await posts(`/user ${anna.id}`)
  await boss.sees(new RegExp(`Telegram: ${anna.id}`))
  await posts('/broadcast')
  await boss.sees(/✏️[\s\S]*\/broadcast/)
  await posts('news')
  await boss.sees(/Broadcast/)
})

describe('an edited caption', () => {
  it('of the last question is asked again, with the picture', async () => {
    const question = await anna.sendsFile(await jpeg(), 'what is on it?')
    await anna.sees(/looked at what you attached/)
    await anna.edits(question, 'what colour is it?')
    await expect
      .poll(() => questionsOf(anna))
      .toMatchObject([
        { question: 'what is on it?' },
        { question: 'what colour is it?', files: [{ medium: 'image' }] },
      ])
  })

  it('that begins with /chat is asked again', async () => {
    const question = await anna.sendsFile(notes, '/chat how often? [short]')
    await anna.sees(/short answer/)
    await anna.edits(question, '/chat how high? [short]')
    await expect
      .poll(() => questionsOf(anna))
      .toMatchObject([{}, { question: expect.stringMatching(/^how high/) }])
  })

  it('of a question with a long document is asked again', async () => {
    const long = { ...notes, bytes: Buffer.from('The tide comes twice a day. '.repeat(300)) }
    const question = await anna.sendsFile(long, 'how often? [short]')
    await anna.sees(/short answer/)
    await anna.edits(question, 'how high? [short]')
    await expect.poll(() => questionsOf(anna)).toHaveLength(2)
  })

  it('that has an offer changes the offer', async () => {
    const newcomer = await sandbox.newcomer('Nora')
    const question = await newcomer.sendsFile(await jpeg(), 'what is on it?')
    await newcomer.seesButton(/^Answer · ≈/)
    await newcomer.edits(question, 'what colour is it?')
    await newcomer.sends('/settings')
    await newcomer.sees('Язык / Language')
    await newcomer.taps(/^Answer · ≈/)
    await newcomer.sees(/looked at what you attached/)
    expect(await questionsOf(newcomer)).toMatchObject([{ question: 'what colour is it?' }])
  })
})

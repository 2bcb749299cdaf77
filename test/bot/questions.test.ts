// Questions of conversations: who may answer, which message is an answer, and how a reply to a closed question is handled.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageNotes } from '../../src/db/schema.ts'
import { deleteOldNotes, noteAt } from '../../src/telegram/message-notes.ts'
import { handClock } from '../support/runtime/clock.ts'
import { png } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let groupId: number
let anna: SandboxUser
let boris: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox()
})
beforeEach(async () => {
  const people = [await sandbox.user('Anna'), await sandbox.user('Boris')] as const
  const members = people.map(({ id }) => id)
  groupId = (await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members })).id
  anna = people[0].in(groupId)
  boris = people[1].in(groupId)
})
afterAll(() => sandbox.stop())

const isCard = (prompt: string) => (message: SandboxMessage) =>
  message.from?.is_bot === true && (message.text ?? '').includes(`Prompt: ${prompt}`)
const charged = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
/** Waits until all earlier updates of the chat are handled, which is the case when a later command is answered. */
async function isDone(user: SandboxUser): Promise<void> {
  const { message_id: asked } = await user.sends('/settings')
  await user.sees(({ message_id, text }) => message_id > asked && text === 'Язык / Language')
}

describe('in a group', () => {
  const isAsked = async () => {
    await anna.sends('/video')
    return anna.sees(/Write the answer/)
  }

  it('only the user who was asked can answer; another user is told so and pays nothing', async () => {
    const question = await isAsked()
    const before = await charged()
    await boris.sends('a dog', { reply_to: question.message_id })
    await boris.sees(/not yours/)
    await anna.sends('a cat', { reply_to: question.message_id })
    await anna.sees(isCard('a cat'))
    expect(await charged()).toBe(before)
  })

  it('a reply to another message of the bot is no answer, and the question stays open', async () => {
    await anna.sends('/chat waves [short]')
    const answer = await anna.sees(
      (message) => /waves/.test(message.text ?? '') && message.from?.is_bot === true,
    )
    const question = await isAsked()
    await anna.sends('tell me more [short]', { reply_to: answer.message_id })
    await anna.sees(/tell me more/)
    await anna.sends('a cat', { reply_to: question.message_id })
    await anna.sees(isCard('a cat'))
    expect((await anna.chat()).some(isCard('tell me more'))).toBe(false)
  })

  it('a refused answer is explained in a message that can be replied to as well', async () => {
    await isAsked()
    await anna.sends('a', { reply_to: (await anna.sees(/Write the answer/)).message_id })
    await anna.sees(isCard('a'))
    await anna.taps(/^Duration/)
    await anna.taps(/Other/)
    const question = await anna.sees(({ text }) => /Duration[\s\S]*Write the answer/.test(text ?? ''))
    await anna.sends('99', { reply_to: question.message_id })
    const refusal = await anna.sees(/from 3 to 15/)
    await anna.sends('7', { reply_to: refusal.message_id })
    await anna.sees(/₽129.43/)
  })

  it('a question after a tap in a group names the person and demands a reply', async () => {
    const person = await sandbox.user('Cleo <3')
    const there = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [person.id] })
    const cleo = person.in(there.id)
    const mention = { type: 'text_mention', offset: 0, length: 7, user: { id: cleo.id } }
    await cleo.sends('/video a cat')
    await cleo.taps('✏️ Prompt')
    const question = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*Write the answer/)
    expect(question).toMatchObject({ reply_markup: { force_reply: true, selective: true } })
    expect(question.entities?.[0]).toMatchObject(mention)
    await cleo.sends('a dog', { reply_to: question.message_id })
    await cleo.sees(isCard('a dog'))
    await cleo.taps('📎 Frames')
    const file = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*picture/)
    await cleo.sendsFile(await png(), '', { reply_to: file.message_id })
    const { entities } = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*Got it: 1/)
    expect(entities).toMatchObject([mention])
  })

  it('the button of a question works only for the user who was asked', async () => {
    const question = await isAsked()
    await boris.tapsData(question.message_id, 'k')
    await boris.isTold(/not yours/)
    await anna.tapsData(question.message_id, 'k')
    await anna.isTold(/Question cancelled/)
    expect((await anna.chat()).some(({ message_id }) => message_id === question.message_id)).toBe(false)
  })

  it('in a topic the answer need not be a reply', async () => {
    const host = await sandbox.user('Host')
    const forum = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'F',
      members: [host.id],
      forum: true,
    })
    const there = host.in(forum.id)
    const { message_thread_id: thread_id } = await sandbox.post<{ message_thread_id: number }>(
      `/api/chats/${forum.id}/topics`,
      { from: host.id, name: 'Video' },
    )
    await there.sends('/video', { thread_id })
    await there.sees(/Write the answer/)
    await there.sends('@sandbox_generation_bot a cat', { thread_id })
    await there.sees(isCard('@sandbox_generation_bot a cat'))
  })
})

describe('in a private chat', () => {
  const chat = () => anna.in(anna.id)

  /** Opens the question about the duration of a new card. */
  const asksDuration = async (me: SandboxUser, prompt: string) => {
    await me.sends(`/video ${prompt}`)
    const card = await me.sees(isCard(prompt))
    await me.taps(/^Duration/)
    await me.sees((page) => page.message_id === card.message_id && labelsOf(page).includes('✏️ Other…'))
    await me.taps('✏️ Other…')
    return me.sees(
      ({ message_id, text }) => message_id > card.message_id && /Duration[\s\S]*Write/.test(text ?? ''),
    )
  }

  /** Makes the removal of an answered question fail once, so that its message stays in the chat. */
  const questionStays = () => sandbox.breaks('telegram', 'deleteMessages', { kind: 'error', status: 400 })

  it('a reply to an answered question is not sent to a text model', async () => {
    const me = chat()
    const question = await asksDuration(me, 'a cat')
    await questionStays()
    await me.sends('7')
    await me.sees(/₽129.43/)
    const before = await charged()
    await me.sends('or rather 8', { reply_to: question.message_id })
    await me.sees(/is answered, closed/)
    expect(await charged()).toBe(before)
  })

  it('a reply to an answered question does not answer the open one', async () => {
    const me = chat()
    const first = await asksDuration(me, 'a cat')
    await questionStays()
    await me.sends('7')
    await me.sees(/₽129.43/)
    const second = await asksDuration(me, 'a dog')
    await me.sends('9', { reply_to: first.message_id })
    await me.sees(/is answered, closed/)
    await me.sends('8', { reply_to: second.message_id })
    await me.sees(/₽147.92/)
  })

  it('forged taps of buttons that the card does not have change nothing', async () => {
    const me = chat()
    await me.sends('/video a cat')
    const { message_id } = await me.sees(isCard('a cat'))
    const before = await me.chat()
    for (const data of ['w', 'yd', 'u:video', 'd0', 'd1', `d2:${Date.now() + 60_000}`]) {
      await me.tapsData(message_id, data)
    }
    await isDone(me)
    expect((await me.chat()).slice(0, before.length)).toEqual(before)
    expect(await me.chat()).toHaveLength(before.length + 2)
    await expect.poll(() => me.answers()).toHaveLength(6)
  })

  it('a forged “That’s all” on another message neither answers nor closes an open question', async () => {
    const me = chat()
    await asksDuration(me, 'a cat')
    const before = await me.chat()
    await me.tapsData((await me.seesButton('✏️ Other…')).message_id, 'w')
    await me.isTold(/not yours/)
    await isDone(me)
    expect((await me.chat()).slice(0, before.length)).toEqual(before)
    await me.sends('7')
    await me.sees(/₽129.43/)
  })

  it('a forged “That’s all” on a question for a number closes it without an answer', async () => {
    const me = chat()
    const question = await asksDuration(me, 'a cat')
    await me.tapsData(question.message_id, 'w')
    await me.sees((message) => message.message_id > question.message_id && isCard('a cat')(message))
    expect((await me.chat()).some(({ message_id }) => message_id === question.message_id)).toBe(false)
    await me.sends('7')
    await me.sees(/card is still open/)
    await me.sees(/₽92.45/)
    expect(await me.transcript()).not.toContain('₽129.43')
  })

  it('a card whose sending seemed to fail is sent again, and can be ordered from', async () => {
    const me = chat()
    await sandbox.breaks('telegram', 'sendMessage', { kind: 'cut', after: true })
    await me.sends('/video a cat')
    const lost = await me.sees(isCard('a cat'))
    await me.sees((message) => message.message_id > lost.message_id && isCard('a cat')(message))
    await me.taps('Generate · ₽92.45')
    await me.sees((message) => message.video !== undefined)
  })

  it('a tap on a deleted message is answered', async () => {
    const me = chat()
    await me.sends('/video a cat')
    const { message_id } = await me.sees(isCard('a cat'))
    await me.taps('✖ Cancel')
    await me.isTold('Card closed')
    await me.tapsData(message_id, 'k')
    await me.isTold(/not yours/)
  })
})

it('the notes about messages are deleted after a month', async () => {
  const me = anna.in(anna.id)
  await me.sends('/settings')
  const settings = await me.sees('Язык / Language')
  const place = { chat: { id: me.id }, message_id: settings.message_id }
  const { db } = sandbox.app
  // The note is stored after the message is sent.
  await expect.poll(() => noteAt({ db }, place)).toMatchObject({ kind: 'settings' })
  const inDays = (days: number) => handClock(new Date(Date.now() + days * 24 * 60 * 60_000))
  await deleteOldNotes({ db, clock: inDays(29) })
  expect(await noteAt({ db }, place)).toMatchObject({ kind: 'settings' })
  await deleteOldNotes({ db, clock: inDays(31) })
  expect(await noteAt({ db }, place)).toBeUndefined()
  await me.taps('Русский')
  await me.isTold(/not yours or no longer works/)
  expect(await db.select().from(messageNotes).where(eq(messageNotes.chatId, me.id))).toEqual([])
})

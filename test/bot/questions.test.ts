// Questions of conversations: who may answer, which message is an answer, and how a reply to a closed question is handled.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { messageNotes } from '../../src/db/schema.ts'
import { deleteOldNotes, noteAt } from '../../src/telegram/message-notes.ts'
import { handClock } from '../support/runtime/clock.ts'
import { newGroup, newTopic } from '../support/users/group.ts'
import { turnsIn } from '../support/users/order.ts'
import { png } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser

const isCard = (prompt: string) => (message: SandboxMessage) =>
  message.from?.is_bot === true && (message.text ?? '').includes(`Prompt: ${prompt}`)
const to = ({ message_id }: SandboxMessage) => ({ reply_to: message_id })

/** Opens the question about the duration of a new card. */
async function asksDuration(prompt: string, isInGroup = false): Promise<SandboxMessage> {
  await anna.sends(`/video ${prompt}`)
  const card = await anna.sees(isCard(prompt))
  if (isInGroup) await anna.taps('⚙️ More')
  await anna.taps(/^Duration/)
  await anna.sees((page) => page.message_id === card.message_id && labelsOf(page).includes('✏️ Other…'))
  await anna.taps('✏️ Other…')
  return anna.sees(
    ({ message_id, text }) => message_id > card.message_id && /Duration[\s\S]*Write/.test(text ?? ''),
  )
}

describe('in a group', () => {
  let boris: SandboxUser
  beforeEach(async () => {
    ;({ anna, boris } = await newGroup(sandbox))
  })
  const isAsked = async () => {
    await anna.sends('/video')
    return anna.sees(/Write the answer/)
  }

  it('only the user who was asked can answer or cancel; another user is told so and pays nothing', async () => {
    const question = await isAsked()
    await boris.sends('a dog', to(question))
    await boris.sees(/not yours/)
    await boris.tapsData(question.message_id, 'k')
    await boris.isTold(/not yours/)
    await anna.tapsData(question.message_id, 'k')
    await anna.isTold(/Question cancelled/)
    expect((await anna.chat()).some(({ message_id }) => message_id === question.message_id)).toBe(false)
    await anna.sends('a cat', to(await isAsked()))
    await anna.sees(isCard('a cat'))
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('a reply to another message of the bot is no answer, and the question stays open', async () => {
    await anna.sends('/chat waves [short]')
    const answer = await anna.sees(/waves/)
    const question = await isAsked()
    await anna.sends('tell me more [short]', to(answer))
    await anna.sees(/tell me more/)
    await anna.sends('a cat', to(question))
    await anna.sees(isCard('a cat'))
    expect((await anna.chat()).some(isCard('tell me more'))).toBe(false)
  })

  it('a refused answer is explained in a message that can be replied to as well', async () => {
    await anna.sends('99', to(await asksDuration('a cat', true)))
    const refusal = await anna.sees(/from 3 to 15/)
    await anna.sends('7', to(refusal))
    await anna.sees(/₽129.43/)
  })

  it('a question after a tap names the person and demands a reply', async () => {
    const person = await sandbox.user('Cleo <3')
    const there = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [person.id] })
    const cleo = person.in(there.id)
    const mention = { type: 'text_mention', offset: 0, length: 7, user: { id: cleo.id } }
    await cleo.sends('/video a cat')
    await cleo.taps('⚙️ More')
    await cleo.taps('✏️ Prompt')
    const question = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*Write the answer/)
    expect(question).toMatchObject({ reply_markup: { force_reply: true, selective: true } })
    expect(question.entities?.[0]).toMatchObject(mention)
    await cleo.sends('a dog', to(question))
    await cleo.sees(isCard('a dog'))
    await cleo.taps('⚙️ More')
    await cleo.taps('📎 Frames')
    const file = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*picture/)
    await cleo.sendsFile(await png(), '', to(file))
    const { entities } = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*Got it: 1/)
    expect(entities).toMatchObject([mention])
  })

  it('in a topic the answer need not be a reply', async () => {
    const { anna: host } = await newGroup(sandbox, { forum: true })
    const place = await newTopic(sandbox, host)
    await host.sends('/video', place)
    await host.sees(/Write the answer/)
    await host.sends('@sandbox_generation_bot a cat', place)
    await host.sees(isCard('@sandbox_generation_bot a cat'))
  })
})

describe('in a private chat', () => {
  beforeEach(async () => {
    anna = await sandbox.user('Anna')
  })
  /** Waits until all earlier updates of the chat are handled, which is the case when a later command is answered. */
  async function isDone(): Promise<void> {
    const { message_id: asked } = await anna.sends('/settings')
    await anna.sees(
      ({ message_id, text }) => message_id > asked && text?.includes('Язык / Language') === true,
    )
  }

  it('a reply to an answered question is no question to a text model and does not answer the open one', async () => {
    const first = await asksDuration('a cat')
    // The removal of the answered question fails once, so that its message stays in the chat.
    await sandbox.breaks('telegram', 'deleteMessages', { kind: 'error', status: 400 })
    await anna.sends('7')
    await anna.sees(/₽129.43/)
    await anna.sends('or rather 8', to(first))
    await anna.sees(/is answered, closed/)
    const second = await asksDuration('a dog')
    const said = await anna.sends('9', to(first))
    await anna.sees((one) => one.message_id > said.message_id && /is answered, closed/.test(one.text ?? ''))
    await anna.sends('8', to(second))
    await anna.sees(/₽147.92/)
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('forged taps of buttons that the card does not have change nothing', async () => {
    await anna.sends('/video a cat')
    const { message_id } = await anna.sees(isCard('a cat'))
    const before = await anna.chat()
    const forged = ['w', 'yd', 'u:video', 'd0', 'd1', `d2:${Date.now() + 60_000}`]
    for (const data of forged) await anna.tapsData(message_id, data)
    await isDone()
    expect((await anna.chat()).slice(0, before.length)).toEqual(before)
    expect(await anna.chat()).toHaveLength(before.length + 2)
    await expect.poll(() => anna.answers()).toHaveLength(forged.length)
  })

  it('a forged “That’s all” answers nothing: on another message it is refused, on the question it closes it', async () => {
    const question = await asksDuration('a cat')
    const before = await anna.chat()
    await anna.tapsData((await anna.seesButton('✏️ Other…')).message_id, 'w')
    await anna.isTold(/not yours/)
    expect(await anna.chat()).toEqual(before)
    await anna.tapsData(question.message_id, 'w')
    await anna.sees((message) => message.message_id > question.message_id && isCard('a cat')(message))
    expect((await anna.chat()).some(({ message_id }) => message_id === question.message_id)).toBe(false)
    await anna.sends('7')
    await anna.sees(/card is still open/)
    await anna.sees(/₽92.45/)
    expect(await anna.transcript()).not.toContain('₽129.43')
  })

  it('a card whose sending seemed to fail is sent again, and can be ordered from', async () => {
    await sandbox.breaks('telegram', 'sendMessage', { kind: 'cut', after: true })
    await anna.sends('/video a cat')
    const lost = await anna.sees(isCard('a cat'))
    await anna.sees((message) => message.message_id > lost.message_id && isCard('a cat')(message))
    await anna.taps('Generate · ₽92.45')
    await anna.sees((message) => message.video !== undefined)
  })

  it('a tap on a deleted message is answered', async () => {
    await anna.sends('/video a cat')
    const { message_id } = await anna.sees(isCard('a cat'))
    await anna.taps('✖ Close')
    await anna.isTold('Card closed')
    await anna.tapsData(message_id, 'k')
    await anna.isTold(/not yours/)
  })

  it('the notes about messages are deleted after a month', async () => {
    await anna.sends('/settings')
    const settings = await anna.sees('Язык / Language')
    const place = { chat: { id: anna.id }, message_id: settings.message_id }
    const { db } = sandbox.app
    // The note is stored after the message is sent.
    await expect.poll(() => noteAt({ db }, place)).toMatchObject({ kind: 'settings' })
    const inDays = (days: number) => handClock(new Date(Date.now() + days * 24 * 60 * 60_000))
    await deleteOldNotes({ db, clock: inDays(29) })
    expect(await noteAt({ db }, place)).toMatchObject({ kind: 'settings' })
    await deleteOldNotes({ db, clock: inDays(31) })
    expect(await noteAt({ db }, place)).toBeUndefined()
    await anna.taps('Русский')
    await anna.isTold(/not yours or no longer works/)
    expect(await db.$count(messageNotes, eq(messageNotes.chatId, anna.id))).toBe(0)
  })
})

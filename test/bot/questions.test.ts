// Questions of conversations: who may answer, which message is an answer, what closes a question and what leaves it open, so that no answer
// becomes a paid question to a text model.

import { and, eq, like, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conversationStates, messageNotes } from '../../src/db/schema.ts'
import { deleteOldNotes, noteAt } from '../../src/telegram/message-notes.ts'
import { handClock } from '../support/runtime/clock.ts'
import { groupOf, newGroup, newTopic } from '../support/users/group.ts'
import { requestOf, turnsIn } from '../support/users/order.ts'
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
  const card = await anna.asks(`/video ${prompt}`, isCard(prompt))
  if (isInGroup) await anna.taps('⚙️ More')
  await anna.tapsFor(
    /^Duration/,
    (page) => page.message_id === card.message_id && labelsOf(page).includes('✏️ Other…'),
  )
  await anna.taps('✏️ Other…')
  return anna.seesBelow(card, /Duration[\s\S]*Write/)
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
    await boris.asks('a dog', /not yours/, to(question))
    await boris.tapsData(question.message_id, 'k')
    await boris.isTold(/not yours/)
    await anna.tapsData(question.message_id, 'k')
    await anna.isTold(/Question cancelled/)
    expect((await anna.chat()).some(({ message_id }) => message_id === question.message_id)).toBe(false)
    await anna.asks('a cat', isCard('a cat'), to(await isAsked()))
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('a reply to another message of the bot is no answer, and the question stays open', async () => {
    const answer = await anna.asks('/chat waves [short]', /waves/)
    const question = await isAsked()
    await anna.asks('tell me more [short]', /tell me more/, to(answer))
    await anna.asks('a cat', isCard('a cat'), to(question))
    expect((await anna.chat()).some(isCard('tell me more'))).toBe(false)
  })

  it('a refused answer is explained in a message that can be replied to as well', async () => {
    const refusal = await anna.asks('99', /from 3 to 15/, to(await asksDuration('a cat', true)))
    await anna.asks('7', /₽129.43/, to(refusal))
  })

  it('a question after a tap names the person and demands a reply', async () => {
    const person = await sandbox.user('Cleo <3')
    const cleo = person.in(await groupOf(sandbox, person))
    const mention = { type: 'text_mention', offset: 0, length: 7, user: { id: cleo.id } }
    await cleo.opens('/video a cat', '⚙️ More', '✏️ Prompt')
    const question = await cleo.sees(/^Cleo <3, reply to this message\.[\s\S]*Write the answer/)
    expect(question).toMatchObject({ reply_markup: { force_reply: true, selective: true } })
    expect(question.entities?.[0]).toMatchObject(mention)
    const { message_id: card } = await cleo.asks('a dog', isCard('a dog'), to(question))
    // The card before the answer may still be shown.
    await cleo.tapsFor('⚙️ More', (one) => one.message_id === card && labelsOf(one).includes('📎 Frames'))
    const file = await cleo.tapsFor('📎 Frames', /^Cleo <3, reply to this message\.[\s\S]*picture/)
    const { entities } = await cleo.attaches(
      await png(),
      '',
      /^Cleo <3, reply to this message\.[\s\S]*Got it: 1/,
      to(file),
    )
    expect(entities).toMatchObject([mention])
  })

  it('in a topic the answer need not be a reply', async () => {
    const { anna: host } = await newGroup(sandbox, { forum: true })
    const place = await newTopic(sandbox, host)
    await host.asks('/video', /Write the answer/, place)
    await host.asks('@sandbox_generation_bot a cat', isCard('@sandbox_generation_bot a cat'), place)
  })
})

describe('in a private chat', () => {
  beforeEach(async () => {
    anna = await sandbox.user('Anna')
  })

  it('a reply to an answered question is no question to a text model and does not answer the open one', async () => {
    const first = await asksDuration('a cat')
    // The removal of the answered question fails once, so that its message stays in the chat.
    await sandbox.breaks('telegram', 'deleteMessages', { kind: 'error', status: 400 })
    await anna.asks('7', /₽129.43/)
    await anna.asks('or rather 8', /is answered, closed/, to(first))
    const second = await asksDuration('a dog')
    await anna.asks('9', /is answered, closed/, to(first))
    await anna.asks('8', /₽147.92/, to(second))
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('a forged “That’s all” answers nothing: on another message it is refused, on the question it closes it', async () => {
    const question = await asksDuration('a cat')
    const before = await anna.chat()
    await anna.tapsData((await anna.seesButton('✏️ Other…')).message_id, 'w')
    await anna.isTold(/not yours/)
    expect(await anna.chat()).toEqual(before)
    await anna.tapsData(question.message_id, 'w')
    await anna.seesBelow(question, isCard('a cat'))
    expect((await anna.chat()).some(({ message_id }) => message_id === question.message_id)).toBe(false)
    await anna.asks('7', /card is still open/)
    await anna.sees(/₽92.45/)
    expect(await anna.transcript()).not.toContain('₽129.43')
  })

  it('a card whose sending seemed to fail is sent again, and can be ordered from', async () => {
    await sandbox.breaks('telegram', 'sendMessage', { kind: 'cut', after: true })
    const lost = await anna.asks('/image a cat', isCard('a cat'))
    await anna.seesBelow(lost, isCard('a cat'))
    await anna.tapsFor(/^Generate/, (message) => message.photo !== undefined)
  })

  it('the notes about messages are deleted after a month', async () => {
    const settings = await anna.asks('/settings', 'Язык / Language')
    const place = { chat: { id: anna.id }, message_id: settings.message_id }
    const { db } = sandbox.app
    // The note is stored after the message is sent.
    await expect.poll(() => noteAt({ db }, place)).toMatchObject({ kind: 'settings' })
    const inDays = (days: number) => handClock(new Date(Date.now() + days * 24 * 60 * 60_000))
    await deleteOldNotes({ db, clock: inDays(29) })
    expect(await noteAt({ db }, place)).toMatchObject({ kind: 'settings' })
    await deleteOldNotes({ db, clock: inDays(31) })
    expect(await noteAt({ db }, place)).toBeUndefined()
    await anna.hears('Русский', /not yours or no longer works/)
    expect(await db.$count(messageNotes, eq(messageNotes.chatId, anna.id))).toBe(0)
  })
})

describe('the open question', () => {
  beforeEach(async () => {
    anna = await sandbox.user('Anna')
  })
  afterEach(async () => expect(await turnsIn(sandbox, anna)).toEqual([]))

  const isShown = async ({ message_id: id }: SandboxMessage) =>
    (await anna.chat()).some(({ message_id }) => message_id === id)
  const areGone = async (...messages: SandboxMessage[]) => {
    for (const message of messages) await expect.poll(() => isShown(message)).toBe(false)
  }

  async function asksPrompt(): Promise<SandboxMessage> {
    await anna.opens('/video a dog', /Prompt/)
    return anna.sees(/Write the answer/)
  }

  async function asksName(): Promise<SandboxMessage> {
    await anna.tapsAll('⚙️ More', /Presets/, /Save as a preset/)
    return anna.sees(/Name of the preset/)
  }

  /** Counts the open questions. A state without a version only records which update closed the question. */
  const openStates = () =>
    sandbox.app.db.$count(
      conversationStates,
      and(like(conversationStates.key, `${anna.id}:%`), sql`${conversationStates.value} ? 'version'`),
    )

  it('stays open after commands, a tap on another message, and a button of an answered question', async () => {
    const old = await asksPrompt()
    for (const command of ['/balance', '/help', '/nonsense', '/history', '/settings'])
      await anna.sends(command)
    const settings = await anna.sees('Язык / Language')
    await anna.tapsData(settings.message_id, 'l:en')
    await anna.isTold(/I’ll speak English/)
    await anna.asks('a cat', isCard('a cat'))
    await anna.tapsAll(/^Duration/, /Other/)
    await anna.seesBelow(old, /^Duration\n/)
    await anna.tapsData(old.message_id, 'k')
    await anna.isTold(/closed before/)
    await areGone(old)
    await anna.asks('7', /₽129.43/)
  })

  it('closes by a valid answer, with the refusals of earlier answers', async () => {
    const question = await asksDuration('a cat')
    const refusals = [await anna.asks('a week', /Write it again/), await anna.asks('99', /Write it again/)]
    expect(await isShown(question)).toBe(true)
    await anna.asks('7', /₽129.43/)
    await areGone(question, ...refusals)
    const asking = (await anna.chat()).filter((message) => labelsOf(message).includes('✖ Cancel'))
    expect(asking.filter((message) => !isCard('a cat')(message))).toEqual([])
  })

  it('closes by “That’s all”, with the messages that counted the files', async () => {
    await anna.sends('/video a cat')
    const question = await anna.tapsFor('📎 Frames', /Send a picture/)
    const counted = await anna.attaches(await png(), '', /Got it: 1/)
    await anna.taps('✅ That’s all')
    await anna.seesButton('Frames: 🖼')
    await areGone(question, counted)
  })

  it('closes by the name of a preset, by a tap on another preset, or on “Back”', async () => {
    await anna.sends('/image a cat')
    const named = await asksName()
    await anna.asks('cats', /Saved as “cats”/)
    await areGone(named)
    for (const button of ['📌 cats', '‹ Back']) {
      const question = await asksName()
      await anna.taps(button)
      await areGone(question)
    }
    await anna.asks('Why is the sky blue?', /card is still open/)
  })

  it('closes by its own cancel button, by /start, by another question, and by /cancel, which leaves the card', async () => {
    const cancelled = await asksPrompt()
    await anna.tapsData(cancelled.message_id, 'k')
    await areGone(cancelled)
    await expect.poll(openStates).toBe(0)
    for (const [command, told] of [
      ['/start', /Hello/],
      ['/image', /Design[\s\S]*For example/],
    ] as const) {
      const question = await asksPrompt()
      await anna.asks(command, told)
      await areGone(question)
    }
    expect((await anna.asks('a fox', isCard('a fox'))).text).toContain('Design')
    const question = await asksDuration('a cat')
    await anna.asks('/cancel', 'The question “Duration” is closed. The card “Reel: a cat” stays open.')
    await areGone(question)
    await anna.tapsFor('‹ Back', isCard('a cat'))
  })

  it('closes by the first step of the guide, which takes the words after it', async () => {
    await anna.asks('/image a fox', isCard('a fox'))
    const question = await anna.asks('/promo', /code/)
    await anna.tapsAll('⚙️ More', '🪜 Step by step')
    await areGone(question)
    await expect.poll(openStates).toBe(0)
    await anna.asks('16:9', /./)
    await anna.tapsFor('✅ Enough, show the price', isCard('a fox'))
    await anna.seesButton('Aspect ratio: 16:9')
  })

  it('closes with its card, which is closed or ordered', async () => {
    const closed = await asksDuration('a cat')
    await anna.tapsAll('‹ Back', '✖ Close')
    await areGone(closed)
    const ordered = await asksDuration('a dog')
    await anna.taps('‹ Back')
    await requestOf(sandbox, anna)
    await areGone(ordered)
  })
})

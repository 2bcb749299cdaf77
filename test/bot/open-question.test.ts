// What closes the open question of a conversation and what leaves it open, so that no answer becomes a paid question to a text model.

import { and, eq, isNotNull, like, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conversationStates, users } from '../../src/db/schema.ts'
import { turnsIn } from '../support/users/order.ts'
import { png } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})
afterEach(async () => expect(await turnsIn(sandbox, anna)).toEqual([]))

const isCard = (prompt: string) => (message: SandboxMessage) =>
  message.from?.is_bot === true && (message.text ?? '').includes(`Prompt: ${prompt}`)
const isShown = async ({ message_id: id }: SandboxMessage) =>
  (await anna.chat()).some(({ message_id }) => message_id === id)
const isGone = (message: SandboxMessage) => expect.poll(() => isShown(message)).toBe(false)
/** Answers with a duration, and waits for its price on the card. */
const isTaken = async () => {
  await anna.sends('7')
  await anna.sees(/₽129.43/)
}
const isRefused = async (wrong: string) => {
  const { message_id: said } = await anna.sends(wrong)
  return anna.sees(({ message_id, text }) => message_id > said && /Write it again/.test(text ?? ''))
}

async function asksPrompt(): Promise<SandboxMessage> {
  await anna.sends('/video a dog')
  await anna.taps(/Prompt/)
  return anna.sees(/Write the answer/)
}

/** Opens a card whose question for the prompt is answered. @returns that question, whose buttons a client can still show */
async function opensCard(): Promise<SandboxMessage> {
  const question = await asksPrompt()
  await anna.sends('a cat')
  await anna.sees(isCard('a cat'))
  return question
}

async function asksDuration({ message_id: above }: SandboxMessage): Promise<SandboxMessage> {
  await anna.taps(/^Duration/)
  await anna.taps(/Other/)
  return anna.sees(({ message_id, text }) => message_id > above && /^Duration\n/.test(text ?? ''))
}

async function asksName(): Promise<SandboxMessage> {
  await anna.taps('⚙️ More')
  await anna.taps(/Presets/)
  await anna.taps(/Save as a preset/)
  return anna.sees(/Name of the preset/)
}

/** Counts the open questions. A state without a version only records which update closed the question. */
const openStates = () =>
  sandbox.app.db.$count(
    conversationStates,
    and(like(conversationStates.key, `${anna.id}:%`), sql`${conversationStates.value} ? 'version'`),
  )

describe('a button of an answered question', () => {
  it('closes this question only, and the open question can be answered', async () => {
    const old = await opensCard()
    await asksDuration(old)
    await anna.tapsData(old.message_id, 'k')
    await anna.isTold(/closed before/)
    await isGone(old)
    await isTaken()
  })

  it('“Settings first” shows its card, and the open question can be answered', async () => {
    const old = await opensCard()
    await asksDuration(old)
    await anna.tapsData(old.message_id, 'w')
    await anna.sees((message) => isCard('a cat')(message) && message.message_id > old.message_id + 2)
    await isTaken()
  })
})

describe('a question stays open', () => {
  it('after commands and after a tap on another message', async () => {
    await asksPrompt()
    for (const command of ['/balance', '/help', '/nonsense', '/history', '/settings'])
      await anna.sends(command)
    const settings = await anna.sees('Язык / Language')
    await anna.tapsData(settings.message_id, 'l:en')
    await anna.isTold(/I’ll speak English/)
    await anna.sends('a cat')
    await anna.sees(isCard('a cat'))
  })

  it('after a tap on “Back” of another card', async () => {
    await anna.sends('/image a cat')
    await anna.taps('🎛 Model')
    const other = await anna.seesButton('‹ Back')
    const buttons = other.reply_markup?.inline_keyboard?.flat() ?? []
    const back = buttons.find(({ text }) => text === '‹ Back')?.callback_data
    await anna.sends('/image a dog')
    await anna.sees(/Prompt: a dog/)
    const question = await asksName()
    await anna.tapsData(other.message_id, back ?? '')
    await anna.sees((one) => one.message_id === other.message_id && /Prompt: a cat/.test(one.text ?? ''))
    expect(await isShown(question)).toBe(true)
    await anna.sends('dogs')
    await anna.sees(/Saved as “dogs”/)
  })
})

describe('a question closes and its message is removed', () => {
  it('by a valid answer, with the refusals of earlier answers', async () => {
    const question = await asksDuration(await opensCard())
    const refusals = [await isRefused('a week'), await isRefused('99')]
    expect(await isShown(question)).toBe(true)
    await isTaken()
    for (const message of [question, ...refusals]) await isGone(message)
    const asking = (await anna.chat()).filter((message) => labelsOf(message).includes('✖ Cancel'))
    expect(asking.filter((message) => !isCard('a cat')(message))).toEqual([])
  })

  it('by the button “That’s all”, with the messages that counted the files', async () => {
    await opensCard()
    await anna.taps('📎 Frames')
    const question = await anna.sees(/Send a picture/)
    await anna.sendsFile(await png())
    const counted = await anna.sees(/Got it: 1/)
    await anna.taps('✅ That’s all')
    await anna.seesButton('Frames: 🖼')
    await isGone(question)
    await isGone(counted)
  })

  it('by the name of a preset, by a tap on another preset, or on “Back”', async () => {
    await anna.sends('/image a cat')
    const named = await asksName()
    await anna.sends('cats')
    await anna.sees(/Saved as “cats”/)
    await isGone(named)
    const tapped = await asksName()
    await anna.taps('📌 cats')
    await isGone(tapped)
    const left = await asksName()
    await anna.taps('‹ Back')
    await isGone(left)
    await anna.sends('Why is the sky blue?')
    await anna.sees(/card is still open/)
  })

  it('by its own cancel button, and by /start', async () => {
    const cancelled = await asksPrompt()
    await anna.tapsData(cancelled.message_id, 'k')
    await isGone(cancelled)
    await expect.poll(openStates).toBe(0)
    const left = await asksPrompt()
    await anna.sends('/start')
    await anna.sees('Hello')
    await isGone(left)
  })

  it('by /cancel, which says so and leaves the card', async () => {
    const question = await asksDuration(await opensCard())
    await anna.sends('/cancel')
    await anna.sees('The question “Duration” is closed. The card “Reel: a cat” stays open.')
    await isGone(question)
    await anna.taps('‹ Back')
    await anna.sees(isCard('a cat'))
  })

  it('by another question', async () => {
    const question = await asksPrompt()
    await anna.sends('/image')
    await anna.sees(/Design[\s\S]*For example/)
    await isGone(question)
    await anna.sends('a fox')
    expect((await anna.sees(isCard('a fox'))).text).toContain('Design')
  })

  it.each(['✖ Close', /Generate/])('with its card, by %s', async (button) => {
    const question = await asksDuration(await opensCard())
    await anna.taps('‹ Back')
    await anna.taps(button)
    await isGone(question)
  })

  it('when the data of its user is deleted', async () => {
    await asksPrompt()
    const isAnna = eq(users.telegramId, anna.id)
    const [{ id } = { id: 0n }] = await sandbox.app.db.select().from(users).where(isAnna)
    await anna.sends('/delete_me')
    await anna.taps('🗑 Continue')
    await anna.taps('🗑 Yes, delete for good')
    await expect.poll(openStates).toBe(0)
    const isForgotten = and(eq(users.id, id), isNotNull(users.forgottenAt))
    await expect.poll(() => sandbox.app.db.$count(users, isForgotten)).toBe(1)
  })
})

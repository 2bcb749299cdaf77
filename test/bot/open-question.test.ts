// What closes the open question of a conversation and what leaves it open, so that no answer becomes a paid question to a text model.

import { isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conversationStates, users } from '../../src/db/schema.ts'
import { png } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox()
})
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})
afterAll(() => sandbox.stop())

const isCard = (prompt: string) => (message: SandboxMessage) =>
  message.from?.is_bot === true && (message.text ?? '').includes(`Prompt: ${prompt}`)
const isAsked = () => anna.sees(/Write the answer/)
const isShown = async ({ message_id: id }: SandboxMessage) =>
  (await anna.chat()).some(({ message_id }) => message_id === id)
const isGone = (message: SandboxMessage) => expect.poll(() => isShown(message)).toBe(false)
const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

async function asksPrompt(): Promise<SandboxMessage> {
  await anna.sends('/video a dog')
  await anna.taps(/Prompt/)
  return isAsked()
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

/** Counts the open questions. A state without a version only records which update closed the question. */
const openStates = () =>
  sandbox.app.db.$count(conversationStates, sql`${conversationStates.value} ? 'version'`)

describe('a button of an answered question', () => {
  it('closes this question only, and the open question can be answered', async () => {
    const old = await opensCard()
    await asksDuration(old)
    const before = await spent()
    await anna.tapsData(old.message_id, 'k')
    await anna.isTold(/closed before/)
    await isGone(old)
    await anna.sends('7')
    await anna.sees(/₽129.43/)
    expect(await spent()).toBe(before)
  })

  it('about the same setting does not close the open question', async () => {
    const question = await opensCard()
    const first = await anna.sees(isCard('a cat'))
    const old = await asksDuration(question)
    await anna.sends('5')
    const card = await anna.sees((message) => isCard('a cat')(message) && message.message_id > old.message_id)
    // While the first card is not removed yet, `taps` could find its buttons instead of the new ones.
    await isGone(first)
    await asksDuration(card)
    await anna.tapsData(old.message_id, 'k')
    await anna.isTold(/closed before/)
    await anna.sends('7')
    await anna.sees(/₽129.43/)
  })

  it('“Settings first” shows its card, and the open question can be answered', async () => {
    const old = await opensCard()
    await asksDuration(old)
    await anna.tapsData(old.message_id, 'w')
    await anna.sees((message) => isCard('a cat')(message) && message.message_id > old.message_id + 2)
    await anna.sends('7')
    await anna.sees(/₽129.43/)
  })
})

describe('a question stays open', () => {
  it.each(['/balance', '/help', '/settings', '/nonsense', '/history'])('after %s', async (command) => {
    await asksPrompt()
    const before = await spent()
    await anna.sends(command)
    await anna.sends('a cat')
    await anna.sees(isCard('a cat'))
    expect(await spent()).toBe(before)
  })

  it('after a tap on another message', async () => {
    await anna.sends('/settings')
    const settings = await anna.sees('Язык / Language')
    await asksPrompt()
    await anna.tapsData(settings.message_id, 'l:en')
    await anna.isTold(/I’ll speak English/)
    await anna.sends('a cat')
    await anna.sees(isCard('a cat'))
  })

  it('after a refused answer, until a valid one is taken', async () => {
    await asksDuration(await opensCard())
    const before = await spent()
    for (const wrong of ['a week', '99']) {
      const { message_id: said } = await anna.sends(wrong)
      await anna.sees(({ message_id, text }) => message_id > said && /Write it again/.test(text ?? ''))
    }
    await anna.sends('7')
    await anna.sees(/₽129.43/)
    expect(await spent()).toBe(before)
  })
})

describe('a question closes and its message is removed', () => {
  it('by a valid answer, with the refusals of earlier answers', async () => {
    const question = await asksDuration(await opensCard())
    const { message_id: said } = await anna.sends('99')
    const refusal = await anna.sees(
      ({ message_id, text }) => message_id > said && /Write it again/.test(text ?? ''),
    )
    expect(await isShown(question)).toBe(true)
    await anna.sends('7')
    await anna.sees(/₽129.43/)
    await isGone(question)
    await isGone(refusal)
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

  it('by the name of a preset', async () => {
    await opensCard()
    await anna.taps(/Presets/)
    await anna.taps(/Save these settings/)
    const question = await anna.sees(/What should we call|name/i)
    await anna.sends('cats')
    await anna.sees(/Saved as/)
    await isGone(question)
  })

  it('by its own cancel button', async () => {
    const question = await asksPrompt()
    await anna.tapsData(question.message_id, 'k')
    await isGone(question)
    await expect.poll(openStates).toBe(0)
  })

  it('by /cancel, which says so and leaves the card', async () => {
    const question = await asksDuration(await opensCard())
    await anna.sends('/cancel')
    await anna.sees('Closed the question “Duration”. The card “Reel: a cat” stays open.')
    await isGone(question)
    await anna.taps('‹ Back')
    await anna.sees(isCard('a cat'))
  })

  it('by /start', async () => {
    const question = await asksPrompt()
    await anna.sends('/start')
    await anna.sees('Hello')
    await isGone(question)
  })

  it('by another question', async () => {
    const question = await asksPrompt()
    await anna.sends('/image')
    await anna.sees(/Design · step 1 of/)
    await isGone(question)
    await anna.sends('a fox')
    await anna.sees(/Design · step 2 of/)
    await anna.taps('✅ Show the card')
    expect((await anna.sees(isCard('a fox'))).text).toContain('Design')
  })

  it("with its card, by the card's “Cancel” or by an order", async () => {
    const cancelled = await asksDuration(await opensCard())
    await anna.taps('‹ Back')
    await anna.taps('✖ Cancel')
    await isGone(cancelled)
    anna = await sandbox.user('Anna')
    const ordered = await asksDuration(await opensCard())
    await anna.taps('‹ Back')
    await anna.taps(/Generate/)
    await isGone(ordered)
  })

  it('when the data of its user is deleted', async () => {
    await asksPrompt()
    await anna.sends('/delete_me')
    await anna.taps('🗑 Continue')
    await anna.taps('🗑 Yes, delete for good')
    await expect.poll(openStates).toBe(0)
    await expect.poll(() => sandbox.app.db.$count(users, isNotNull(users.forgottenAt))).toBe(1)
  })
})

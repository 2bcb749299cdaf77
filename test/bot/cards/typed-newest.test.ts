// A value that is typed while both a page and a question are open belongs to the one that was opened last.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

/** Sends a card of a video and opens the page of its duration. @returns the message id of the card */
async function opensDuration(): Promise<number> {
  await anna.sends('/video a cat')
  await anna.taps(/^Duration/)
  return (await anna.seesButton('‹ Back')).message_id
}

async function asksPrompt(): Promise<void> {
  await anna.sends('/image a dog')
  await anna.taps(/Prompt/)
  await anna.sees(/Write the answer/)
}

describe('a value typed on the page of a newer card does not answer', () => {
  it('the question for the prompt of an older card', async () => {
    await asksPrompt()
    await opensDuration()
    const before = await spent()
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
    // The question is still open for a text that is not a value.
    await anna.sends('a fox')
    await anna.sees(/Prompt: a fox/)
    expect(await spent()).toBe(before)
  })

  it('the question for a dialogue that has refused an answer', async () => {
    await anna.sends('/dialogue One: hi\nTwo: hello\nThree: hey')
    await anna.sees(/More than two/)
    const { message_id: said } = await anna.sends('One: hi\nTwo: hello\nThree: hey')
    await anna.sees(({ message_id, text }) => message_id > said && /More than two/.test(text ?? ''))
    await opensDuration()
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
  })

  it('a step of the guide of an older card', async () => {
    await anna.sends('/image')
    await anna.sees(/step 1 of/)
    await opensDuration()
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
  })
})

describe('a question takes', () => {
  it('a number typed after the question, although a page was opened before it', async () => {
    await opensDuration()
    await asksPrompt()
    await anna.sends('10')
    await anna.sees(/Prompt: 10/)
  })

  it('a reply to it, although a page was opened after it', async () => {
    await asksPrompt()
    const question = await anna.sees(/Write the answer/)
    await opensDuration()
    await anna.sends('10', { reply_to: question.message_id })
    await anna.sees(/Prompt: 10/)
  })
})

it('a reply to the card is the value of its page, also when a question was asked later', async () => {
  const card = await opensDuration()
  await asksPrompt()
  await anna.sends('10', { reply_to: card })
  await anna.seesButton('Duration: 10 s')
})

// A value that is typed while an older question is open, too: what was opened last takes it.

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

/** The card of a video, with the page of its length. */
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

describe('a value that is typed on the page of a newer card is not the answer to', () => {
  it('the question for the prompt of an older card', async () => {
    await asksPrompt()
    await opensDuration()
    const before = await spent()
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
    // The question is still open for words that are no value.
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

describe('the answer of a question is', () => {
  it('what is typed after it was asked, although a page was opened before', async () => {
    await opensDuration()
    await asksPrompt()
    await anna.sends('10')
    await anna.sees(/Prompt: 10/)
  })

  it('what replies to it', async () => {
    await asksPrompt()
    const question = await anna.sees(/Write the answer/)
    await opensDuration()
    await anna.sends('10', { reply_to: question.message_id })
    await anna.sees(/Prompt: 10/)
  })
})

it('a reply to the card is a value, also when a question was asked since', async () => {
  const card = await opensDuration()
  await asksPrompt()
  await anna.sends('10', { reply_to: card })
  await anna.seesButton('Duration: 10 s')
})

// When the question for the name of a preset closes and when it stays open, so that no ordinary text becomes a name.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox()
})
beforeEach(async () => {
  anna = await sandbox.user('Anna')
  await anna.sends('/image a cat')
})
afterAll(() => sandbox.stop())

async function asksName(): Promise<SandboxMessage> {
  await anna.taps(/Presets/)
  await anna.taps(/Save these settings/)
  return anna.sees(/What shall these settings be/)
}

const isShown = async ({ message_id: id }: SandboxMessage) =>
  (await anna.chat()).some(({ message_id }) => message_id === id)

/** Waits until the question is removed, and checks that the next text is none of its answers. */
async function isClosed(question: SandboxMessage): Promise<void> {
  await expect.poll(() => isShown(question)).toBe(false)
  await anna.sends('Why is the sky blue?')
  await anna.sees(/card is still open/)
}

describe('the question for the name of a preset', () => {
  it('closes after a tap on “Back”', async () => {
    const question = await asksName()
    await anna.taps('‹ Back')
    await isClosed(question)
  })

  it('closes after a tap on another preset', async () => {
    await asksName()
    await anna.sends('cats')
    await anna.sees(/Saved as “cats”/)
    const question = await asksName()
    await anna.taps('⭐ cats')
    await isClosed(question)
  })

  it('stays open after a tap on “Back” of another card', async () => {
    await anna.taps('⚙️ More settings')
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

// A command with a prompt that the model does not accept: one message says why, and the prompt is kept for a correction.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { type SandboxUser, textOf } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const crowd = 'Anna: hi\nBoris: hello\nVera: hey'
const pair = 'Anna: hi\nBoris: hello'
const ofBot = async () => (await anna.chat()).filter(({ from }) => from?.is_bot === true)

async function asked() {
  await anna.sends(`/dialogue ${crowd}`)
  const question = await anna.sees(/More than two speakers \(Anna, Boris, Vera\)/)
  expect(textOf(question)).toContain(crowd)
  return question
}

describe('a dialogue of three speakers', () => {
  it('is refused in one message that repeats its text and asks for a correction', async () => {
    await asked()
    expect(await ofBot()).toHaveLength(1)
    await anna.sends(pair)
    await anna.sees(/Boris: hello[\s\S]*Price/)
  })

  it('stays on its card, and the question for the text repeats it for a correction', async () => {
    const { message_id: first } = await asked()
    await anna.taps(/Settings first/)
    await anna.sees(/⚠️ More than two speakers \(Anna, Boris, Vera\)/)
    await anna.taps(/Text or dialogue/)
    const again = await anna.sees(
      (message) => message.message_id > first && /^Text or dialogue\n/.test(textOf(message)),
    )
    expect(textOf(again)).toContain(crowd)
  })

  it('becomes the text of a card when another model is chosen', async () => {
    await asked()
    await anna.taps(/Settings first/)
    await anna.taps(/^🎛 Model/)
    await anna.taps(/^Turbo voice/)
    await anna.sees(/Vera: hey[\s\S]*Price/)
  })
})

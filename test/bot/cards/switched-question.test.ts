// A question that is open on a card while the model of the card is switched: its answer goes onto the card, or the question closes.

import { beforeEach, expect, it } from 'vitest'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const below =
  ({ message_id: above }: SandboxMessage, text: RegExp) =>
  (message: SandboxMessage) =>
    message.from?.is_bot === true && message.message_id > above && text.test(message.text ?? '')

async function asks(button: RegExp): Promise<SandboxMessage> {
  const card = await anna.seesButton(button)
  await anna.taps(button)
  return anna.sees(below(card, /./))
}

async function asksSeed(): Promise<SandboxMessage> {
  const question = await anna.tapsFor(['⚙️ More', '✏️ Seed'], /Seed\n/)
  await anna.taps('‹ Back')
  return question
}

async function switches(to: RegExp): Promise<void> {
  await anna.tapsAll('🎛 Model', to)
  await anna.seesButton('⚙️ More')
}

const isGone = (message: SandboxMessage) =>
  expect
    .poll(async () => (await anna.chat()).map(({ message_id }) => message_id))
    .not.toContain(message.message_id)

it.each([
  ['/video a cat', /^✏️ Prompt/, [/^Dream/, /^Wan/]],
  ['/speech hello', /^✏️ Text/, [/^Dialogue/]],
] as const)(
  '%s: a prompt typed after the model was switched goes onto the card',
  async (command, button, models) => {
    await anna.sends(command)
    const question = await asks(button)
    for (const model of models) await switches(model)
    const said = await anna.sends('Bob: a dog')
    const card = await anna.sees(below(said, /: Bob: a dog/))
    expect(card.text).toContain(`${models.at(-1)?.source.slice(1)}`)
    await isGone(question)
  },
)

it('a picture sent after the model was switched goes onto the card', async () => {
  await anna.sends('/video a cat')
  await asks(/^📎 Frames/)
  await switches(/^Dream/)
  await anna.sendsFile(await png())
  await anna.seesButton('First frame: 🖼')
})

it('the question for a setting stays open while the other model has the setting, and closes when its model is tapped or typed', async () => {
  await anna.sends('/video a cat')
  await asksSeed()
  await switches(/^Wan/)
  const said = await anna.sends('1234567')
  await anna.sees(below(said, /Seed: 1234567/))
  for (const way of ['tapped', 'typed']) {
    anna = await sandbox.user('Anna')
    await anna.sends('/video a cat')
    const question = await asksSeed()
    await anna.taps('🎛 Model')
    await anna.seesButton(/^● Reel/)
    if (way === 'typed') await anna.sends('Dream')
    else await anna.taps(/^Dream/)
    await isGone(question)
  }
})

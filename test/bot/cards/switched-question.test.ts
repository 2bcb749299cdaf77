// A question that is open on a card while the model of the card is switched: its answer goes onto the card, or the question closes.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { png } from '../../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())
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

async function switches(to: RegExp): Promise<void> {
  await anna.taps('🎛 Model')
  await anna.taps(to)
  await anna.seesButton('🎛 Model')
}

const isGone = (message: SandboxMessage) =>
  expect
    .poll(async () => (await anna.chat()).map(({ message_id }) => message_id))
    .not.toContain(message.message_id)

describe('a prompt typed after the model was switched goes onto the card', () => {
  it.each([
    ['/video a cat', /^✏️ Prompt/, [/^Dream/]],
    ['/video a cat', /^✏️ Prompt/, [/^Dream/, /^Wan/]],
    ['/speech hello', /^✏️ Text/, [/^Dialogue/]],
  ] as const)('%s, case %#', async (command, button, models) => {
    await anna.sends(command)
    const question = await asks(button)
    for (const model of models) await switches(model)
    const said = await anna.sends('Bob: a dog')
    const card = await anna.sees(below(said, /: Bob: a dog/))
    expect(card.text).toContain(`${models.at(-1)?.source.slice(1)}`)
    await isGone(question)
  })
})

it('a picture sent after the model was switched goes onto the card', async () => {
  await anna.sends('/video a cat')
  await asks(/^📎 Frames/)
  await switches(/^Dream/)
  await anna.sendsFile(await png())
  await anna.seesButton('First frame: 🖼')
})

describe('the question for a setting that the other model lacks', () => {
  beforeEach(async () => {
    await anna.sends('/video a cat')
    await anna.taps('⚙️ More settings')
    await anna.taps('✏️ Seed')
  })
  const isSeed = /^Seed\n/

  it('closes when the model is tapped', async () => {
    const question = await anna.sees(isSeed)
    await anna.taps('‹ Back')
    await switches(/^Dream/)
    await isGone(question)
  })

  it('closes when the model is typed', async () => {
    const question = await anna.sees(isSeed)
    await anna.taps('‹ Back')
    await anna.taps('🎛 Model')
    await anna.seesButton(/^● Reel/)
    await anna.sends('Dream')
    await isGone(question)
  })

  it('stays open when the other model has the setting', async () => {
    await anna.sees(isSeed)
    await anna.taps('‹ Back')
    await switches(/^Wan/)
    const said = await anna.sends('1234567')
    await anna.sees(below(said, /Seed: 1234567/))
  })
})

it('in a topic, the answer to a question for a setting that the new model lacks is refused, and the card stays open', async () => {
  const forum = await sandbox.post<{ id: number }>('/api/chats', {
    title: 'Forum',
    members: [anna.id],
    forum: true,
  })
  anna = anna.in(forum.id)
  const { message_thread_id: thread_id } = await sandbox.post<{ message_thread_id: number }>(
    `/api/chats/${forum.id}/topics`,
    { from: anna.id, name: 'Video' },
  )
  await anna.sends('/video a cat', { thread_id })
  await anna.taps('⚙️ More settings')
  await anna.taps('✏️ Seed')
  const question = await anna.sees(/Seed\n/)
  await anna.taps('‹ Back')
  await switches(/^Dream/)
  await anna.sends('1234567', { thread_id, reply_to: question.message_id })
  const card = await anna.sees(/The card is now for Dream, which does not take this answer/)
  expect(card.text).toContain('Prompt: a cat')
  expect(card.text).not.toContain('1234567')
})

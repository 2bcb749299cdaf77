// The modes of a conversation are shown as they are sent. Pictures are sent or refused before money is held.

import { expect, it } from 'vitest'
import { jpeg, lastAsked } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
async function chooses(user: SandboxUser, label: string): Promise<void> {
  await user.taps(/Model: /)
  await user.taps(new RegExp(`^(● )?${label} · `))
  await user.sees(new RegExp(`💬 ${label}\n`))
}

async function withModel(name: string, label: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.sends('/model')
  await chooses(user, label)
  return user
}

const modesShown = (user: SandboxUser, ...labels: string[]) =>
  user.sees((message) => labels.every((label) => labelsOf(message).some((one) => one.endsWith(label))))

const hasSpentNothing = async (user: SandboxUser) => {
  await user.sends('/balance')
  await user.sees(/^Balance: ₽500/)
}

it('a mode that excludes another one switches it off, and the answer to the tap says so', async () => {
  const anna = await withModel('Anna', 'GPT')
  await anna.taps(/Thinking: off/)
  await modesShown(anna, 'Thinking: on', 'Web search: off')
  await anna.taps(/Web search: off/)
  await anna.isTold(/Web search is on\. They don’t work together, so this is off now: 🧠 Thinking\./)
  await modesShown(anna, 'Thinking: off', 'Web search: on')
  await anna.taps(/Run code: off/)
  await modesShown(anna, 'Thinking: off', 'Web search: on', 'Run code: on')
  await anna.sends('How old is the sea?')
  await anna.sees(/How old is the sea/)
  const asked = await lastAsked(sandbox)
  for (const sent of ['/v1/responses', 'web_search', 'code_interpreter']) expect(asked).toContain(sent)
  expect(asked).not.toContain('reasoning')
})

it('a repeated tap on a mode does not switch it back', async () => {
  const ivan = await withModel('Ivan', 'GPT')
  const { message_id } = await modesShown(ivan, 'Thinking: off')
  await ivan.taps(/Thinking: off/)
  await modesShown(ivan, 'Thinking: on')
  await ivan.tapsData(message_id, 'ct:on:thinking')
  await ivan.tapsData(message_id, 'ch:models')
  await ivan.sees((message) => message.message_id === message_id && labelsOf(message).includes('‹ Back'))
  await ivan.tapsData(message_id, 'ch:back')
  await modesShown(ivan, 'Thinking: on')
})

it('a change of the model names all modes that the new model lacks, including those that the previous model lacked too', async () => {
  const vera = await withModel('Vera', 'GPT')
  await vera.taps(/Web search: off/)
  await vera.taps(/Run code: off/)
  await modesShown(vera, 'Run code: on')
  await chooses(vera, 'DeepSeek')
  await vera.isTold(/works without: 🌐 Web search, 🧮 Run code\./)
  await vera.taps(/Thinking: off/)
  await modesShown(vera, 'Thinking: on')
  await chooses(vera, 'MiniMax')
  await vera.isTold(/works without: 🧠 Thinking, 🌐 Web search, 🧮 Run code\./)
  await vera.sees(/💬 MiniMax[\s\S]*works without: 🧠 Thinking, 🌐 Web search, 🧮 Run code\.$/)
  await chooses(vera, 'GPT')
  await vera.sees(({ text = '' }) => /💬 GPT/.test(text) && !text.includes('works without'))
})

it('a picture is refused before money is held when the modes exclude it, and the refusal names the modes to switch off', async () => {
  const fred = await withModel('Fred', 'GPT')
  await fred.taps(/Web search: off/)
  await fred.isTold(/While this is on, these can’t be sent: pictures, voice messages/)
  await modesShown(fred, 'Web search: on')
  await fred.sendsFile(await jpeg(), 'What is at sea?')
  await fred.sees(/GPT can’t see pictures while this is on: 🌐 Web search\. Nothing was asked or charged/)
  expect(await lastAsked(sandbox)).not.toContain('What is at sea?')
  await hasSpentNothing(fred)
  await fred.sends('/model')
  await fred.taps(/Web search: on/)
  await modesShown(fred, 'Web search: off')
  await fred.sendsFile(await jpeg(), 'What is on it?')
  await fred.sees(/looked at what you attached/)
})

it('a picture for a model without vision is refused before money is held, and the refusal names the models with vision', async () => {
  const gina = await withModel('Gina', 'Grok')
  await gina.sendsFile(await jpeg(), 'Which sea is it?')
  await gina.sees(/Grok can’t see pictures.*These models can: Assistant, GPT, Gemini\./)
  expect(await lastAsked(sandbox)).not.toContain('Which sea is it?')
  await hasSpentNothing(gina)
})

it('a question whose picture cannot be downloaded is not asked without the picture', async () => {
  const hugo = await sandbox.user('Hugo')
  await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
  await hugo.sendsFile(await jpeg(), 'What is on it?')
  await hugo.sees(/The picture couldn’t be read \(at most 10 MB\)/)
  await hasSpentNothing(hugo)
})

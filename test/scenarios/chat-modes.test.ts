// The modes of a conversation are shown as they are sent. Pictures are sent or refused before money is held.

import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { conversations } from '../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let picture: Buffer
beforeAll(async () => {
  sandbox = await openSandbox()
  picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#0af' } })
    .jpeg()
    .toBuffer()
})
afterAll(() => sandbox.stop())
afterEach(async () => {
  sandbox.faults.clear()
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
})

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

interface Request {
  readonly path: string
  readonly body?: unknown
}
async function asked(): Promise<readonly Request[]> {
  const { requests } = await sandbox.get<{ requests: readonly Request[] }>('/api/gateway/account')
  return requests.filter(({ path }) => /completions|messages|responses|generateContent/.test(path))
}

const photo = () => ({ kind: 'photo', name: 'sea.jpg', bytes: picture })
const hasSpentNothing = async (user: SandboxUser) => {
  await user.sends('/balance')
  await user.sees(/^Balance: ₽500.00/)
}

it('a mode that excludes another one switches it off, and the answer to the tap says so', async () => {
  const anna = await withModel('Anna', 'GPT')
  await anna.taps(/Thinking: off/)
  await modesShown(anna, 'Thinking: on', 'Web search: off')
  await anna.taps(/Web search: off/)
  await anna.isTold(/Web search is on\. They do not work together, so this is off now: 🧠 Thinking\./)
  await modesShown(anna, 'Thinking: off', 'Web search: on')
  await anna.taps(/Run code: off/)
  await modesShown(anna, 'Thinking: off', 'Web search: on', 'Run code: on')
  await anna.sends('How old is the sea?')
  await anna.sees(/How old is the sea/)
  const [last] = (await asked()).slice(-1)
  expect(last?.path).toBe('/v1/responses')
  expect(last?.body).toMatchObject({
    tools: expect.arrayContaining([
      { type: 'web_search' },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ]),
  })
  expect(last?.body).not.toHaveProperty('reasoning')
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

it('of modes that are stored but exclude each other, only those that are sent are shown as on', async () => {
  const boris = await withModel('Boris', 'GPT')
  const modes = { thinking: true, search: true, code: false }
  await sandbox.app.db.update(conversations).set({ modes }).where(eq(conversations.chatId, boris.chatId))
  await boris.sends('/model')
  await modesShown(boris, 'Thinking: off', 'Web search: on')
  await boris.taps(/Web search: on/)
  await modesShown(boris, 'Thinking: off', 'Web search: off')
})

it('a mode that the next model does not offer is not shown as on, and the answer to the tap says so', async () => {
  const clara = await withModel('Clara', 'GPT')
  await clara.taps(/Web search: off/)
  await modesShown(clara, 'Web search: on')
  await chooses(clara, 'DeepSeek')
  await clara.isTold(/This model answers without: 🌐 Web search/)
  const card = await clara.sees(/💬 DeepSeek[\s\S]*\nThis model answers without: 🌐 Web search\.$/)
  expect(labelsOf(card).filter((label) => /: o(n|ff)$/.test(label))).toEqual(['🧠 Thinking: off'])
})

it('a change of the model names all modes that the new model lacks, including those that the previous model lacked too', async () => {
  const vera = await withModel('Vera', 'GPT')
  await vera.taps(/Web search: off/)
  await vera.taps(/Run code: off/)
  await modesShown(vera, 'Run code: on')
  await chooses(vera, 'DeepSeek')
  await vera.isTold(/answers without: 🌐 Web search, 🧮 Run code\./)
  await vera.taps(/Thinking: off/)
  await modesShown(vera, 'Thinking: on')
  await chooses(vera, 'MiniMax')
  await vera.isTold(/answers without: 🧠 Thinking, 🌐 Web search, 🧮 Run code\./)
  await vera.sees(/💬 MiniMax[\s\S]*answers without: 🧠 Thinking, 🌐 Web search, 🧮 Run code\.$/)
  await chooses(vera, 'GPT')
  await vera.sees(({ text = '' }) => /💬 GPT/.test(text) && !text.includes('answers without'))
})

it('a tap on an outdated mode redraws the settings for the current model', async () => {
  const olga = await withModel('Olga', 'GPT')
  const outdated = await olga.sees(/💬 GPT/)
  await olga.sends('/model')
  await olga.sees(({ message_id, text }) => message_id > outdated.message_id && /💬 GPT/.test(text ?? ''))
  await chooses(olga, 'MiniMax')
  await olga.taps('🌐 Web search: off')
  await olga.isTold(/This option is no longer available/)
  await olga.sees(
    (message) => message.message_id === outdated.message_id && /💬 MiniMax/.test(message.text ?? ''),
  )
})

it('cards are proposed together with web search when the operation accepts functions', async () => {
  const dora = await withModel('Dora', 'GPT')
  await dora.taps(/Web search: off/)
  await modesShown(dora, 'Web search: on')
  await dora.sends('draw me a fox in the snow')
  await dora.sees(/Design[\s\S]*fox[\s\S]*Price: ₽5.28/)
})

it('the answer to the tap says that a mode excludes proposals of cards', async () => {
  const emil = await withModel('Emil', 'Gemini')
  await emil.taps(/Run code: off/)
  await emil.isTold(/While this is on, the model does not propose pictures/)
})

it('a picture is refused before money is held when the modes exclude it, and the refusal names the modes to switch off', async () => {
  const fred = await withModel('Fred', 'GPT')
  await fred.taps(/Web search: off/)
  await fred.isTold(/While this is on, pictures and voice messages cannot be sent/)
  await modesShown(fred, 'Web search: on')
  const before = (await asked()).length
  await fred.sendsFile(photo(), 'What is on it?')
  await fred.sees(/GPT cannot see pictures while this is on: 🌐 Web search\. Nothing was asked or charged/)
  expect(await asked()).toHaveLength(before)
  await hasSpentNothing(fred)
  await fred.sends('/model')
  await fred.taps(/Web search: on/)
  await modesShown(fred, 'Web search: off')
  await fred.sendsFile(photo(), 'What is on it?')
  await fred.sees(/looked at what you attached/)
})

it('a picture for a model without vision is refused before money is held, and the refusal names the models with vision', async () => {
  const gina = await withModel('Gina', 'Grok')
  const before = (await asked()).length
  await gina.sendsFile(photo(), 'What is on it?')
  await gina.sees(/Grok cannot see pictures.*These models can: Assistant, GPT, Gemini\./)
  expect(await asked()).toHaveLength(before)
  await hasSpentNothing(gina)
})

it('a question whose picture cannot be downloaded is not asked without the picture', async () => {
  const hugo = await sandbox.user('Hugo')
  await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
  await hugo.sendsFile(photo(), 'What is on it?')
  await hugo.sees(/The picture could not be read \(at most 10 MB\)/)
  await hasSpentNothing(hugo)
})

it('a picture of an earlier question is neither sent nor charged again', async () => {
  const ida = await withModel('Ida', 'Gemini')
  await ida.sendsFile(photo(), 'What is on it?')
  await ida.taps(/^₽\d+\.\d\d$/)
  await ida.isTold(/about (2[5-9]\d|3\d\d) \+/)
  await ida.sends('And what else?')
  await ida.sees(
    (message) => message.text?.includes('And what else') === true && message.from?.is_bot === true,
  )
  await ida.taps(/^₽\d+\.\d\d$/)
  await ida.isTold(/about (\d\d|1\d\d) \+/)
})

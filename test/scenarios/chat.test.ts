// Conversations with a text model as the chat shows them: what goes into a question, streaming and stopping, sources, tools, money, who may
// change what, and the settings: personas, modes, how long a model thinks, creativity, the length of answers, JSON.

import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { drafts, users } from '../../src/db/schema.ts'
import { pdfBomb } from '../support/media/pdf.ts'
import { groupOf } from '../support/users/group.ts'
import { order } from '../support/users/order.ts'
import { jpeg, lastAsked, ordered } from '../support/users/pictures.ts'
import { openSandbox, sharedSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const isPriced = (message: SandboxMessage) =>
  message.reply_markup !== undefined && message.from?.is_bot === true
const document = (name: string, bytes: Buffer) => ({ kind: 'document', name, bytes })

async function hasSpentNothing(user: SandboxUser): Promise<void> {
  await user.asks('/balance', /^Balance: ₽500/)
}

/** Chooses a text model and switches one of its modes on. */
async function chooses(user: SandboxUser, model: string, mode?: string): Promise<void> {
  await user.opens('/model', /Model: /, new RegExp(`^(● )?${model} · `))
  await user.sees(new RegExp(`${model}\\n`))
  if (mode === undefined) return
  await user.tapsFor(new RegExp(`${mode}: off`), (message) =>
    labelsOf(message).some((label) => label.includes(`${mode}: on`)),
  )
}

it('the button of an answer explains its price, also by our own count when the stream reports no usage', async () => {
  const anna = await sandbox.user('Anna')
  const answer = await anna.asks('How do I learn to surf?', /learn to surf/)
  expect(answer.entities?.map(({ type }) => type)).toEqual(expect.arrayContaining(['bold', 'italic']))
  await anna.hears(/^ℹ️ ₽0\.\d\d$/, /This answer: ₽0\.\d\d \(\d+ \+ \d+ tokens\)/)
  await chooses(anna, 'Gemini')
  await anna.asks('How deep is the sea?', /How deep is the sea/)
  await anna.hears(/^ℹ️ ₽0\.(?!00)\d\d$/, /This answer: ₽0\.\d\d \(about \d+ \+ \d\d+ tokens, counted by us\)/)
})

it('a user who cannot pay is offered a top-up, and only the first bytes of a document are downloaded', async () => {
  const rosa = await sandbox.user('Rosa', 'en', { credit: '0' })
  for (const _ of ['head', 'whole'])
    await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
  await rosa.attaches(document('bomb.pdf', pdfBomb(4_000_000)), 'What is it?', /short/)
  expect(sandbox.faults.list()).toHaveLength(1)
  await rosa.asks('Why not?', /Even for a brief answer you’re ₽\d/)
  await rosa.taps(/Top up ₽50/)
})

it('web search shows its sources; /new forgets the messages, and keeps the model, the modes and the persona', async () => {
  const olga = await sandbox.user('Olga')
  await chooses(olga, 'GPT', 'Web search')
  await olga.asks('/system You are a lighthouse keeper', /lighthouse keeper/)
  const answer = await olga.asks('What is a reef?', /Sources/)
  expect(answer.entities?.some(({ type }) => type === 'text_link')).toBe(true)
  await olga.asks('And by night?', /And by night/)
  expect(await lastAsked(sandbox)).toContain('What is a reef')
  await olga.asks('/new', /A new conversation/)
  await olga.asks('And a tide?', /And a tide/)
  const asked = await lastAsked(sandbox)
  for (const kept of ['/v1/responses', 'web_search', 'You are a lighthouse keeper'])
    expect(asked).toContain(kept)
  expect(asked).not.toContain('What is a reef')
})

it('/retry asks the last question again, or says that there is no question yet', async () => {
  const gina = await sandbox.user('Gina')
  await gina.asks('/retry', /nothing to repeat/)
  const { message_id: first } = await gina.asks('Why salt?', /Why salt/)
  await gina.asks('/retry', ({ message_id, text = '' }) => message_id > first && /Why salt/.test(text))
})

it('an answer is shown while it is written, and stops by the Stop button', async () => {
  const dora = await sandbox.user('Dora')
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await dora.sends('Tell me everything about boards [long]')
  await dora.seesDraft(/boards/)
  await dora.stops()
  const answer = await dora.sees(isPriced)
  expect(answer.text).toBe('⏹ Stopped. You paid for the question and for what was written by then.')
  await dora.sees(/boards/)
  await dora.asks('/balance', /^Balance: ₽49\d\.\d\d/)
})

it('in a group only the user who began the conversation or an administrator can change it or start over', async () => {
  const [ines, jon, kay] = [await sandbox.user('Ines'), await sandbox.user('Jon'), await sandbox.user('Kay')]
  const id = await groupOf(sandbox, ines, jon, kay)
  const [admin, owner, other] = [ines.in(id), jon.in(id), kay.in(id)]
  await owner.asks('/chat What is a reef?', /What is a reef/)
  await other.asks('/new', /only admins and the person who started the conversation/)
  await other.sends('/system Obey Kay')
  const isRefusal = ({ reply_to_message: reply, text = '' }: SandboxMessage) =>
    reply === undefined && /only admins and the person who started/.test(text)
  await other.sees(isRefusal)
  await other.opens('/persona', '🍳 Cook')
  await other.isTold(/only admins and the person who started the conversation/)
  await other.asks(
    '/model',
    /for everybody in the conversation. Only admins and the person who started[\s\S]*Whoever asks pays/,
  )
  await other.taps(/Thinking: off/)
  await owner.tapsFor(/Thinking: off/, (message) =>
    labelsOf(message).some((label) => label.includes('Thinking: on')),
  )
  await admin.asks('/new', /A new conversation/)
  await owner.asks('/system Speak like a sailor', /Speak like a sailor/)
  await owner.asks('/chat And a tide?', /And a tide/)
  const asked = await lastAsked(sandbox)
  expect(asked).toContain('Speak like a sailor')
  for (const absent of ['What is a reef', 'Obey Kay', 'home cook']) expect(asked).not.toContain(absent)
})

/** Asks a question at the native operation, which does not stream, and which never answers. */
async function asksNative(there: TestSandbox, name: string): Promise<SandboxUser> {
  const user = await there.user(name)
  await chooses(user, 'Gemini', 'Run code')
  await there.breaks('gateway', 'native', { kind: 'hang' })
  await user.sends('How deep is it?')
  await user.seesDraft(/Thinking/)
  return user
}

it('a question at the native operation ends at once on Stop, and by the button below the answer to /cancel', async () => {
  const lou = await asksNative(sandbox, 'Lou')
  await lou.stops()
  await lou.sees(/Stopped before the first word; nothing was charged/)
  await sandbox.breaks('gateway', 'native', { kind: 'hang' })
  await lou.sends('How wide is it?')
  const { message_id: asked } = await lou.sends('/cancel')
  await lou.sees(/^No question or card is open here[\s\S]*An answer is being written · up to ₽[\d.]+\n/)
  await lou.tapsFor(
    '⏹ Stop',
    ({ message_id, text = '' }) => message_id > asked && /nothing was charged/.test(text),
  )
  await lou.hears('⏹ Stop', 'This answer is no longer being written.')
  await lou.asks('/cancel', /Nothing to cancel/)
  await hasSpentNothing(lou)
})

it('an app that shuts down sends the received part of an answer, and does not wait for one without a stream', async () => {
  const going = await openSandbox()
  const kim = await going.user('Kim')
  await going.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await kim.sends('Tell me everything about reefs [long]')
  await kim.seesDraft(/reefs/)
  const mia = await asksNative(going, 'Mia')
  const stopping = going.app.stop()
  await kim.sees(/broke off/)
  expect(await kim.transcript()).toMatch(/Sandbox bot: [\s\S]*reefs/)
  await mia.sees(/No answer came. Nothing was charged/)
  await stopping
  await going.stop()
})

describe('Proposed cards:', () => {
  const draftsOf = ({ id }: SandboxUser) =>
    sandbox.app.db
      .select({ modelId: drafts.modelId, answers: drafts.answers, state: drafts.state })
      .from(drafts)
      .innerJoin(users, eq(users.id, drafts.userId))
      .where(eq(users.telegramId, id))
      .orderBy(desc(drafts.createdAt))

  it('“make it night now” changes the last order: its outcome goes back, its model and settings are kept', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, 'Draw a lighthouse', [/^Aspect ratio|^📐|Size/, /16:9/])
    await anna.asks('How high is one? [short]', /How high is one/)
    expect(await lastAsked(sandbox)).toMatch(
      /"tool_calls":\[\{"id":"([a-z0-9]{9})","type":"function","function":\{"name":"make_image".*"role":"tool","tool_call_id":"\1","content":"\{\\"outcome\\":\\"delivered\\"\}"/,
    )
    await anna.asks('make it night now', ({ text = '' }) => text.includes('a lighthouse, night now'))
    const [changed, first] = await draftsOf(anna)
    expect(first).toMatchObject({ state: 'ordered', answers: { size: '16:9' } })
    expect(changed).toMatchObject({ state: 'open', modelId: first?.modelId, answers: { size: '16:9' } })
    expect(changed?.answers).toMatchObject({ prompt: 'a lighthouse, night now' })
  })

  it('a card that is dropped, or waits, goes back as such, and in words where functions are not sent', async () => {
    const boris = await sandbox.user('Boris')
    await boris.opens('/model', /Model: /, /^(● )?GPT · /)
    await boris.sends('Draw a reef')
    await boris.seesButton(/^Generate/)
    await boris.asks('/chat why a reef? [short]', /why a reef/)
    expect(await lastAsked(sandbox)).toContain('"content":"{\\"outcome\\":\\"proposed\\"}"')
    await boris.taps(/Close/)
    await boris.opens('/model', /Web search: off/)
    await boris.asks('/chat and now? [short]', /and now/)
    expect(await lastAsked(sandbox)).toContain(
      'Assistant: [make_image: {\\"prompt\\":\\"a reef\\",\\"outcome\\":\\"declined\\"}]',
    )
  })
})

describe('A persona:', () => {
  const has = (label: string) => (message: SandboxMessage) => labelsOf(message).includes(label)

  it('a ready-made persona is marked, sent with each question, kept by /new, and named in the settings until it is removed', async () => {
    const anna = await sandbox.user('Anna')
    const list = await anna.asks('/persona', /Who answers in this conversation/)
    expect(labelsOf(list)).toEqual([
      '🌍 Translator',
      '📝 Editor',
      '🎓 Teacher',
      '💻 Programmer',
      '🍳 Cook',
      '🤗 Friend',
      '✏️ My own persona',
      '⚙️ Conversation settings',
    ])
    await anna.tapsFor('🍳 Cook', has('● 🍳 Cook'))
    await anna.asks('/new', /A new conversation/)
    await anna.asks('What about soup?', /What about soup/)
    expect(await lastAsked(sandbox)).toContain('You are a home cook.')
    await anna.asks('/model', /Persona: 🍳 Cook/)
    await anna.tapsFor(
      ['🎭 Persona', '✖ Remove the persona'],
      (message) => has('🍳 Cook')(message) && !has('✖ Remove the persona')(message),
    )
    await anna.tapsFor('⚙️ Conversation settings', /Persona: none$/m)
    await anna.asks('And salad?', /And salad/)
    expect(await lastAsked(sandbox)).not.toContain('You are a home cook.')
  })

  it('the question for an own persona repeats until the text fits; the text is not asked as a question but sent with each question', async () => {
    const carla = await sandbox.user('Carla')
    await carla.opens('/persona', '✏️ My own persona')
    await carla.sees(/Who should the model be\?/)
    await carla.asks('x'.repeat(2001), /2,001 characters/)
    const list = await carla.asks('You are a <lighthouse> keeper', /You are a <lighthouse> keeper/)
    expect(labelsOf(list)).toEqual(expect.arrayContaining(['● ✏️ My own persona', '✖ Remove the persona']))
    expect(await lastAsked(sandbox)).not.toContain('lighthouse')
    await carla.asks('Who are you?', /Who are you/)
    expect(await lastAsked(sandbox)).toContain('You are a <lighthouse> keeper')
  })
})

describe('A choice:', () => {
  async function asks(user: SandboxUser, words: string) {
    await user.asks(`${words} [short]`, new RegExp(words))
    return (await ordered(sandbox, /completions$|messages$|responses$|generateContent$/)).at(-1)
  }

  it('thinking is as usual, short or long: an effort, or a budget in the assistant family, a share of the longest answer', async () => {
    const anna = await sandbox.user('Anna')
    await chooses(anna, 'DeepSeek')
    const off = labelsOf(await anna.seesButton(/Thinking: off/))
    expect(off.filter((one) => one.startsWith('⏱'))).toEqual([])
    await anna.taps(/Thinking: off/)
    const budget = (budget_tokens: number) => ({
      max_tokens: 8000,
      thinking: { type: 'enabled', budget_tokens },
    })
    for (const [label, effort] of Object.entries({ usual: 'medium', short: 'low', long: 'high' })) {
      await anna.seesButton(`⏱ Thinking time: ${label}`)
      expect(await asks(anna, `How ${label}`)).toMatchObject({ reasoning_effort: effort })
      await anna.taps(`⏱ Thinking time: ${label}`)
    }
    await chooses(anna, 'Assistant')
    for (const [label, tokens] of Object.entries({ usual: 4000, short: 1024, long: 6000 })) {
      await anna.seesButton(`⏱ Thinking time: ${label}`)
      expect(await asks(anna, `How ${label}`)).toMatchObject(budget(tokens))
      await anna.taps(`⏱ Thinking time: ${label}`)
    }
  })

  it('creativity, length and JSON are sent under the names of the operation, and the longest answer is that of the length', async () => {
    const clara = await sandbox.user('Clara')
    await chooses(clara, 'GPT')
    await clara.tapsAll(
      '🎨 Creativity: as usual',
      '🎨 Creativity: stick to facts',
      '📏 Answers: as long as usual',
    )
    await clara.seesButton('📏 Answers: short')
    await clara.asks('How high [long]', /✂️ You chose short answers/)
    const [body] = (await ordered(sandbox, /completions$/)).slice(-1)
    expect(body).toMatchObject({ temperature: 1, max_completion_tokens: 600, tool_choice: 'auto' })
    expect(JSON.stringify(body)).toContain('Answer briefly')

    await clara.taps('🗂 Answers as JSON: off')
    await clara.seesButton('🗂 Answers as JSON: on')
    const answer = await clara.asks('How low [short]', /^\{\n {2}"answer": "About “How low”/)
    expect(answer.entities).toMatchObject([{ type: 'pre', language: 'json' }])
    expect((await ordered(sandbox, /completions$/)).at(-1)).toMatchObject({
      response_format: { type: 'json_object' },
    })
    expect((await ordered(sandbox, /completions$/)).at(-1)).not.toHaveProperty('tools')

    await clara.taps(/Web search: off/)
    const labels = labelsOf(await clara.seesButton(/Web search: on/))
    expect(labels.some((one) => one.startsWith('🗂'))).toBe(false)
    expect(await asks(clara, 'How far')).toMatchObject({ temperature: 1, max_output_tokens: 600 })
    expect(await asks(clara, 'How near')).not.toHaveProperty('response_format')
  })
})

describe('Modes and pictures:', () => {
  async function withModel(name: string, label: string): Promise<SandboxUser> {
    const user = await sandbox.user(name)
    await chooses(user, label)
    return user
  }

  const modesShown = (user: SandboxUser, ...labels: string[]) =>
    user.sees((message) => labels.every((label) => labelsOf(message).some((one) => one.endsWith(label))))

  it('a mode that excludes another one switches it off, and says so; a repeated tap does not switch it back', async () => {
    const anna = await withModel('Anna', 'GPT')
    await anna.taps(/Thinking: off/)
    const { message_id } = await modesShown(anna, 'Thinking: on', 'Web search: off')
    await anna.hears(
      /Web search: off/,
      /Web search is on\. They don’t work together, so this is off now: 🧠 Thinking\./,
    )
    await modesShown(anna, 'Thinking: off', 'Web search: on')
    await anna.taps(/Run code: off/)
    await anna.tapsData(message_id, 'ct:on:code')
    await anna.tapsData(message_id, 'ch:models')
    await anna.sees((message) => message.message_id === message_id && labelsOf(message).includes('‹ Back'))
    await anna.tapsData(message_id, 'ch:back')
    await modesShown(anna, 'Thinking: off', 'Web search: on', 'Run code: on')
    await anna.asks('How old is the sea?', /How old is the sea/)
    const asked = await lastAsked(sandbox)
    for (const sent of ['/v1/responses', 'web_search', 'code_interpreter']) expect(asked).toContain(sent)
    expect(asked).not.toContain('reasoning')
  })

  it('a change of the model names all modes that the new model lacks, including those that the previous model lacked too', async () => {
    const vera = await withModel('Vera', 'GPT')
    await vera.tapsAll(/Web search: off/, /Run code: off/)
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
    await fred.hears(/Web search: off/, /While this is on, these can’t be sent: pictures, voice messages/)
    await modesShown(fred, 'Web search: on')
    await fred.attaches(
      await jpeg(),
      'What is at sea?',
      /GPT can’t see pictures while this is on: 🌐 Web search\. Nothing was asked or charged/,
    )
    expect(await lastAsked(sandbox)).not.toContain('What is at sea?')
    await hasSpentNothing(fred)
    await fred.opens('/model', /Web search: on/)
    await modesShown(fred, 'Web search: off')
    await fred.attaches(await jpeg(), 'What is on it?', /looked at what you attached/)
  })

  it('a question whose picture cannot be downloaded is not asked without the picture', async () => {
    const hugo = await sandbox.user('Hugo')
    await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 400 })
    await hugo.attaches(await jpeg(), 'What is on it?', /The picture couldn’t be read \(at most 10 MB\)/)
    await hasSpentNothing(hugo)
  })
})

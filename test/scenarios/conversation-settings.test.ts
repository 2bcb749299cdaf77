// The settings of a conversation: personas, modes, how long a model thinks, creativity, the length of answers, JSON.

import { describe, expect, it } from 'vitest'
import { jpeg, lastAsked, ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

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
  async function choose(user: SandboxUser, label: string) {
    await user.opens('/model', /Model: /, new RegExp(`^(● )?${label} · `))
  }

  async function asks(user: SandboxUser, words: string) {
    await user.asks(`${words} [short]`, new RegExp(words))
    return (await ordered(sandbox, /completions$|messages$|responses$|generateContent$/)).at(-1)
  }

  it('thinking is as usual, short or long: an effort, or a budget in the assistant family, a share of the longest answer', async () => {
    const anna = await sandbox.user('Anna')
    await choose(anna, 'DeepSeek')
    const off = labelsOf(await anna.seesButton(/Thinking: off/))
    expect(off.filter((one) => one.startsWith('⏱'))).toEqual([])
    await anna.taps(/Thinking: off/)
    const budget = (budget_tokens: number) => ({
      max_tokens: 8000,
      thinking: { type: 'enabled', budget_tokens },
    })
    for (const [label, effort] of Object.entries({ normal: 'medium', short: 'low', long: 'high' })) {
      await anna.seesButton(`⏱ Thinking: ${label}`)
      expect(await asks(anna, `How ${label}`)).toMatchObject({ reasoning_effort: effort })
      await anna.taps(`⏱ Thinking: ${label}`)
    }
    await choose(anna, 'Assistant')
    for (const [label, tokens] of Object.entries({ normal: 4000, short: 1024, long: 6000 })) {
      await anna.seesButton(`⏱ Thinking: ${label}`)
      expect(await asks(anna, `How ${label}`)).toMatchObject(budget(tokens))
      await anna.taps(`⏱ Thinking: ${label}`)
    }
  })

  it('creativity, length and JSON are sent under the names of the operation, and the longest answer is that of the length', async () => {
    const clara = await sandbox.user('Clara')
    await choose(clara, 'GPT')
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
  async function chooses(user: SandboxUser, label: string): Promise<void> {
    await user.tapsFor([/Model: /, new RegExp(`^(● )?${label} · `)], new RegExp(`💬 ${label}\n`))
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
    await user.asks('/balance', /^Balance: ₽500/)
  }

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

// What users choose in the settings of a conversation, where the family or the operator has a way to ask for it: how long a model thinks, its
// creativity, the length of answers, and JSON.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())

const depth = /^⏱ Thinking: /

async function choose(user: SandboxUser, label: string) {
  await user.sends('/model')
  await user.taps(/Model: /)
  await user.taps(new RegExp(`^(● )?${label} · `))
}

async function thinksBy(user: SandboxUser, label: string) {
  await choose(user, label)
  expect(labelsOf(await user.seesButton(/Thinking: off/)).some((one) => depth.test(one))).toBe(false)
  await user.taps(/Thinking: off/)
}

async function asks(user: SandboxUser, words: string) {
  await user.sends(`${words} [short]`)
  await user.sees(new RegExp(words))
  return (await ordered(sandbox, /completions$|messages$|responses$|generateContent$/)).at(-1)
}

it('thinking is chosen as an effort, from the usual one to a short and a long one and back', async () => {
  const anna = await sandbox.user('Anna')
  await thinksBy(anna, 'DeepSeek')
  expect(await asks(anna, 'How deep')).toMatchObject({ reasoning_effort: 'medium' })
  await anna.taps('⏱ Thinking: normal')
  await anna.seesButton('⏱ Thinking: short')
  expect(await asks(anna, 'How wide')).toMatchObject({ reasoning_effort: 'low' })
  await anna.taps('⏱ Thinking: short')
  await anna.seesButton('⏱ Thinking: long')
  expect(await asks(anna, 'How tall')).toMatchObject({ reasoning_effort: 'high' })
  await anna.taps('⏱ Thinking: long')
  await anna.seesButton('⏱ Thinking: normal')
})

it('thinking is chosen as a budget of the assistant family, a share of the longest answer', async () => {
  const boris = await sandbox.user('Boris')
  await thinksBy(boris, 'Assistant')
  for (const [label, share] of [
    ['⏱ Thinking: normal', 1 / 2],
    ['⏱ Thinking: short', 1 / 8],
    ['⏱ Thinking: long', 3 / 4],
  ] as const) {
    await boris.seesButton(label)
    const body = await asks(boris, `How ${label.split(': ')[1]}`)
    const budget = Math.max(1024, Math.floor(8000 * share))
    expect(body).toMatchObject({ max_tokens: 8000, thinking: { type: 'enabled', budget_tokens: budget } })
    await boris.taps(label)
  }
})

it('creativity, length and JSON are sent under the names of the operation, and the longest answer is that of the length', async () => {
  const clara = await sandbox.user('Clara')
  await choose(clara, 'GPT')
  await clara.taps('🎨 Creativity: as usual')
  await clara.taps('🎨 Creativity: stick to facts')
  await clara.taps('📏 Answers: as long as usual')
  await clara.seesButton('📏 Answers: short')
  await clara.sends('How high [long]')
  await clara.sees(/✂️ You chose short answers/)
  const [body] = (await ordered(sandbox, /completions$/)).slice(-1)
  expect(body).toMatchObject({ temperature: 1, max_completion_tokens: 600, tool_choice: 'auto' })
  expect(JSON.stringify(body)).toContain('Answer briefly')

  await clara.taps('🗂 Answers as JSON: off')
  await clara.seesButton('🗂 Answers as JSON: on')
  await clara.sends('How low [short]')
  const answer = await clara.sees(/^\{\n {2}"answer": "About “How low”/)
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

it('the choices of a model are those of its entry, in the places of the native operation too', async () => {
  const dan = await sandbox.user('Dan')
  await choose(dan, 'DeepSeek')
  expect(labelsOf(await dan.seesButton(/Thinking: off/)).some((one) => /^[🎨📏🗂]/u.test(one))).toBe(false)
  await choose(dan, 'Gemini')
  await dan.taps('🎨 Creativity: as usual')
  await dan.taps('📏 Answers: as long as usual')
  await dan.taps('📏 Answers: short')
  await dan.taps(/Run code: off/)
  await dan.seesButton('📏 Answers: detailed')
  expect(await asks(dan, 'How many')).toMatchObject({
    generationConfig: { temperature: 0.2, maxOutputTokens: 4000 },
  })
})

// How long a model thinks is chosen in the settings of a conversation, where the family or the operator has a way to ask for it.

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

async function thinksBy(user: SandboxUser, label: string) {
  await user.sends('/model')
  await user.taps(/Model: /)
  await user.taps(new RegExp(`^(● )?${label} · `))
  expect(labelsOf(await user.seesButton(/Thinking: off/)).some((one) => depth.test(one))).toBe(false)
  await user.taps(/Thinking: off/)
}

async function asks(user: SandboxUser, words: string) {
  await user.sends(`${words} [short]`)
  await user.sees(new RegExp(words))
  return (await ordered(sandbox, /completions$|messages$/)).at(-1)
}

it('as an effort, from the usual one to a short and a long one and back', async () => {
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

it('as a budget of the assistant family, a share of the longest answer', async () => {
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

// Each family of text models answers, by the operation that the modes of the conversation need.

import { expect, it } from 'vitest'
import { sharedSandbox } from '../support/users/sandbox.ts'

const sandbox = await sharedSandbox()

it.each([
  ['Assistant', undefined, '/v1/chat/completions'],
  ['Assistant', 'Thinking', '/v1/messages'],
  ['GPT', undefined, '/v1/chat/completions'],
  ['GPT', 'Run code', '/v1/responses'],
  ['Gemini', undefined, '/v1/chat/completions'],
  ['Gemini', 'Run code', '/v1/gemini/generateContent'],
  ['Gemini', 'Web search', '/v1/gemini/generateContent'],
  ['Grok', 'Web search', '/v1/responses'],
  ['DeepSeek', 'Thinking', '/v1/chat/completions'],
  ['Mistral', undefined, '/v1/chat/completions'],
  ['MiniMax', undefined, '/v1/chat/completions'],
])('%s with the mode %s is asked at %s', async (label, mode, path) => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/model')
  await anna.taps(/Model: /)
  await anna.taps(new RegExp(`^(● )?${label} · `))
  await anna.sees(new RegExp(`${label}\\n`))
  if (mode) {
    await anna.taps(new RegExp(`${mode}: off`))
    await anna.sees((message) => JSON.stringify(message.reply_markup ?? {}).includes(`${mode}: on`))
  }
  await anna.sends(`How old is the sea, ${label}?`)
  const answer = await anna.sees(
    (message) => message.from?.is_bot === true && /cr:/.test(JSON.stringify(message)),
  )
  expect(answer.text).toContain('How old is the sea')
  const { requests } = await sandbox.get<{ requests: { path: string; status: number }[] }>(
    '/api/gateway/account',
  )
  expect(
    requests.filter((one) => /completions|messages|responses|generate/.test(one.path)).at(-1),
  ).toMatchObject({
    path,
    status: 200,
  })
})

it("an answer of the Gemini-style family, whose stream reports no usage, is charged by the app's own token count", async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/model')
  await boris.taps(/Model: /)
  await boris.taps(/^(● )?Gemini · /)
  await boris.sees(/Gemini\n/)
  await boris.sends('How deep is the sea?')
  await boris.taps(/^₽0\.(?!00)\d\d$/)
  await boris.isTold(/This answer: ₽0\.\d\d \(about \d+ \+ \d\d+ tokens, counted by us\)/)
})

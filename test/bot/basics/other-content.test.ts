// A message of a kind that the bot cannot use is answered in a private chat with the kinds that it can use.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())

it.each([
  [
    'en',
    'a contact',
    { contact: { phone_number: '+79990000000', first_name: 'Vera' } },
    /I take text, pictures/,
  ],
  ['ru', 'a place', { location: { latitude: 55.75, longitude: 37.62 } }, /Я принимаю текст, картинки/],
] as const)('in %s: %s is answered with what the bot accepts', async (language, _, content, answer) => {
  const anna = await sandbox.user('Anna', language)
  await sandbox.post(`/api/chats/${anna.id}/messages`, { from: anna.id, ...content })
  await anna.sees(answer)
  expect((await anna.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
})

// A question while another answer is being written whose hold is the whole balance.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2' }, 5)
})
afterAll(() => sandbox.stop())

it('a second question is not refused for missing money that is only held for the first answer', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('How deep is the sea? [long]')
  await anna.seesDraft(/deep/)
  await anna.sends('And the lake? [short]')
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  expect(await anna.transcript()).not.toMatch(/more than you have/)
})

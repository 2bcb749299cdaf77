// A question while the answer to another one is being written, which holds all that there is.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2' }, 5)
})
afterAll(() => sandbox.stop())

it('is not refused with a demand for money that is only held for a moment', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('How deep is the sea? [long]')
  await anna.seesDraft(/deep/)
  await anna.sends('And the lake? [short]')
  await anna.sends('/settings')
  await anna.sees('Язык / Language')
  expect(await anna.transcript()).not.toMatch(/more than you have/)
})

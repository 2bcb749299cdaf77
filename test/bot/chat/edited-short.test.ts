// An edit of a question while its answer is being written, when the hold of this answer is the whole balance.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { turns } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2' }, 10)
})
afterAll(() => sandbox.stop())

it.each([1, 2, 3])(
  'an edited question is asked again with the money that its stopped answer releases: %i',
  async () => {
    const { db } = sandbox.app
    const before = await db.$count(turns)
    const anna = await sandbox.user('Anna')
    const question = await anna.sends('How deep is the sea? [long]')
    await anna.seesDraft(/deep/)
    await anna.edits(question, 'How deep is the lake? [short]')
    await anna.sees(/Stopped/)
    await anna.sends('/settings')
    await anna.sees('Язык / Language')
    expect(await anna.transcript()).not.toMatch(/more than you have/)
    expect(await db.$count(turns)).toBe(before + 2)
  },
)

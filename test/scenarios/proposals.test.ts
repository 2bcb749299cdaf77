// Cards that a text model proposes stay in the conversation with what became of them, so that a later question can change the last one.

import { desc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { drafts, users } from '../../src/db/schema.ts'
import { ordered } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterEach(async () => {
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
})
afterAll(() => sandbox.stop())

const asked = async () =>
  JSON.stringify((await ordered(sandbox, /completions$|responses$|generateContent$/)).at(-1))

const draftsOf = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select({ modelId: drafts.modelId, answers: drafts.answers, state: drafts.state })
    .from(drafts)
    .innerJoin(users, eq(users.id, drafts.userId))
    .where(eq(users.telegramId, id))
    .orderBy(desc(drafts.createdAt))

it('“make it night now” changes the last order: its outcome goes back, its model and settings are kept', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('Draw a lighthouse')
  await anna.taps(/^Aspect ratio|^📐|Size/)
  await anna.taps(/16:9/)
  await anna.taps(/^Generate/)
  await anna.sees(({ photo }) => photo !== undefined)
  await anna.sends('How high is one? [short]')
  await anna.sees(/How high is one/)
  expect(await asked()).toMatch(
    /"tool_calls":\[\{"id":"([a-z0-9]{9})","type":"function","function":\{"name":"make_image".*"role":"tool","tool_call_id":"\1","content":"\{\\"outcome\\":\\"delivered\\"\}"/,
  )
  await anna.sends('make it night now')
  await anna.sees(({ text = '' }) => text.includes('a lighthouse, night now'))
  const [changed, first] = await draftsOf(anna)
  expect(first).toMatchObject({ state: 'ordered', answers: { size: '16:9' } })
  expect(changed).toMatchObject({ state: 'open', modelId: first?.modelId, answers: { size: '16:9' } })
  expect(changed?.answers).toMatchObject({ prompt: 'a lighthouse, night now' })
})

it('a card that is dropped, or waits, goes back as such, and in words where functions are not sent', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/model')
  await boris.taps(/Model: /)
  await boris.taps(/^(● )?GPT · /)
  await boris.sends('Draw a reef')
  await boris.seesButton(/^Generate/)
  await boris.sends('/chat why a reef? [short]')
  await boris.sees(/why a reef/)
  expect(await asked()).toContain('"content":"{\\"outcome\\":\\"proposed\\"}"')
  await boris.taps(/Close/)
  await boris.sends('/model')
  await boris.taps(/Web search: off/)
  await boris.sends('/chat and now? [short]')
  await boris.sees(/and now/)
  expect(await asked()).toContain(
    'Assistant: [make_image: {\\"prompt\\":\\"a reef\\",\\"outcome\\":\\"declined\\"}]',
  )
})

// Edited questions, double taps on “Again”, and texts that the Telegram client has split into several messages.

import { isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { updates } from '../../../src/db/schema.ts'
import { newGroup } from '../../support/users/group.ts'
import { turnsIn } from '../../support/users/order.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'
import { dataOf } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()

/** Waits until all earlier updates of the chat are handled. */
async function isDone(user: SandboxUser): Promise<void> {
  await expect.poll(() => sandbox.app.db.$count(updates, isNull(updates.doneAt))).toBe(0)
  await user.asks('/settings', 'Язык / Language')
}
const long = (sentence: string) => sentence.repeat(400).slice(0, 4096)

it('an edit that changes only the link preview or the formatting asks nothing again, and stops no answer', async () => {
  const anna = await sandbox.user('Anna')
  for (const text of ['What is https://example.org about? [short]', 'Tell me much about it [long]']) {
    const question = await anna.sends(text)
    if (text.includes('long')) await anna.seesDraft(/./)
    else await anna.sees(/About “What is/)
    await anna.edits(question, text)
  }
  await anna.sees(/About “Tell me/)
  await isDone(anna)
  expect(await anna.transcript()).not.toMatch(/stopped/i)
  expect(await turnsIn(sandbox, anna)).toHaveLength(2)
})

it('an edited part of a split question is not asked alone, and the user is told to send the whole text', async () => {
  const anna = await sandbox.user('Anna')
  const first = await anna.sends(long('Lorem ipsum. '))
  await anna.sends('What is missing in this text? [short]')
  await expect.poll(() => turnsIn(sandbox, anna)).toMatchObject([{ delivery: 'delivered' }])
  await anna.edits(first, long('Lorem ipsum. '))
  await isDone(anna)
  expect(await anna.transcript()).not.toContain('Send the whole text again')
  await anna.edits(first, long('Lorem ipsum! '))
  await anna.sees(/Send the whole text again/)
  expect(await turnsIn(sandbox, anna)).toHaveLength(1)
})

it('an edited question is asked again with the money that its stopped answer releases', async () => {
  const anna = await sandbox.user('Anna', 'en', { credit: '2' })
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  const question = await anna.sends('How deep is the sea? [long]')
  await anna.seesDraft(/deep/)
  await anna.edits(question, 'How deep is the lake? [short]')
  await anna.sees(/Stopped/)
  await isDone(anna)
  expect(await anna.transcript()).not.toMatch(/more than you have/)
  expect(await turnsIn(sandbox, anna)).toHaveLength(2)
})

it('a second question is not refused for missing money that is only held for the first answer', async () => {
  const anna = await sandbox.user('Anna', 'en', { credit: '2' })
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 60_000 })
  await anna.sends('How deep is the sea? [long]')
  const draft = await anna.seesDraft(/deep/)
  await anna.sends('And the lake? [short]')
  await isDone(anna)
  expect(await anna.transcript()).not.toMatch(/more than you have/)
  await anna.stops(draft)
  await anna.sees(/Stopped/)
})

it('a double tap on “Again” below an answer asks and pays once', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('How deep is the sea? [short]')
  const answer = await anna.seesButton(/Again/)
  const data = dataOf(answer, /Again/)
  const tap = () => anna.tapsData(answer.message_id, data)
  await Promise.all([tap(), tap()])
  await isDone(anna)
  expect(await turnsIn(sandbox, anna)).toHaveLength(2)
})

it('a reply in a group that the client has split into two messages is asked as one question', async () => {
  // Only the first part is a reply and has a thread id.
  const { anna } = await newGroup(sandbox, { admin: true })
  const answer = await anna.asks('/chat waves [short]', /waves/)
  await expect.poll(() => turnsIn(sandbox, anna)).toMatchObject([{ delivery: 'delivered' }])
  await anna.sends('Lorem ipsum. '.repeat(200), { reply_to: answer.message_id })
  await anna.sends('What is missing in this text? [short]')
  const question = expect.stringContaining('What is missing')
  await expect.poll(() => turnsIn(sandbox, anna)).toMatchObject([{}, { question }])
})

// Documents with text: the offer for a document without a caption, and a text file as the prompt of a command. Also voice messages.

import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const notes = { kind: 'document', name: 'notes.txt', bytes: Buffer.from('The tide comes twice a day.') }
const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

it('a text file without a caption gets an offer of uses with their prices, and costs nothing', async () => {
  const before = await spent()
  await anna.sendsFile(notes)
  const offer = await anna.sees('📄 27 characters. What should I do with this file?')
  expect(labelsOf(offer)).toEqual([
    expect.stringMatching(/^📝 Summarise · ≈ ₽\d/),
    expect.stringMatching(/^💬 Ask about it · ≈ ₽\d/),
    '🗣 Read aloud',
  ])
  expect(await spent()).toBe(before)
})

it('a tap on Summarise asks for a summary; further taps ask nothing, also at the same moment', async () => {
  await anna.sendsFile(notes)
  const offer = await anna.sees('What should I do with this file?')
  const tap = () => anna.tapsData(offer.message_id, 'cd:summary')
  await Promise.all([tap(), tap()])
  await anna.sees((message) => labelsOf(message).includes('🔁 Again'))
  await tap()
  await anna.isTold(/no longer works/)
  await expect.poll(() => anna.answers()).toHaveLength(3)
  const asked = await sandbox.app.db
    .select({ state: turns.state, question: turns.question })
    .from(turns)
    .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, anna.id)))
  expect(asked).toEqual([{ state: 'done', question: expect.stringContaining('The tide comes') }])
})

it('/speech as the caption of a text file opens a card with the text of the file as the prompt', async () => {
  const before = await spent()
  await anna.sendsFile(notes, '/speech')
  await anna.sees(/The tide comes twice a day\.[\s\S]*Price/)
  expect(await spent()).toBe(before)
})

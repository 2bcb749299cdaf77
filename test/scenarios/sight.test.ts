// Pictures in questions to text models, and what becomes of them in the questions after.

import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { jpeg, lastAsked } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const askedBy = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select({ files: turns.files, inputTokens: turns.inputTokens })
    .from(turns)
    .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, id)))
    .orderBy(turns.createdAt)

async function choose(user: SandboxUser, label: string) {
  await user.sends('/model')
  await user.taps(/Model: /)
  await user.taps(new RegExp(`^(● )?${label} · `))
}

it('a picture stays in the conversation, is paid with each question, and the bot says when it is no longer seen', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sendsFile(await jpeg(), 'What is it? [short]')
  await anna.sees(/What is it/)
  await anna.sends('Which colour? [short]')
  await anna.sees(/Which colour/)
  expect(await lastAsked(sandbox)).toMatch(/What is it\?.*"image_url".*Which colour\?/)
  const [first, second] = await askedBy(anna)
  expect(second?.inputTokens).toBeGreaterThan(256)
  expect(second?.files).toMatchObject([{ file: first?.files[0]?.file, note: 'earlier' }])
  await anna.taps(/^₽/)
  await anna.isTold(/\nThe picture from before was sent along; \/new drops it\.$/)

  await choose(anna, 'DeepSeek')
  await anna.sends('And its size? [short]')
  await anna.sees('I no longer see the picture from before')
  await anna.sees(/And its size/)
  expect(await lastAsked(sandbox)).not.toContain('image_url')
  expect(await lastAsked(sandbox)).toContain('The picture of this message is not attached any more.')
  await anna.sends('And its age? [short]')
  await anna.sees(/And its age/)
  expect((await anna.transcript()).match(/no longer see/g)).toHaveLength(1)
})

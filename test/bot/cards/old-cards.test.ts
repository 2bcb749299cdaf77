// Cards that are older than two days: Telegram refuses to delete them.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
})
afterAll(() => sandbox.stop())

it.each([
  ['by its button', (anna: SandboxUser) => anna.taps('✖ Cancel')],
  ['by /cancel', (anna: SandboxUser) => anna.sends('/cancel')],
])('an old card loses its buttons when it is cancelled %s', async (_, cancels) => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/image a fox')
  const card = await anna.seesButton(/^Generate/)
  await sandbox.breaks('telegram', 'deleteMessage', {
    kind: 'error',
    status: 400,
    description: "Bad Request: message can't be deleted for everyone",
  })
  await cancels(anna)
  const labels = async () =>
    (await anna.chat()).filter(({ message_id }) => message_id === card.message_id).flatMap(labelsOf)
  await expect.poll(labels).toEqual([])
})

// While Telegram does not answer, nothing that a person asked for is lost: the answer comes when Telegram is back.

import { expect, it } from 'vitest'
import { sharedSandbox } from '../support/users/sandbox.ts'

const sandbox = await sharedSandbox()

it.each([
  ['the connection is cut', { kind: 'cut' }],
  ['a server in between answers 502 with a page', { kind: 'garbage' }],
])('a command is answered once, later, when %s', async (_, fault) => {
  const anna = await sandbox.user('Anna')
  await sandbox.breaks('telegram', 'sendMessage', fault)
  await anna.sends('/balance')
  await anna.sees(/^Balance: /)
  expect((await anna.chat()).filter(({ from }) => from?.is_bot)).toHaveLength(1)
})

it('a tap takes effect although it cannot be answered, and its page is shown later when the edit fails', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/image a cat')
  await sandbox.breaks('telegram', 'answerCallbackQuery', { kind: 'cut' }, 9)
  await sandbox.breaks('telegram', 'editMessageText', { kind: 'cut' })
  await boris.taps('⚙️ More')
  await boris.sees(/⚙️ More/)
})

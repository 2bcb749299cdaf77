// Supergroups with hidden members: Telegram refuses to tell the status of a member to a bot that is no administrator.

import { afterAll, beforeAll, beforeEach, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
let boris: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
})
afterAll(() => sandbox.stop())
/** Anna is the administrator of the group, Boris a member. */
beforeEach(async () => {
  const people = [await sandbox.user('Anna'), await sandbox.user('Boris')] as const
  const members = people.map(({ id }) => id)
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Hidden', members })
  anna = people[0].in(id)
  boris = people[1].in(id)
})

const refuses = (operation: string, description: string, times = 1) =>
  sandbox.breaks('telegram', operation, { kind: 'error', status: 400, description }, times)
const hidesMembers = (times?: number) => refuses('getChatMember', 'Bad Request: CHAT_ADMIN_REQUIRED', times)
const hidesAll = async () => {
  await hidesMembers()
  await refuses('getChatAdministrators', 'Bad Request: member list is inaccessible')
}
const needsRights = /does not tell me who administers this group/

it('an administrator opens a wallet, and another member does not', async () => {
  await hidesMembers()
  await boris.sends('/wallet')
  await boris.sees(/has no wallet/)
  await hidesMembers(2)
  await anna.sends('/wallet')
  await anna.taps('Open a wallet')
  await anna.sees(/The group wallet is open, Anna pays/)
})

it('an administrator starts the conversation of another member anew', async () => {
  await boris.sends('/chat waves [short]')
  await boris.sees(/short answer/)
  await hidesMembers()
  await anna.sends('/new')
  await anna.sees(/new conversation|start(ed)? over|from scratch/i)
})

it('when the administrators are hidden too, the bot says what it needs', async () => {
  await boris.sends('/chat waves [short]')
  await boris.sees(/short answer/)
  for (const command of ['/wallet', '/new', '/persona a pirate']) {
    await hidesAll()
    const { message_id: asked } = await anna.sends(command)
    await anna.sees(({ message_id, text }) => message_id > asked && needsRights.test(text ?? ''))
  }
  await hidesAll()
  await boris.sends('/chat')
  await anna.taps(/Persona/)
  await anna.isTold(needsRights)
})

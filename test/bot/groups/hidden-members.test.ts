// Supergroups with hidden members: Telegram refuses to tell the status of a member to a bot that is no administrator.

import { beforeEach, it } from 'vitest'
import { newGroup } from '../../support/users/group.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
/** The administrator of the group, and a member. */
let anna: SandboxUser
let boris: SandboxUser
beforeEach(async () => {
  ;({ anna, boris } = await newGroup(sandbox, { title: 'Hidden' }))
})

const refuses = (operation: string, description: string, times = 1) =>
  sandbox.breaks('telegram', operation, { kind: 'error', status: 400, description }, times)
const hidesMembers = (times?: number) => refuses('getChatMember', 'Bad Request: CHAT_ADMIN_REQUIRED', times)

it('an administrator opens a wallet, and another member does not', async () => {
  await hidesMembers()
  await boris.sends('/wallet')
  await boris.sees(/has no wallet/)
  await hidesMembers(2)
  await anna.sends('/wallet')
  await anna.taps('Open a wallet')
  await anna.sees(/The group wallet is open, Anna pays/)
})

it('an administrator starts the conversation of another member anew; when all are hidden, the bot says what it needs', async () => {
  await boris.sends('/chat waves [short]')
  await boris.sees(/short answer/)
  await hidesMembers()
  await anna.sends('/new')
  await anna.sees(/new conversation|start(ed)? over|from scratch/i)
  await boris.sends('/chat waves [short]')
  const needsRights = /doesn’t tell me who the admins of this group are/
  for (const command of ['/wallet', '/persona a pirate']) {
    await hidesMembers()
    await refuses('getChatAdministrators', 'Bad Request: member list is inaccessible')
    const { message_id: asked } = await anna.sends(command)
    await anna.sees(({ message_id, text }) => message_id > asked && needsRights.test(text ?? ''))
  }
})

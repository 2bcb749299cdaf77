// People who write in a group without being its members, like below the posts of a channel in its discussion group: the wallet of the group
// does not pay for them.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { taps } from '../../../src/telegram/taps.ts'
import { alone, groupWithWallet } from '../../support/users/group.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '400' })
/** The owner of the wallet, a member of the group, and a stranger. */
let anna: SandboxUser
let boris: SandboxUser
let clara: SandboxUser
let id: number

beforeEach(async () => {
  ;({ id, anna, boris } = await groupWithWallet(sandbox, { open: true, admin: true }))
  clara = (await sandbox.user('Clara')).in(id)
})

const walletIsUntouched = async () => {
  const { message_id: asked } = await alone(anna).sends('/wallet')
  await alone(anna).sees(({ message_id, text = '' }) => message_id > asked && /Left: .?300$/m.test(text))
}
const photos = async () => (await anna.chat()).filter(({ photo }) => photo !== undefined)

it('a stranger pays for a new card, which offers no choice of the payer, also with forged data', async () => {
  await clara.sends('/help')
  expect((await clara.sees(/What I can do in this group/)).text).not.toMatch(/Orders: the group wallet/)
  await clara.sends('/image a fox')
  const card = await clara.sees(/Ordered and paid by Clara/)
  expect(card.text).toMatch(/pays only for members of the group/)
  expect(JSON.stringify(card.reply_markup)).not.toContain('Pay from the group wallet')
  const [draft] = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, id))
  await clara.tapsData(card.message_id, taps.payBy.data({ draftId: draft?.id ?? '', payer: 'group' }))
  await clara.isTold(/pays only for members of the group/)
  await clara.taps(/^Generate/)
  await expect.poll(photos).toHaveLength(1)
  await alone(clara).sends('/balance')
  await alone(clara).sees(/.?394.72/)
  await walletIsUntouched()
})

it('a stranger who repeats the order of a member pays for it', async () => {
  await boris.sends('/image a fox')
  await boris.taps(/^Generate/)
  await expect.poll(photos).toHaveLength(1)
  await clara.taps(/^✏️ Change/)
  await clara.sees(/Ordered and paid by Clara/)
})

it('a tap on a card that the wallet was to pay does not pay for somebody who has left since', async () => {
  await clara.sends('/image a fox')
  await clara.seesButton(/^Generate/)
  await sandbox.app.db.update(drafts).set({ byGroup: true }).where(eq(drafts.chatId, id))
  await clara.taps(/^Generate/)
  await clara.isTold(/Join the group, or pay from your own balance/)
  await walletIsUntouched()
  expect(await photos()).toEqual([])
})

describe('while Telegram', () => {
  const outage = { kind: 'error', status: 502, description: 'Bad Gateway' }
  const hidden = { kind: 'error', status: 400, description: 'Bad Request: member list is inaccessible' }

  it.each([
    ['does not answer', outage],
    ['hides the members', hidden],
  ])('%s, a member who was never seen pays, and can choose the wallet afterwards', async (_, fault) => {
    await sandbox.breaks('telegram', 'getChatMember', fault, 99)
    await boris.sends('/image a fox')
    await boris.sees(/Ordered and paid by Boris[\s\S]*doesn’t tell me whether this person is a member/)
    await boris.taps('👛 Pay from the group wallet')
    await boris.isTold(/doesn’t tell me whether you’re a member/)
    await anna.sends('/image an owl')
    await anna.sees(/Ordered by Anna, paid from the group wallet/)
    sandbox.faults.clear()
    await boris.taps('👛 Pay from the group wallet')
    await boris.sees(/a fox[\s\S]*Boris, paid from the group wallet/)
  })
})

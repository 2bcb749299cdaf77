// People who write in a group without being its members, like below the posts of a channel in its discussion group: the wallet of the group
// does not pay for them.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { taps } from '../../../src/telegram/taps.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
/** The owner of the wallet, a member of the group, and a stranger. */
let anna: SandboxUser
let boris: SandboxUser
let clara: SandboxUser
let id: number

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '400' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** An open group whose wallet has 300 ₽. */
beforeEach(async () => {
  anna = await sandbox.user('Anna')
  boris = await sandbox.user('Boris')
  clara = await sandbox.user('Clara')
  const group = { title: 'Comments', members: [anna.id, boris.id], open: true, admin: true }
  id = (await sandbox.post<{ id: number }>('/api/chats', group)).id
  await anna.in(id).sends('/wallet')
  await anna.in(id).taps('Open a wallet')
  await anna.in(id).sees(/The group wallet is open, Anna pays/)
  await anna.sends('/wallet')
  await anna.taps(/^\+ .?300/)
  await anna.sees(/Left: .?300.00/)
})

const walletHas = async (amount: RegExp) => {
  await anna.sends('/wallet')
  await anna.sees(amount)
}
const fails = (times: number, fault: object) => sandbox.breaks('telegram', 'getChatMember', fault, times)
const outage = { kind: 'error', status: 502, description: 'Bad Gateway' }
const hidden = { kind: 'error', status: 400, description: 'Bad Request: member list is inaccessible' }
const photos = async () => (await anna.in(id).chat()).filter(({ photo }) => photo !== undefined)

describe('a stranger', () => {
  it('pays for a new card, which says why and offers no choice of the payer', async () => {
    await clara.in(id).sends('/image a fox')
    const card = await clara.in(id).sees(/Ordered and paid by Clara/)
    expect(card.text).toMatch(/pays for members of the group only/)
    expect(JSON.stringify(card.reply_markup)).not.toContain('Pay from the group wallet')
    await clara.in(id).taps(/^Generate/)
    await expect.poll(photos).toHaveLength(1)
    await clara.sends('/balance')
    await clara.sees(/.?394.72/)
    await walletHas(/Left: .?300.00/)
  })

  it('cannot choose the wallet with callback data of a member', async () => {
    await clara.in(id).sends('/image a fox')
    const card = await clara.in(id).seesButton(/^Generate/)
    const [draft] = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, id))
    const data = taps.payBy.data({ draftId: draft?.id ?? '', payer: 'group' })
    await clara.in(id).tapsData(card.message_id, data)
    await clara.in(id).isTold(/pays for members of the group only/)
  })

  it('who repeats the order of a member pays for it', async () => {
    await boris.in(id).sends('/image a fox')
    await boris.in(id).taps(/^Generate/)
    await expect.poll(photos).toHaveLength(1)
    await clara.in(id).taps(/^🔁 .* · /)
    await clara.in(id).sees(/Ordered and paid by Clara/)
  })

  it('is told by /help who pays', async () => {
    await clara.in(id).sends('/help')
    const help = await clara.in(id).sees(/What I can do in this group/)
    expect(help.text).not.toMatch(/For an order: the group wallet/)
  })
})

it('a tap on a card that the wallet was to pay does not pay for somebody who has left since', async () => {
  await clara.in(id).sends('/image a fox')
  await clara.in(id).seesButton(/^Generate/)
  await sandbox.app.db.update(drafts).set({ byGroup: true }).where(eq(drafts.chatId, id))
  await clara.in(id).taps(/^Generate/)
  await clara.in(id).isTold(/Join the group, or pay from your own balance/)
  await walletHas(/Left: .?300.00/)
  await clara.in(id).taps(/^Generate/)
  await clara.in(id).isTold(/Join the group/)
})

it('the owner of the wallet is not asked about', async () => {
  await fails(99, outage)
  await anna.in(id).sends('/image a fox')
  await anna.in(id).sees(/Ordered by Anna, paid from the group wallet/)
  sandbox.faults.clear()
})

it.each([
  ['does not answer', outage],
  ['hides the members', hidden],
])(
  'while Telegram %s, a member who was never seen pays, and can choose the wallet afterwards',
  async (_, fault) => {
    await fails(99, fault)
    await boris.in(id).sends('/image a fox')
    await boris
      .in(id)
      .sees(/Ordered and paid by Boris[\s\S]*does not tell me whether this person is a member/)
    await boris.in(id).taps('👛 Pay from the group wallet')
    await boris.in(id).isTold(/does not tell me whether you are a member/)
    sandbox.faults.clear()
    await boris.in(id).taps('👛 Pay from the group wallet')
    await boris.in(id).sees(/paid from the group wallet/)
  },
)

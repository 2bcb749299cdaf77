// The delivery of answers: each message is sent once, whatever errors Telegram returns; an answer that cannot be sent costs nothing.

import { and, eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { loadTexts } from '../../src/texts.ts'
import { sectionsIn } from '../support/gateway/long-answer.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const refused = { kind: 'error', status: 500 }
const hasPrice = (message: SandboxMessage) => labelsOf(message).some((label) => /^₽\d/.test(label))
async function greeted(name: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.sends('/help')
  await user.sees(/What I can do/)
  return user
}

describe('a long answer', () => {
  it.each([
    ['the first', 0],
    ['the second', 1],
    ['the last', 2],
  ])('arrives with each message once although Telegram fails at %s of them', async (_, skip) => {
    const anna = await greeted('Anna')
    await sandbox.breaks('telegram', 'sendMessage', refused, 2, skip)
    await anna.sends('Tell me everything about waves [long]')
    await anna.sees(hasPrice)
    const sections = sectionsIn(await anna.chat())
    expect(sections.length).toBeGreaterThan(10)
    expect(sections).toEqual(sections.map((_, i) => i + 1))
  })
})

it('an answer to a user who has blocked the bot costs what was shown of it, and the statement gives the reason', async () => {
  const boris = await greeted('Boris')
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 1500 })
  await boris.sends('Tell me everything about boards [long]')
  await boris.seesDraft(/boards/)
  await boris.blocks()
  const asker = sandbox.app.db.select({ id: users.id }).from(users).where(eq(users.telegramId, boris.id))
  const isLost = and(eq(turns.delivery, 'undeliverable'), inArray(turns.userId, asker))
  const undeliverable = () => sandbox.app.db.select().from(turns).where(isLost)
  await expect.poll(undeliverable).toHaveLength(1)
  const [{ captured, refunded } = { captured: null, refunded: null }] = await undeliverable()
  const cost = (captured ?? 0n) - (refunded ?? 0n)
  expect(cost).toBeGreaterThan(0n)
  expect(refunded).toBeGreaterThan(0n)
  await boris.blocks(false)
  await boris.sends('/balance')
  await boris.sees(new RegExp(`^Balance: ${loadTexts()('en').roubles(500_00n - cost)}`))
  await boris.sends('/statement')
  await boris.sees(/Refund of an order · .*the answer couldn’t be sent/)
})

it('a proposal is sent as one card although the text before it fails at first', async () => {
  const clara = await greeted('Clara')
  await sandbox.breaks('telegram', 'sendMessage', refused, 2)
  await clara.sends('draw me a fox in the snow')
  await clara.taps(/^Generate · ₽5.28$/)
  await clara.sees(({ photo }) => photo !== undefined)
  const cards = (await clara.chat()).filter(({ text = '' }) => /nothing is made until you tap/.test(text))
  expect(cards).toHaveLength(1)
})

it('in a group the message that shows the progress becomes the answer, also after failed edits', async () => {
  const dora = await sandbox.user('Dora')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Surfers', members: [dora.id] })
  const there = dora.in(id)
  await sandbox.breaks('telegram', 'editMessageText', refused, 2)
  await there.sends('/chat How are the waves?')
  await there.sees((message) => labelsOf(message).some((label) => label.includes('· Dora')))
  const said = (await there.chat()).filter(({ from }) => from?.is_bot)
  expect(said.map(({ text }) => /How are the waves/.test(text ?? ''))).toEqual([true])
})

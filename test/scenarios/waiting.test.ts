// The message of an order while the order waits: cancelling before the submit, outages, the usual time.

import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

/** Orders once successfully: failures of several orders in a row would stop all sales for half a minute. */
beforeEach(async () => {
  await (await ordered('Vera')).sees(/Done in/)
})

const busy = { kind: 'error', status: 503 }

async function ordered(name: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.sends('/image a fox')
  await user.taps(/^Generate · /)
  return user
}

it('an order during an outage says since when it lasts, and its cancellation is shown even if Telegram fails meanwhile', async () => {
  await sandbox.breaks('gateway', 'create', busy, 999)
  const anna = await ordered('Anna')
  const waiting = await anna.sees(
    /has not answered since \d\d:\d\d Moscow time, for \d:\d\d now[\s\S]*₽5.28 goes back/,
  )
  expect(waiting.entities?.map(({ type }) => type)).toContain('date_time')
  expect(labelsOf(waiting)).toEqual(['✖ Cancel the order'])
  await sandbox.breaks('telegram', 'editMessageText', { kind: 'error', status: 502 })
  await cancels(anna)
  const canceled = await anna.sees(/Order cancelled · ₽5.28 is back/)
  expect(canceled.message_id).toBe(waiting.message_id)
  await anna.sends('/balance')
  await anna.sees(/^Balance: ₽500/)
  await anna.tapsData(canceled.message_id, labelsOf(waiting)[0] ? `gc:${await idOf(anna)}` : '')
  await anna.isTold('Order cancelled')
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
})

/** Cancels an order. A tap during an attempt to submit is refused, and is then repeated. */
async function cancels(user: SandboxUser): Promise<void> {
  const { callback_query_id: id } = await user.taps('✖ Cancel the order')
  const answer = async () => {
    const path = `/api/chats/${user.chatId}/answers`
    const answers = await sandbox.get<{ callback_query_id: string; text?: string }[]>(path)
    return answers.find(({ callback_query_id }) => callback_query_id === id)?.text
  }
  await expect.poll(answer).toBeDefined()
  if (!/Order cancelled/.test((await answer()) ?? '')) await cancels(user)
}

async function idOf({ id }: SandboxUser): Promise<string> {
  const [found] = await sandbox.app.db.select().from(generations).where(eq(generations.chatId, id))
  return found?.id ?? ''
}

it('a submitted order has no button that stops it, and is not stopped by an old one', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/video a cat')
  await boris.taps(/^Duration/)
  await boris.taps('15 s')
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
  await boris.taps(/^Generate · /)
  const running = await boris.sees(/In the queue|Drawing|Filming/)
  expect(labelsOf(running)).toEqual([])
  await boris.tapsData(running.message_id, `gc:${await idOf(boris)}`)
  await boris.isTold(/being made|no longer work/)
  await sandbox.post('/api/gateway/release', {})
  const result = await boris.sees(/Done in/)
  expect(result.message_id).toBe(running.message_id)
})

/** Sends /cancel again while a repeated submit is under way: at that moment the order cannot be cancelled. */
async function asksToCancel(anna: SandboxUser, wanted: RegExp): Promise<SandboxMessage> {
  const asked = await anna.sends('/cancel')
  const told = await anna.sees(
    ({ message_id, from, text = '' }) =>
      from?.is_bot === true && message_id > asked.message_id && /Still going on/.test(text),
  )
  return wanted.test(told.text ?? '') ? told : asksToCancel(anna, wanted)
}

/** Orders a video that stays with the gateway until it is released. */
async function filmed(user: SandboxUser): Promise<void> {
  await user.sends('/video a cat')
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
  await user.taps(/^Generate · /)
  await user.sees(/In the queue|Drawing|Filming/)
}

it('/cancel offers to cancel an order that has not been submitted', async () => {
  await sandbox.breaks('gateway', 'create', busy, 999)
  const anna = await ordered('Anna')
  await anna.sees(/⚠️/)
  const waiting = /^No question or card is open here[\s\S]*1\. Design: a fox: not started yet[^\n]* · ₽5.28/
  expect(labelsOf(await asksToCancel(anna, waiting))).toHaveLength(1)
  await cancels(anna)
  await anna.sees(/Order cancelled · ₽5.28 is back/)
})

it('/cancel names the card that it closed, and the running order with the amount held', async () => {
  const boris = await sandbox.user('Boris')
  await filmed(boris)
  await boris.sends('/image a fox')
  await boris.seesButton(/^Generate/)
  await boris.sends('/cancel')
  await boris.sees(
    /^The card “Design: a fox” is closed\.\n\nStill going on:\n1\. Reel: a cat: being made, it arrives by itself, by .* at the latest · ₽92.45\n/,
  )
  await boris.sends('/cancel')
  await boris.sees(/^No question or card[\s\S]*92.45/)
  await sandbox.post('/api/gateway/release', {})
  await boris.sees(/Done in/)
  await boris.sends('/cancel')
  await boris.sees(/^Nothing to cancel/)
})

it('/cancel in a group lists only the orders of that person in that group, and in the private chat all of them', async () => {
  const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
  const { id } = await sandbox.post<{ id: number }>('/api/chats', {
    title: 'We',
    members: [anna.id, boris.id],
  })
  const told = async (user: SandboxUser, wanted: RegExp) => {
    const { message_id: asked } = await user.sends('/cancel')
    await user.sees(({ message_id, text = '' }) => message_id > asked && wanted.test(text))
  }
  await filmed(anna)
  await told(anna.in(id), /Nothing to cancel/)
  await filmed(anna.in(id))
  await told(boris.in(id), /Nothing to cancel/)
  await told(anna.in(id), /Still going on:\n1\. Reel: a cat[^\n]*₽92.45\n\n/)
  await told(anna, /\n2\. Reel: a cat[^\n]*₽92.45\n\n/)
  await sandbox.post('/api/gateway/release', {})
})

// Invalid input, failures of other services and waiting orders: the user gets a clear message, no money moves and no draft is lost.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { groupOf } from '../support/users/group.ts'
import { openReceipt } from '../support/users/order.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const card = (user: SandboxUser) =>
  user.sees((message) => labelsOf(message).some((label) => label.startsWith('Generate')))
it('a prompt that is too long or no text is refused and asked for again, and a text file may hold a long one', async () => {
  const anna = await sandbox.user('Anna')
  const file = (length: number) => Buffer.from('к'.repeat(length))
  const sends = (name: string, bytes: Buffer) => anna.sendsFile({ kind: 'document', name, bytes })
  await anna.asks('/video', /Prompt/)
  await sends('cat.bin', Buffer.from([0, 1, 2, 255]))
  await anna.sees(/I need text/)
  await sends('prompt.txt', file(5121))
  await anna.sees(/Too long: 5,121 characters, the limit is 5,120/)
  await sends('prompt.txt', file(5120))
  expect((await card(anna)).text).toMatch(/Prompt: к{700}…/)
})

it('a forged button sets nothing that the card does not offer', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a cat')
  const shown = await card(clara)
  const [, draft] = dataOf(shown, /Duration/).split(':')
  const forged = ['webhookURL:http://evil', 'safety.mode:full', 'duration:99', 'size:1x1', '__proto__:x']
  for (const [at, set] of forged.entries()) {
    await clara.tapsData(shown.message_id, `c:${draft}:s:${set}`)
    await expect.poll(() => clara.answers()).toHaveLength(at + 1)
  }
  for (const { text } of await clara.answers()) expect(text).toMatch(/no longer available/)
  expect((await card(clara)).text).toBe(shown.text)
})

describe('While an order waits,', () => {
  /** Orders once successfully: failures of several orders in a row would stop all sales for half a minute. */
  beforeEach(async () => {
    await (await ordered('Vera')).sees(/Done in/)
  })

  const busy = { kind: 'error', status: 503 }

  async function ordered(name: string): Promise<SandboxUser> {
    const user = await sandbox.user(name)
    await user.opens('/image a fox', /^Generate · /)
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
    await anna.asks('/balance', /^Balance: ₽500/)
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

  /** Orders a video that stays with the gateway until it is released. */
  async function filmed(user: SandboxUser): Promise<void> {
    await user.sends('/video a cat')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
    await user.tapsFor(/^Generate · /, /In the queue|Drawing|Filming/)
  }

  it('/cancel names the card that it closed, and the running order with the amount held', async () => {
    const boris = await sandbox.user('Boris')
    await filmed(boris)
    await boris.sends('/image a fox')
    await boris.seesButton(/^Generate/)
    await boris.asks(
      '/cancel',
      /^The card “Design: a fox” is closed\.\n\nStill going on:\n1\. Reel: a cat: being made, it arrives by itself, by .* at the latest · ₽92.45\n/,
    )
    await boris.asks('/cancel', /^No question or card[\s\S]*92.45/)
    await sandbox.post('/api/gateway/release', {})
    await boris.sees(/Done in/)
    await boris.asks('/cancel', /^Nothing to cancel/)
  })

  it('/cancel in a group lists only the orders of that person in that group, and in the private chat all of them', async () => {
    const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
    const id = await groupOf(sandbox, anna, boris)
    const told = (user: SandboxUser, wanted: RegExp) => user.asks('/cancel', wanted)
    await filmed(anna)
    await told(anna.in(id), /Nothing to cancel/)
    await filmed(anna.in(id))
    await told(boris.in(id), /Nothing to cancel/)
    await told(anna.in(id), /Still going on:\n1\. Reel: a cat[^\n]*₽92.45\n\n/)
    await told(anna, /\n2\. Reel: a cat[^\n]*₽92.45\n\n/)
    await sandbox.post('/api/gateway/release', {})
  })
})

const description =
  'cannot read https://cdn.example/a.png?sig=1 for owner@corp.example, ask @vendor_help, see /help at unusual.museum'
const shown = 'cannot read *** for ***, ask @vendor_help, see /help at unusual.museum'

/** Checks that the message quotes the words as plain text. */
function expectPlain({ text = '', entities = [], link_preview_options }: SandboxMessage): void {
  expect(text).toContain(shown)
  expect(link_preview_options).toEqual({ is_disabled: true })
  const at = text.indexOf(shown)
  const over = entities.filter(({ offset, length }) => offset < at + shown.length && offset + length > at)
  expect(over.map(({ type }) => type).filter((type) => !type.endsWith('blockquote'))).toEqual(['code'])
}

describe('an address in the words of the gateway is not shown, and nothing in them is linked,', () => {
  it('when an order is refused, nor later in its receipt', async () => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('gateway', 'create', { kind: 'error', status: 400, description })
    await anna.opens('/video a cat', /^Generate/)
    expectPlain(await anna.sees(/didn’t accept the order/))
    expectPlain(await openReceipt(anna))
  })

  it('when a question is refused, also in a group', async () => {
    const clara = await sandbox.user('Clara')
    await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 400, description }, 2)
    expectPlain(await clara.asks('Hm?', /didn’t accept the question/))
    const id = await groupOf(sandbox, clara)
    const there = clara.in(id)
    expectPlain(await there.asks('@sandbox_generation_bot why?', /didn’t accept the question/))
  })
})

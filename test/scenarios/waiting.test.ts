// The message of an order while the order waits: cancelling before the submit, outages, the usual time.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  // Slow enough that the message about a running video is shown before its result, on a busy machine too.
  sandbox = await openSandbox('postgres', {}, 40)
})
afterAll(() => sandbox.stop())
/** Orders once successfully: failures of several orders in a row would stop all sales for half a minute. */
beforeEach(async () => {
  sandbox.faults.clear()
  await (await ordered('Vera')).sees(/Done in/)
})

const busy = { kind: 'error', status: 503 }

async function ordered(name: string, language: 'en' | 'ru' = 'en'): Promise<SandboxUser> {
  const user = await sandbox.user(name, language)
  await user.sends('/image a fox')
  await user.taps(/^(Generate|Создать) · /)
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
  await anna.sees(/^Balance: ₽500.00/)
  await anna.tapsData(canceled.message_id, labelsOf(waiting)[0] ? `gc:${await idOf(anna)}` : '')
  await anna.isTold('Order cancelled')
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
})

/** Cancels an order. A tap during an attempt to submit is refused, and is then repeated. */
async function cancels(user: SandboxUser): Promise<void> {
  const { callback_query_id: id } = await user.taps(/^✖ (Cancel the order|Отменить заказ)$/)
  const answer = async () => {
    const path = `/api/chats/${user.chatId}/answers`
    const answers = await sandbox.get<{ callback_query_id: string; text?: string }[]>(path)
    return answers.find(({ callback_query_id }) => callback_query_id === id)?.text
  }
  await expect.poll(answer).toBeDefined()
  if (!/Order cancelled|Заказ отменён/.test((await answer()) ?? '')) await cancels(user)
}

const idOf = async (user: SandboxUser): Promise<string> => {
  const found = await sandbox.app.db.select().from(generations)
  return found.find(({ chatId }) => chatId === user.id)?.id ?? ''
}

it('the message about an outage is updated with its duration', async () => {
  await sandbox.breaks('gateway', 'create', busy, 999)
  const rita = await ordered('Rita', 'ru')
  const first = await rita.sees(/не отвечает с \d\d:\d\d МСК, уже \d:\d\d/)
  const later = await rita.sees(({ text = '' }) => /не отвечает с/.test(text) && text !== first.text)
  expect(later.message_id).toBe(first.message_id)
  sandbox.faults.clear()
  await rita.sees(/Готово за/)
})

it('a submitted order has no button that stops it, and is not stopped by an old one', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/video a cat')
  await boris.taps(/^Duration/)
  await boris.taps('15 s')
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
  await boris.taps(/^Generate · /)
  const running = await boris.sees(/In the queue|In progress/)
  expect(labelsOf(running)).toEqual([])
  await boris.tapsData(running.message_id, `gc:${await idOf(boris)}`)
  await boris.isTold(/no longer (be stopped|work)/)
  await sandbox.post('/api/gateway/release', {})
  const result = await boris.sees(/Done in/)
  expect(result.message_id).toBe(running.message_id)
})

/** Sends /cancel again while a repeated submit is under way: at that moment the order cannot be cancelled. */
async function asksToCancel(anna: SandboxUser, wanted: RegExp): Promise<SandboxMessage> {
  const asked = await anna.sends('/cancel')
  const told = await anna.sees(
    ({ message_id, from, text = '' }) =>
      from?.is_bot === true && message_id > asked.message_id && /Still going on|Продолжается/.test(text),
  )
  return wanted.test(told.text ?? '') ? told : asksToCancel(anna, wanted)
}

/** Orders a video that stays with the gateway until it is released. */
async function filmed(user: SandboxUser): Promise<void> {
  await user.sends('/video a cat')
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'stuck' })
  await user.taps(/^(Generate|Создать) · /)
  await user.sees(/In the queue|In progress|В очереди|Делаем/)
}

describe.each([
  ['en', /^No question or card is open here[\s\S]*1\. Design: a fox: not begun yet[^\n]* · ₽5.28 held/],
  ['ru', /^Открытых вопросов[\s\S]*1\. [^\n]*: a fox: ещё не начато[^\n]* · удержано 5,28 ₽/],
] as const)('/cancel while an order is under way, in %s', (language, waiting) => {
  it('offers to cancel an order that has not been submitted', async () => {
    await sandbox.breaks('gateway', 'create', busy, 999)
    const anna = await ordered('Anna', language)
    await anna.sees(/⚠️/)
    const told = await asksToCancel(anna, waiting)
    expect(labelsOf(told)).toHaveLength(1)
    await cancels(anna)
    await anna.sees(/Order cancelled · ₽5.28 is back|Заказ отменён · 5,28 ₽/)
  })
})

describe.each([
  [
    'en',
    /^Closed the card “Design: a fox”\.\n\nStill going on:\n1\. Reel: a cat: being made, it arrives by itself, at the latest by .* · ₽92.45 held\n/,
    /^There is nothing to cancel/,
  ],
  [
    'ru',
    /^Карточка «.*: a fox» закрыта\.\n\nПродолжается:\n1\. .*: a cat: уже делается, результат придёт сам, самое позднее в .* · удержано 92,45 ₽\n/,
    /^Отменять нечего/,
  ],
] as const)('/cancel beside a running order, in %s', (language, closed, nothing) => {
  it('names the card that it closed, and the order that goes on with the amount held', async () => {
    const boris = await sandbox.user('Boris', language)
    await filmed(boris)
    await boris.sends('/image a fox')
    await boris.seesButton(/^(Generate|Создать)/)
    await boris.sends('/cancel')
    await boris.sees(closed)
    await boris.sends('/cancel')
    await boris.sees(/^(No question or card|Открытых вопросов)[\s\S]*92[.,]45/)
    await sandbox.post('/api/gateway/release', {})
    await boris.sees(/Done in|Готово за/)
    await boris.sends('/cancel')
    await boris.sees(nothing)
  })
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
  await told(anna.in(id), /nothing to cancel/)
  await filmed(anna.in(id))
  await told(boris.in(id), /nothing to cancel/)
  await told(anna.in(id), /Still going on:\n1\. Reel: a cat[^\n]*held\n\n/)
  await told(anna, /\n2\. Reel: a cat[^\n]*held\n\n/)
  await sandbox.post('/api/gateway/release', {})
})

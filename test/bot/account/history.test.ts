// /history: the user's orders page by page, their receipts, filters, favourites and removed orders.

import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { artifacts, generations, transfers } from '../../../src/db/schema.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const isList = ({ text = '' }: SandboxMessage) => /^🗂 Your orders/.test(text)
const isOpened = (message: SandboxMessage) => textOf(message).includes('\nDetails\n')
const ofOrder = async (id: string) =>
  (await sandbox.app.db.select().from(generations).where(eq(generations.id, id)))[0]

/** Waits until the chat shows exactly one message of the history: the list or an opened order. */
const seesOne = (user: SandboxUser) =>
  expect.poll(async () => (await user.chat()).filter((one) => isList(one) || isOpened(one))).toHaveLength(1)

describe('the list of orders', () => {
  let anna: SandboxUser
  beforeAll(async () => {
    anna = await sandbox.user('Anna')
    await anna.sends('/history')
    await anna.sees(/Nothing here yet/)
    await order(sandbox, anna, '/video a cat')
    for (const at of [2, 3, 4, 5, 6]) await order(sandbox, anna, `/image лиса ${at}`)
  })

  const first = /1–5 of 6[\s\S]*1\. .*· ₽5.28\nлиса 6\n.*✅ done/
  const opens = async (command: string, wanted: RegExp) => {
    const { message_id: asked } = await anna.sends(command)
    return anna.sees(({ message_id, text = '' }) => message_id > asked && wanted.test(text))
  }
  const second = /6 of 6[\s\S]*6\. [\s\S]*a cat/

  it('has the newest orders first, page by page, with a button for each and one for the filter', async () => {
    expect(labelsOf(await opens('/history', first))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '›',
      '🖼 Show as an album',
      '🔎 Filter',
    ])
    await anna.taps('›')
    expect(labelsOf(await anna.sees(second)).slice(0, 2)).toEqual(['6', '‹'])
    await anna.taps('6')
    await anna.sees(/Video · [\s\S]*a cat/)
    await anna.taps(/^‹ /)
    await anna.sees(second)
    await anna.taps('‹')
    await anna.sees(first)
  })

  it('is filtered by kind and by state, and an opened order leads back to the filtered list', async () => {
    await opens('/history', first)
    await anna.taps('🔎 Filter')
    const choice = await anna.sees(/Which orders do you want to see/)
    expect(choice.reply_markup?.inline_keyboard?.map((row) => row.length)).toEqual([2, 2, 2, 2, 1, 1])
    await anna.taps('Video')
    const videos = await anna.sees(/, 1 of 1[\s\S]*a cat/)
    expect(videos.text).not.toContain('лиса')
    expect(labelsOf(videos)).toContain('🔎 Filter: Video')
    await anna.taps('1')
    await anna.sees(/Video · [\s\S]*a cat/)
    await anna.taps('‹ To the list')
    await anna.sees(/, 1 of 1[\s\S]*a cat/)
    await anna.taps('🔎 Filter: Video')
    await anna.seesButton('• Video')
    await anna.taps('Failed')
    const none = await anna.sees(/^Nothing matches the filter “Failed”/)
    expect(labelsOf(none)).toEqual(['🔎 Filter: Failed', '🗂 All orders'])
    await anna.taps('🔎 Filter: Failed')
    await anna.taps('Done')
    await anna.sees(first)
  })

  /** A new person with two orders, whose list is open. */
  async function withTwoOrders(): Promise<SandboxUser> {
    const one = await sandbox.user('Boris')
    for (const animal of ['fox', 'cat']) await order(sandbox, one, `/image a ${animal}`)
    await one.sends('/history')
    await one.sees(/1–2 of 2/)
    return one
  }

  it('marks favourites and shows them by the filter and by /favourites', async () => {
    const boris = await withTwoOrders()
    await boris.sends('/favourites')
    await boris.sees(/^No favourites yet/)
    await boris.taps('🗂 All orders')
    await expect.poll(async () => (await boris.chat()).at(-1)?.text).toMatch(/1–2 of 2/)
    await boris.taps('2')
    await boris.seesButton('🗑 Hide')
    await boris.taps('🤍 Favourite')
    await boris.seesButton('💔 Unfavourite')
    await boris.taps('‹ To the list')
    await boris.sees(/2\. ❤️ /)
    await boris.taps('🔎 Filter')
    await boris.taps('❤️ Favourites')
    await boris.sees(/, 1 of 1[\s\S]*a fox/)
    const { message_id: asked } = await boris.sends('/favourites')
    await boris.sees(({ message_id, text = '' }) => message_id > asked && /, 1 of 1[\s\S]*a fox/.test(text))
  })

  it('does not show removed orders, which can be put back; no money moves', async () => {
    const clara = await withTwoOrders()
    const money = await sandbox.app.db.$count(transfers)
    await clara.taps('1')
    await clara.taps('🗑 Hide')
    await clara.isTold(/Hidden from the list/)
    expect((await clara.sees(/, 1 of 1/)).text).not.toContain('a cat')
    expect((await clara.asksInline('')).results.map(({ title }) => title)).toEqual(['a fox'])
    await clara.taps('1')
    await clara.taps('🗑 Hide')
    await clara.sees(/You’ve hidden all your orders/)
    await clara.taps('🔎 Filter')
    await clara.taps('Hidden')
    await clara.sees(/, 1–2 of 2[\s\S]*a cat/)
    await clara.taps('1')
    await clara.taps('↩️ Show it again')
    await clara.isTold(/Back on the list/)
    await clara.taps('🔎 Filter: Hidden')
    await clara.taps('All')
    await clara.sees(/, 1 of 1[\s\S]*a cat/)
    expect(await sandbox.app.db.$count(transfers)).toBe(money)
  })
})

describe('a receipt', () => {
  it('says what was paid for what', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/video a cat surfing')
    const text = textOf(await openReceipt(anna))
    expect(text).toMatch(/^🎬 Video · [\s\S]*Charged: ₽92.45 \(5 s × ₽18.49\)\n/)
    expect(text).toMatch(
      /Details\nOrdered: .* Moscow time\nDone: .*\n(Delivered: .*\n)?Order: \S+\nTask: \S+\n🎲 Seed: \d+/,
    )
    for (const part of [id, String((await ofOrder(id))?.taskId), 'a cat surfing'])
      expect(text).toContain(part)
  })

  it('gives the reason of a failure and the returned money, and has no button to send a result', async () => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the cat is wet' })
    await anna.sends('/video a wet cat')
    await anna.taps(/^Generate/)
    await anna.sees(/Something went wrong/)
    const receipt = await openReceipt(anna)
    expect(receipt.text).toMatch(/❌ failed[\s\S]*Charged: ₽0\nCame back: ₽92.45/)
    const [again, ...others] = labelsOf(receipt)
    expect(again).toMatch(/^🔁 Again · /)
    expect(others).toEqual(['✏️ Change', '🤍 Favourite', '🗑 Hide', '‹ To the list'])
  })

  it.each([
    ['a picture', '/image a fox'],
    ['a voice message', '/speech Good morning! The weather is fine.'],
  ])('is a text in place of %s that Telegram has lost', async (_, command) => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, command)
    await sandbox.app.db.update(artifacts).set({ fileId: 'gone' }).where(eq(artifacts.generationId, id))
    expect((await openReceipt(anna)).text).toMatch(/\nDetails\n/)
    await anna.taps('‹ To the list')
    await anna.sees(isList)
    await seesOne(anna)
  })

  it('replaces the list although the old message cannot be deleted', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    const refused = { kind: 'error', status: 400, description: "Bad Request: message can't be deleted" }
    await sandbox.breaks('telegram', 'deleteMessage', refused)
    await anna.taps('‹ To the list')
    await anna.sees(isList)
    await anna.taps('1')
    await anna.sees((message) => isOpened(message) && message.photo !== undefined)
  })
})

it('in a group everybody sees the orders made there, and only the owner of an order can open its receipt', async () => {
  const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
  const group = { title: 'We', members: [anna.id, boris.id] }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  await order(sandbox, anna, '/image something private')
  await order(sandbox, anna.in(id), '/image something for all')
  await anna.in(id).sends('/history')
  const list = await anna.in(id).sees(/Your orders, 1 of 1[\s\S]*something for all/)
  await boris.in(id).taps('1')
  await boris.in(id).isTold(/not yours/)
  await anna.in(id).taps('1')
  await anna.in(id).sees((message) => message.message_id === list.message_id && isOpened(message))
})

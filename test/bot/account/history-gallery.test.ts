// An order that is opened in /history shows its result with the receipt as the caption.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { artifacts } from '../../../src/db/schema.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2000' })
})
afterAll(() => sandbox.stop())

const isList = ({ text = '' }: SandboxMessage) => /^🗂 Your orders/.test(text)
const isOpened = (message: SandboxMessage) => textOf(message).startsWith('🧾')

/** Waits until the chat shows exactly one message of the history: the list or an opened order. */
const seesOne = (user: SandboxUser) =>
  expect.poll(async () => (await user.chat()).filter((one) => isList(one) || isOpened(one))).toHaveLength(1)

describe('an opened order', () => {
  it.each([
    ['a picture', '/image a fox', 'photo'],
    ['a video', '/video a cat', 'video'],
    ['a voice message', '/speech Good morning! The weather is fine.', 'voice'],
    ['a song', '/music a calm song about the sea', 'audio'],
    ['a 3D model', '/model3d an old armchair', 'document'],
  ] as const)(
    'shows %s with its receipt, and its message is replaced by the list',
    async (_, command, kind) => {
      const anna = await sandbox.user('Anna')
      await order(sandbox, anna, command)
      const opened = await openReceipt(anna)
      expect(opened[kind]).toBeDefined()
      expect(opened.caption).toMatch(/^🧾 Receipt/)
      await seesOne(anna)
      await anna.taps('⭐ Add to favourites')
      const marked = await anna.seesButton('⭐ Unfavourite')
      expect(marked[kind]).toBeDefined()
      await anna.taps('‹ To the list')
      expect(labelsOf(await anna.sees(isList))).toContain('1')
      await seesOne(anna)
      await anna.taps('1')
      await anna.sees((message) => isOpened(message) && message[kind] !== undefined)
    },
  )

  it('shows the first picture of an album', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox', [/^Pictures/, '2'])
    const album = (await anna.chat()).find(({ media_group_id }) => media_group_id)
    const opened = await openReceipt(anna)
    expect(opened.photo?.at(-1)?.file_unique_id).toBe(album?.photo?.at(-1)?.file_unique_id)
  })

  it.each([
    ['a picture that Telegram has lost', '/image a fox'],
    ['a voice message that Telegram has lost', '/speech Good morning! The weather is fine.'],
  ])('shows the receipt as a text in place of %s', async (_, command) => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, command)
    await sandbox.app.db.update(artifacts).set({ fileId: 'gone' }).where(eq(artifacts.generationId, id))
    const opened = await openReceipt(anna)
    expect(opened.text).toMatch(/^🧾 Receipt/)
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

it('the list has a button for each order of the page and one button for the filter', async () => {
  const anna = await sandbox.user('Anna')
  await order(sandbox, anna, '/image a fox')
  await anna.sends('/history')
  expect(labelsOf(await anna.sees(isList))).toEqual(['1', '🔎 Filter'])
  await anna.taps('🔎 Filter')
  const choice = await anna.sees(/Which orders do you want to see/)
  expect(choice.reply_markup?.inline_keyboard?.map((row) => row.length)).toEqual([2, 2, 2, 2, 1, 1])
  await anna.taps('‹ To the list')
  await anna.sees(isList)
})

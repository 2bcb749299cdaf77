// The memory of the last edits of status messages.

import { expect, it } from 'vitest'
import { createShownStatuses } from '../../src/delivery/shown-statuses.ts'

const chatId = 1
const most = 2000
const message = { chatId, messageId: 1 }
const sent = async () => undefined

it('the last content of the newest two thousand messages is remembered', async () => {
  const statuses = createShownStatuses()
  const isKept = (messageId: number) => statuses.isShown({ chatId, messageId }, 'running')
  for (let messageId = 0; messageId < most; messageId += 1)
    await statuses.edit({ chatId, messageId }, 'running', sent)
  expect(isKept(0)).toBe(true)
  // An edit makes a message one of the newest.
  await statuses.edit({ chatId, messageId: 0 }, 'held', sent)
  await statuses.edit({ chatId, messageId: 0 }, 'running', sent)
  await statuses.edit({ chatId, messageId: most }, 'running', sent)
  expect([0, 1, 2, most].map(isKept)).toEqual([true, false, true, true])
})

it('after an edit without an answer it is unknown what the message shows', async () => {
  const statuses = createShownStatuses()
  await statuses.edit(message, 'ended', sent)
  const lost = new Error('answer lost')
  await expect(statuses.edit(message, 'running', () => Promise.reject(lost))).rejects.toBe(lost)
  expect(statuses.isShown(message, 'ended')).toBe(false)
  expect(statuses.isShown(message, 'running')).toBe(false)
})

it('after edits that overlap it is unknown what the message shows, until one is alone', async () => {
  const statuses = createShownStatuses()
  const slow = Promise.withResolvers<void>()
  const slowEdit = statuses.edit(message, 'running', () => slow.promise)
  await statuses.edit(message, 'ended', sent)
  expect(statuses.isShown(message, 'ended')).toBe(false)
  slow.resolve()
  await slowEdit
  expect(statuses.isShown(message, 'running')).toBe(false)
  await statuses.edit(message, 'ended', sent)
  expect(statuses.isShown(message, 'ended')).toBe(true)
})

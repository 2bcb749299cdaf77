// The memory of the last edits of status messages.

import { expect, it } from 'vitest'
import { createShownStatuses } from '../../src/delivery/shown-statuses.ts'

const chatId = 1
const most = 2000

it('the last content of the newest two thousand messages is remembered', () => {
  const statuses = createShownStatuses()
  const isKept = (messageId: number) => statuses.isShown({ chatId, messageId }, 'running')
  for (let messageId = 0; messageId < most; messageId += 1)
    statuses.setShown({ chatId, messageId }, 'running')
  expect(isKept(0)).toBe(true)
  // An edit makes a message one of the newest.
  statuses.setShown({ chatId, messageId: 0 }, 'held')
  statuses.setShown({ chatId, messageId: 0 }, 'running')
  statuses.setShown({ chatId, messageId: most }, 'running')
  expect([0, 1, 2, most].map(isKept)).toEqual([true, false, true, true])
})

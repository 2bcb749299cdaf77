// Rows that were read together with an update are used for its user and its conversation only; all others are read from the database.

import { Context } from 'grammy'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ctx } from '../../src/bot/context.ts'
import { conversationStorage } from '../../src/bot/conversation-storage.ts'
import { knownOf, remember } from '../../src/bot/known.ts'
import { writeState } from '../../src/telegram/conversation-states.ts'
import type { Known } from '../../src/updates/known.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'

let database: TestDatabase
const clock = handClock()
beforeAll(async () => {
  database = await freshDatabase('postgres')
  await writeState(database.db, { key: '-5:7:5', value: { version: 'stored' }, updatedAt: clock.now() }, [0])
  await writeState(database.db, { key: '-5::5', value: { version: 'stored' }, updatedAt: clock.now() }, [0])
})
afterAll(() => database.close())

const known: Known = {
  telegramId: 5,
  user: undefined,
  balance: undefined,
  conversation: { key: '-5::5', value: { version: 'known' } },
}

interface Said {
  readonly by?: number
  readonly topic?: number
}

/** The context of a message in the group with the id -5. */
function contextOf({ by = 5, topic }: Said = {}, about?: Known): Ctx {
  const chat = { id: -5, type: 'supergroup' as const, title: 'We' }
  const from = { id: by, is_bot: false, first_name: 'Anna' }
  const place = topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true }
  const update = { update_id: 1, message: { message_id: 1, date: 0, chat, from, text: 'a', ...place } }
  if (about) remember(update, about)
  // The middleware uses only the update of the context.
  return Reflect.construct(Context, [update, {}, {}])
}

const stateIn = async (ctx: Ctx): Promise<unknown> => {
  const storage = conversationStorage({ db: database.db, clock })
  return storage.type === 'context' ? storage.adapter.read(ctx) : expect.unreachable('it needs the context')
}

it('the state of the conversation that was read with the update is used', async () => {
  expect(await stateIn(contextOf({}, known))).toEqual({ version: 'known' })
})

it("the state of a topic's conversation is read from the database when another state was read with the update", async () => {
  expect(await stateIn(contextOf({ topic: 7 }, known))).toEqual({ version: 'stored' })
  expect(await stateIn(contextOf({ topic: 8 }, known))).toBeUndefined()
})

it('the state of the conversation is read from the database when none was read with the update', async () => {
  expect(await stateIn(contextOf())).toEqual({ version: 'stored' })
})

it('rows that were read for another user are not used', () => {
  expect(knownOf(contextOf({}, known))).toBe(known)
  expect(knownOf(contextOf({ by: 6 }, known))).toBeUndefined()
})

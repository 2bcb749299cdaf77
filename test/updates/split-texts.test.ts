// A text that the user's client has split at Telegram's longest message is handled as one text, whatever happens to the processes meanwhile.

import type { Update } from 'grammy/types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { updateLimits } from '../../src/updates/handling.ts'
import { claimUpdates, putOff, storeUpdates } from '../../src/updates/inbox.ts'
import { gatherParts, momentMs } from '../../src/updates/split-texts.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { failingStatements } from '../support/database/failing.ts'
import { handClock } from '../support/runtime/clock.ts'
import { messageOf, type Process, startProcess } from '../support/worlds/inbox.ts'

let database: TestDatabase
let clock = handClock()
let handled: (string | undefined)[] = []
const processes: Process[] = []

beforeAll(async () => {
  database = await freshDatabase('postgres')
})
beforeEach(async () => {
  await database.db.delete(updates)
  clock = handClock()
  handled = []
})
// A process that still runs could claim updates of the next test, whose clock it does not have.
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.die()))
})
afterAll(() => database.close())

const long = (letter: string, length = 4096) => letter.repeat(length)
/** A text of the person 5. */
const says = (id: number, text: string, more: object = {}) => messageOf(id, 5, 5, { text, ...more })

function start(
  handle?: (update: Update, process: Process) => Promise<void>,
  db: Database = database.db,
): Process {
  const process = startProcess({
    db,
    clock,
    handle: async (update, self) =>
      handle ? handle(update, self) : void handled.push(update.message?.text ?? 'tap'),
  })
  processes.push(process)
  return process
}

const readingParts = /^\s*select id, body, received_at/

const openUpdates = async () =>
  (await database.db.select().from(updates)).filter(({ doneAt }) => doneAt === null)

/** How often an update was claimed again because its lease had expired. */
const claims = async () =>
  (await database.db.select().from(updates)).reduce((sum, row) => sum + row.claims, 0)

/** Lets time pass until all stored updates are handled: slowly while one is leased, since on a slow machine its lease would expire. */
async function isOver(): Promise<void> {
  await expect
    .poll(
      async () => {
        const open = await openUpdates()
        const isLeased = open.some(({ leaseUntil }) => leaseUntil !== null && leaseUntil > clock.now())
        clock.advance(isLeased ? 10 : 50)
        return open.length
      },
      { interval: 5, timeout: 60_000 },
    )
    .toBe(0)
}

/** Lets only the little time pass that it takes to record which updates are handled. */
async function onlyOneIsOpen(): Promise<void> {
  await expect
    .poll(
      async () => {
        clock.advance(2)
        return (await openUpdates()).length
      },
      { interval: 5, timeout: 60_000 },
    )
    .toBe(1)
}

describe('the parts of a text are one text', () => {
  it('when they come together', async () => {
    await start().receives(says(1, long('a')), says(2, long('b')), says(3, 'the end'))
    await isOver()
    expect(handled).toEqual([`${long('a')}${long('b')}the end`])
    expect(await claims()).toBe(0)
  })

  it('when each comes a moment after the previous one, and was sent up to three seconds after it', async () => {
    const process = start()
    await process.receives(says(1, long('a')))
    for (const id of [2, 3, 4]) {
      clock.advance(900)
      await process.receives(says(id, id === 4 ? 'the end' : long('b'), { date: 3 * (id - 1) }))
    }
    await isOver()
    expect(handled).toEqual([`${long('a')}${long('b')}${long('b')}the end`])
    expect(await claims()).toBe(0)
  })

  it('when they come after all attempts but one have failed: a wait for a part is no attempt', async () => {
    const process = start()
    await process.receives(says(1, long('a')))
    await database.db.update(updates).set({ attempts: updateLimits.other.attempts - 1 })
    for (const id of [2, 3]) {
      clock.advance(900)
      await process.receives(says(id, long('b'), { date: id }))
    }
    await isOver()
    expect(handled).toEqual([`${long('a')}${long('b')}${long('b')}`])
  })

  it('when its short end comes a moment later', async () => {
    const process = start()
    await process.receives(says(1, long('a')))
    clock.advance(900)
    await process.receives(says(2, 'the end'))
    await isOver()
    expect(handled).toEqual([`${long('a')}the end`])
  })

  it('whose formatting stays where it was', async () => {
    const bold = (offset: number) => ({ type: 'bold', offset, length: 3 }) as const
    let told: Update['message']
    const process = start(async ({ message }) => {
      told = message
    })
    const first = says(1, long('a', 3900), { entities: [bold(5)] })
    await process.receives(first, says(2, 'not the end', { entities: [bold(4)] }))
    await isOver()
    expect(told?.entities).toEqual([bold(5), bold(3905)])
    expect(told?.text?.slice(3905, 3908)).toBe('the')
    expect(await claims()).toBe(0)
  })

  it('when they could not be read at first', async () => {
    const failing = failingStatements(database.db, 1, readingParts, { code: '22P02' })
    await start(undefined, failing).receives(says(1, long('a')), says(2, 'the end'))
    await isOver()
    expect(handled).toEqual([`${long('a')}the end`])
    expect(await claims()).toBe(0)
  })

  it('and stay apart from the text of another person that came at the same time, also when both are handled again', async () => {
    const failed = new Set<number>()
    const process = start(async ({ update_id: id, message }) => {
      if (!failed.has(id)) {
        failed.add(id)
        throw new Error('no database')
      }
      handled.push(message?.text)
    })
    const theirs = [long('b'), 'their end'].map((text, at) => messageOf(at + 3, 6, 6, { text }))
    await process.receives(says(1, long('a')), says(2, 'my end'), ...theirs)
    await isOver()
    expect(handled.toSorted()).toEqual([`${long('a')}my end`, `${long('b')}their end`])
  })

  it('with a line break where the client cut at the end of a line or a word', async () => {
    await start().receives(says(1, long('a', 3900)), says(2, 'the end'))
    await isOver()
    expect(handled).toEqual([`${long('a', 3900)}\nthe end`])
  })

  it('with a line break before the third part, too', async () => {
    const [one, two] = [long('a', 3900), long('b', 3900)]
    await start().receives(says(1, one), says(2, two), says(3, 'the end'))
    await isOver()
    expect(handled).toEqual([`${one}\n${two}\nthe end`])
  })

  it('unless they are rich messages, which are split at 32,768 characters', async () => {
    const rich = (text: string) => ({
      text: undefined,
      rich_message: { blocks: [{ type: 'paragraph', text }] },
    })
    const half = long('a', 20_000)
    await start().receives(
      says(1, '', rich(long('a'))),
      says(2, 'one'),
      says(3, '', rich(half)),
      says(4, 'end'),
    )
    await isOver()
    expect(handled).toEqual([long('a'), 'one', `${half}\nend`])
  })

  it('when the first begins with a command, and when all reply to one message', async () => {
    const entities = [{ type: 'bot_command', offset: 0, length: 6 }]
    const replied = { reply_to_message: { message_id: 77, date: 0, chat: { id: 5, type: 'private' } } }
    const texts = [says(1, `/video ${long('a', 4089)}`, { entities, ...replied }), says(2, 'b', replied)]
    await start().receives(...texts)
    await isOver()
    expect(handled).toEqual([`/video ${long('a', 4089)}b`])
  })

  it('when several processes receive and handle them', async () => {
    const [one, other] = [start(), start()]
    await one.receives(says(1, long('a')))
    await other.receives(says(2, long('b')))
    await one.receives(says(3, 'the end'))
    await isOver()
    expect(handled).toEqual([`${long('a')}${long('b')}the end`])
  })

  it('when a process ends while it handles them', async () => {
    const dying = start(async (_, self) => {
      void self.die()
      await new Promise(() => undefined)
    })
    await dying.receives(says(1, long('a')), says(2, 'the end'))
    clock.advance(1600)
    dying.handling.nudge()
    await expect
      .poll(async () => (await database.db.select().from(updates)).some(({ doneAt }) => doneAt !== null), {
        timeout: 10_000,
      })
      .toBe(true)
    clock.advance(leaseMs)
    const next = start()
    await next.receives(says(3, 'something else', { date: 60 }))
    await isOver()
    expect(handled).toEqual([`${long('a')}the end`, 'something else'])
  })

  it('in the process that still has the lease of the first part, and in no other', async () => {
    const deps = { db: database.db, clock, ids: randomIds }
    await storeUpdates(deps, [says(1, long('a')), says(2, 'the end')])
    clock.advance(momentMs)
    const claim = async () => (await claimUpdates(deps.db, claimNow(deps)))[0]
    const lost = await claim()
    if (!lost) return expect.unreachable('it is due')
    await putOff(deps, lost, 0)
    expect((await claim())?.id).toBe(1)
    expect(await gatherParts(deps, lost)).toEqual({ ok: false })
    const open = (await openUpdates()).map(({ id, body }) => [id, JSON.parse(body ?? '').message.text])
    expect(open.toSorted()).toEqual([
      [1, long('a')],
      [2, 'the end'],
    ])
  })

  it('a part that Telegram sends again is not added twice', async () => {
    const process = start()
    const end = says(2, 'the end')
    await process.receives(says(1, long('a')), end)
    await process.receives(end)
    await isOver()
    await process.receives(end, says(1, long('a')))
    await isOver()
    expect(handled).toEqual([`${long('a')}the end`])
  })
})

describe('a long text is not continued by', () => {
  it.each<[string, Update]>([
    ['a command', says(2, '/balance')],
    ['a text sent more than three seconds later', says(2, 'later', { date: 4 })],
    ['a message of another person', messageOf(2, 5, 6, { text: 'theirs' })],
    ['a message in another chat', messageOf(2, -7, 5, { text: 'for all' })],
    ['a forwarded message', says(2, 'forwarded', { forward_origin: { type: 'hidden_user', date: 0 } })],
    ['a reply to another message', says(2, 'reply', { reply_to_message: { message_id: 9 } })],
  ])('%s', async (_, second) => {
    await start().receives(says(1, long('a')), second)
    await isOver()
    expect(handled).toEqual([long('a'), second.message?.text])
  })

  it('a text after its short end', async () => {
    await start().receives(says(1, long('a')), says(2, 'the end'), says(3, 'something else'))
    await isOver()
    expect(handled).toEqual([`${long('a')}the end`, 'something else'])
    const empty = { body: null, chatId: null, personId: null }
    expect(await database.db.select().from(updates)).toMatchObject([empty, empty, empty])
  })

  it('a second short text: both are handled alone, and the database is not searched for parts', async () => {
    const unread = failingStatements(database.db, 1000, readingParts, { code: '22P02' })
    await start(undefined, unread).receives(says(1, 'short'), says(2, 'also short'))
    await isOver()
    expect(handled).toEqual(['short', 'also short'])
    expect((await database.db.select().from(updates)).map(({ attempts }) => attempts)).toEqual([0, 0])
  })

  it('a text of half the longest length is handled at once and not continued, since no client cuts there', async () => {
    const process = start()
    await process.receives(says(1, long('a', 2048)))
    await process.receives(says(2, 'more'))
    await isOver()
    expect(handled).toEqual([long('a', 2048), 'more'])
  })
})

it('a long text alone is handled after a moment, a short one at once', async () => {
  const process = start()
  await process.receives(says(1, long('a')), messageOf(2, 6, 6, { text: 'short' }))
  await expect.poll(() => handled, { timeout: 10_000 }).toEqual(['short'])
  await onlyOneIsOpen()
  clock.advance(900)
  await database.db.execute('select 1')
  expect(handled).toEqual(['short'])
  clock.advance(600)
  await expect.poll(() => handled, { timeout: 10_000 }).toEqual(['short', long('a')])
})

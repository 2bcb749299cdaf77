// A text that the user's client has split at Telegram's longest message is handled as one text, whatever happens to the processes meanwhile.

import { eq } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { updates } from '../../src/db/schema.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { updateLimits } from '../../src/updates/handling.ts'
import { claimUpdates, storeUpdates } from '../../src/updates/inbox.ts'
import { gatherParts } from '../../src/updates/split-texts.ts'
import { claimNow } from '../support/database/claim.ts'
import { freshDatabase } from '../support/database/database.ts'
import { delayingStatements } from '../support/database/failing.ts'
import { handClock } from '../support/runtime/clock.ts'
import { gate } from '../support/worlds/generations.ts'
import { messageOf, type Process, startProcess } from '../support/worlds/inbox.ts'

let clock = handClock()
let handled: (string | undefined)[] = []
const processes: Process[] = []

const database = await freshDatabase('postgres')
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

const openUpdates = async () =>
  (await database.db.select().from(updates)).filter(({ doneAt }) => doneAt === null)

/** The time at which the first update is due. */
const dueAt = async () =>
  (await database.db.select().from(updates)).find(({ id }) => id === 1)?.dueAt.getTime()

/** How often an update was claimed again because its lease had expired. */
const claims = async () =>
  (await database.db.select().from(updates)).reduce((sum, row) => sum + row.claims, 0)

/** Lets time pass until so many updates are not handled: slowly while one is leased, since on a slow machine its lease would expire. */
async function leaves(count: number, stepMs = 50): Promise<void> {
  const left = async () => {
    const open = await openUpdates()
    const isLeased = open.some(({ leaseUntil }) => leaseUntil !== null && leaseUntil > clock.now())
    clock.advance(isLeased ? Math.min(stepMs, 10) : stepMs)
    return open.length
  }
  await expect.poll(left, { interval: 5, timeout: 60_000 }).toBe(count)
}
const isOver = () => leaves(0)

interface Row {
  readonly what: string
  /** What comes together, in the private chat 5 unless it says otherwise. */
  readonly sent: readonly Update[]
  readonly handled: readonly string[]
}

const long4096 = long('a')
const cut = long('a', 3900)
const half = long('a', 20_000)
const rich = (id: number, text: string) =>
  says(id, '', { text: undefined, rich_message: { blocks: [{ type: 'paragraph', text }] } })
const command = { entities: [{ type: 'bot_command', offset: 0, length: 6 }] }
const replied = { reply_to_message: { message_id: 77, date: 0, chat: { id: 5, type: 'private' } } }
const forwarded = { forward_origin: { type: 'hidden_user', date: 0 } }
const joined = (what: string, sent: readonly Update[], ...handled: string[]): Row => ({ what, sent, handled })
const apart = (what: string, second: Update): Row => ({
  what,
  sent: [says(1, long4096), second],
  handled: [long4096, second.message?.text ?? ''],
})

const rows: readonly Row[] = [
  joined('three parts', [says(1, long4096), says(2, long4096), says(3, 'end')], `${long4096}${long4096}end`),
  joined('two cut at the end of a word', [says(1, cut), says(2, 'end')], `${cut}\nend`),
  joined('three of them', [says(1, cut), says(2, cut), says(3, 'end')], `${cut}\n${cut}\nend`),
  joined('a rich message shorter than its limit', [rich(1, long4096), says(2, 'one')], long4096, 'one'),
  joined('a rich message', [rich(1, half), says(2, 'end')], `${half}\nend`),
  joined(
    'a command, and parts that reply to one message',
    [says(1, `/video ${long('a', 4089)}`, { ...command, ...replied }), says(2, 'b', replied)],
    `/video ${long('a', 4089)}b`,
  ),
  joined('a text after the end', [says(1, long4096), says(2, 'end'), says(3, 'b')], `${long4096}end`, 'b'),
  joined('half of the longest length', [says(1, long('a', 2048)), says(2, 'b')], long('a', 2048), 'b'),
  apart('a command', says(2, '/balance')),
  apart('a text sent more than three seconds later', says(2, 'later', { date: 4 })),
  apart('a message of another person', messageOf(2, 5, 6, { text: 'theirs' })),
  apart('a message in another chat', messageOf(2, -7, 5, { text: 'for all' })),
  apart('a forwarded message', says(2, 'forwarded', forwarded)),
  apart('a reply to another message', says(2, 'reply', { reply_to_message: { message_id: 9 } })),
]

it('texts that come together are joined if they are parts of one, and otherwise handled one by one', async () => {
  const process = start()
  for (const { what, sent, handled: expected } of rows) {
    handled = []
    await database.db.delete(updates)
    await process.receives(...sent)
    await isOver()
    expect([what, handled, await claims()]).toEqual([what, expected, 0])
    const empty = { body: null, chatId: null, personId: null }
    expect(await database.db.select().from(updates)).toMatchObject(sent.map(() => empty))
  }
})

describe('the parts of a text are one text', () => {
  it('when each comes a moment after the previous one, also after all attempts but one have failed: a wait for a part is no attempt', async () => {
    const process = start()
    await process.receives(says(1, long('a')))
    await database.db.update(updates).set({ attempts: updateLimits.other.attempts - 1 })
    for (const id of [2, 3, 4]) {
      clock.advance(900)
      process.handling.nudge()
      await expect.poll(dueAt).toBeGreaterThan(clock.now().getTime())
      await process.receives(says(id, long('b'), { date: 3 * (id - 1) }))
    }
    clock.advance(1500)
    process.handling.nudge()
    await expect.poll(() => handled).toEqual([`${long('a')}${long('b').repeat(3)}`])
    await isOver()
    expect(await claims()).toBe(0)
  })

  it('whose formatting stays where it was', async () => {
    const bold = (offset: number) => ({ type: 'bold', offset, length: 3 }) as const
    let told: Update['message']
    const process = start(async ({ message }) => {
      told = message
    })
    const first = says(1, cut, { entities: [bold(5)] })
    await process.receives(first, says(2, 'not the end', { entities: [bold(4)] }))
    await isOver()
    expect(told?.entities).toEqual([bold(5), bold(3905)])
    expect(told?.text?.slice(3905, 3908)).toBe('the')
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
})

it('a text is joined with no part that was set aside, and with none after its lease was lost', async () => {
  const deps = { db: database.db, clock, ids: randomIds }
  await storeUpdates(deps, [says(1, long4096), says(2, 'end')])
  clock.advance(1500)
  const [first] = await claimUpdates(deps.db, claimNow(deps))
  if (!first) return expect.unreachable('it is due')
  expect(await gatherParts(deps, { ...first, lease: 'lost' })).toEqual({ ok: false })
  expect(await openUpdates()).toHaveLength(2)
  const [reading, { opened, open }] = [Promise.withResolvers<void>(), gate()]
  const slow = delayingStatements(deps.db, /behind/, opened, reading.resolve)
  const gathering = gatherParts({ ...deps, db: slow }, first)
  await reading.promise
  const aside = { doneAt: new Date(0), setAsideAt: new Date(0) }
  await database.db.update(updates).set(aside).where(eq(updates.id, 2))
  open()
  expect(await gathering).toEqual({ ok: false })
  expect(await database.db.select().from(updates).where(eq(updates.id, 2))).toMatchObject([aside])
  expect(await gatherParts(deps, first)).toEqual({ ok: true, update: first.update })
})

it('a long text alone is handled after a moment, a short one at once', async () => {
  const process = start()
  await process.receives(says(1, long('a')), messageOf(2, 6, 6, { text: 'short' }))
  await expect.poll(() => handled, { timeout: 10_000 }).toEqual(['short'])
  await leaves(1, 2)
  clock.advance(900)
  await database.db.execute('select 1')
  expect(handled).toEqual(['short'])
  clock.advance(600)
  await expect.poll(() => handled, { timeout: 10_000 }).toEqual(['short', long('a')])
})

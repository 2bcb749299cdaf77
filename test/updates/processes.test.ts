// Several processes handle updates of the same chats and people from one inbox, with chance deciding who stores, handles, fails and dies.
// Whatever happens, updates of a lane are handled in order and one at a time.

import type { Update } from 'grammy/types'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { lanesOf } from '../../src/updates/inbox.ts'
import { freshDatabase } from '../support/database/database.ts'
import { inFlight } from '../support/database/in-flight.ts'
import { handClock } from '../support/runtime/clock.ts'
import { messageOf, type Process, startProcess, tapOf } from '../support/worlds/inbox.ts'

const database = await freshDatabase('postgres')
const flight = inFlight(database.db)
beforeEach(async () => {
  await database.db.delete(updates)
})
afterAll(() => database.close())

/** Random decisions that the seed repeats. */
function chanceOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, is: (share: number) => next() < share }
}
type Chance = ReturnType<typeof chanceOf>

const people = [11, 12, 13, 14]
const groups = [-21, -22]

function someUpdate({ below, is }: Chance, id: number): Update {
  const person = people[below(people.length)] ?? 0
  if (is(0.6)) return messageOf(id, person)
  const group = groups[below(groups.length)] ?? 0
  return is(0.5) ? tapOf(id, group, person) : messageOf(id, group, person)
}

const lanes = (update: Update) => {
  const { chatId = 0, personId = 0 } = lanesOf(update)
  return { chatId, personId }
}

/** Records which updates the handlers got, and all mistakes. */
function createJournal() {
  const running = new Map<number, { readonly process: Process; readonly update: Update }>()
  const done: Update[] = []
  const mistakes: string[] = []
  const isSameLane = (one: Update, other: Update) =>
    lanes(one).chatId === lanes(other).chatId || lanes(one).personId === lanes(other).personId
  return {
    done,
    mistakes,
    begins(process: Process, update: Update) {
      for (const { update: other } of running.values()) {
        if (isSameLane(update, other))
          mistakes.push(`${update.update_id} began during ${other.update_id} of its lane`)
      }
      for (const other of done) {
        if (other.update_id > update.update_id && isSameLane(update, other))
          mistakes.push(`${update.update_id} began after ${other.update_id} of its lane`)
      }
      running.set(update.update_id, { process, update })
    },
    fails: (update: Update) => void running.delete(update.update_id),
    ends(update: Update) {
      running.delete(update.update_id)
      done.push(update)
    },
    dies(process: Process) {
      for (const [id, one] of running) if (one.process === process) running.delete(id)
    },
  }
}
type Journal = ReturnType<typeof createJournal>

interface Story {
  readonly chance: Chance
  readonly clock: Clock
  readonly journal: Journal
  readonly processes: Process[]
  /** How many of a hundred handlers fail. */
  readonly failures: number
}

function addProcess({ chance, clock, journal, processes, failures }: Story): void {
  const process = startProcess({
    db: flight.db,
    clock,
    async handle(update, self) {
      journal.begins(self, update)
      for (let left = chance.below(3); left > 0; left -= 1) await self.db.execute('select 1')
      if (chance.below(100) < failures) {
        journal.fails(update)
        throw new Error('no database')
      }
      journal.ends(update)
    },
  })
  processes.push(process)
}

/** Stores the updates in batches, by processes chosen by chance. */
async function receive({ chance, processes }: Story, count: number): Promise<void> {
  for (let id = 1; id <= count; ) {
    const batch = Array.from({ length: Math.min(1 + chance.below(8), count - id + 1) }, (_, at) =>
      someUpdate(chance, id + at),
    )
    id += batch.length
    await processes[chance.below(processes.length)]?.receives(...batch)
    // Like NOTIFY.
    for (const { handling } of processes) handling.nudge()
    for (let pauses = chance.below(4); pauses > 0; pauses -= 1) await database.db.execute('select 1')
  }
}

const leftOver = async () =>
  (await database.db.select().from(updates)).filter(({ doneAt }) => doneAt === null).length

/** Receives updates and lets time pass until all are handled. @param each called after every step */
async function play(story: Story, count: number, each: (isReceived: boolean) => unknown): Promise<void> {
  let isReceived = false
  const received = receive(story, count).then(() => {
    isReceived = true
  })
  for (let looks = 0; looks < 5000; looks += 1) {
    const left = await leftOver()
    if (isReceived && left === 0) break
    await each(isReceived)
  }
  await received
  expect(await leftOver()).toBe(0)
}

const storyOf = (seed: number, clock: Clock, failures: number): Story => ({
  chance: chanceOf(seed),
  clock,
  journal: createJournal(),
  processes: [],
  failures,
})

it.each([7919, 15_838])(
  'updates of a lane are handled in order and one at a time while processes die and handlers fail; seed %d',
  async (seed) => {
    const hand = handClock()
    const story = storyOf(seed, hand, 5)
    const { chance, journal, processes } = story
    for (let at = 0; at < 2; at += 1) addProcess(story)
    let deaths = 0
    const oneDies = () => {
      const [dead] = processes.splice(chance.below(processes.length), 1)
      if (!dead) return
      deaths += 1
      void dead.die()
      journal.dies(dead)
      addProcess(story)
    }
    await play(story, 100, async (isReceived) => {
      if (deaths < 3 && chance.is(0.02)) oneDies()
      // Longer steps only while no statement is under way, so that no living process loses its lease.
      if (isReceived) await flight.none()
      hand.advance(isReceived ? 100 : 2)
    })
    for (const { handling } of processes) await handling.stop()
    expect(journal.mistakes).toEqual([])
  },
)

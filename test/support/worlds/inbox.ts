// Processes that handle updates from one inbox, with one clock. A process can die at any time; then none of its work continues.

import type { Update } from 'grammy/types'
import type { Database } from '../../../src/db/client.ts'
import { updates } from '../../../src/db/schema.ts'
import { createMetrics } from '../../../src/metrics.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Loop } from '../../../src/runtime/loop.ts'
import { createHandling } from '../../../src/updates/handling.ts'
import { finishUpdate, storeUpdates } from '../../../src/updates/inbox.ts'
import { type InFlight, inFlight } from '../database/in-flight.ts'
import type { HandClock } from '../runtime/clock.ts'

const person = (id: number) => ({ id, is_bot: false, first_name: 'Anna' })

/** A message. @param chat the id of the chat; it is private if it equals `from` */
export const messageOf = (id: number, chat: number, from = chat, more: object = {}): Update => ({
  update_id: id,
  message: {
    message_id: id,
    date: 0,
    chat:
      chat === from
        ? { id: chat, type: 'private', first_name: 'Anna' }
        : { id: chat, type: 'group', title: 'We' },
    from: person(from),
    text: `${id}`,
    ...more,
  },
})

export const tapOf = (id: number, chat: number, from: number): Update => ({
  update_id: id,
  callback_query: {
    id: `${id}`,
    from: person(from),
    chat_instance: '1',
    data: 'x',
    message: { message_id: 1, date: 0, chat: { id: chat, type: 'group', title: 'We' } },
  },
})

/** The report of a payment in a private chat. */
export const paymentOf = (id: number, chat: number): Update =>
  messageOf(id, chat, chat, {
    text: undefined,
    successful_payment: {
      currency: 'XTR',
      total_amount: 1,
      invoice_payload: 'x',
      telegram_payment_charge_id: 'c',
      provider_payment_charge_id: '',
    },
  })

/** @returns the ids of the updates that are not handled yet */
export const unhandledIn = async (db: Database): Promise<number[]> =>
  (await db.select().from(updates)).filter(({ doneAt }) => doneAt === null).map(({ id }) => id)

type Finishing = Parameters<typeof finishUpdate>

export async function finishAll(deps: Finishing[0], handled: readonly Finishing[1][]): Promise<void> {
  for (const one of handled) await finishUpdate(deps, one)
}

/**
 * Lets time pass in small steps until the condition holds; none passes while a statement is not answered, so that no lease expires
 * meanwhile.
 */
export async function untilSo(
  flight: InFlight,
  clock: HandClock,
  isSo: () => boolean | Promise<boolean>,
  { stepMs = 2, looks = 5000 } = {},
): Promise<void> {
  for (let left = looks; !(await isSo()); left -= 1) {
    if (left === 0) throw new Error('the condition never held')
    await flight.none()
    clock.advance(stepMs)
    await flight.db.execute('select 1')
  }
}

export interface Process {
  readonly handling: Loop
  /** The process's connection to the database. */
  readonly db: Database
  /** Stores updates as an intake does that outlives the process. */
  receives(...updates: Update[]): Promise<void>
  /** @returns a promise that resolves when the statements that were running have ended; the tables are changed no more */
  die(): Promise<void>
}

interface Given {
  readonly db: Database
  readonly clock: Clock
  readonly handle: (update: Update, process: Process, attempt: number) => Promise<void>
}

const metrics = createMetrics()

export function startProcess({ db, clock, handle }: Given): Process {
  const mortal = mortalDatabase(db)
  const deps = { db: mortal.db, clock, ids: randomIds, log: silentLog, metrics }
  const handling = createHandling({
    ...deps,
    handle: (update, attempt) => handle(update, process, attempt),
  })
  const process: Process = {
    handling,
    db: mortal.db,
    async receives(...updates) {
      const fresh = await storeUpdates({ db, clock }, updates)
      if (fresh.length > 0) handling.nudge()
    },
    die: mortal.die,
  }
  handling.start()
  return process
}

/** A database connection that can die: afterwards no statement begins, and no running statement is answered. */
function mortalDatabase(database: Database) {
  let isDead = false
  const statements = inFlight(database)
  const db = new Proxy(statements.db, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        if (isDead) return unanswered
        const begun: unknown = Reflect.apply(method, target, given)
        if (name !== 'execute') return begun
        return Promise.resolve(begun).then((answer) => (isDead ? unanswered : answer))
      }
    },
  })
  return {
    db,
    die() {
      isDead = true
      return statements.none()
    },
  }
}

/** A statement with any clauses whose promise never settles. */
const unanswered: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? () => undefined : unanswered),
  apply: () => unanswered,
})

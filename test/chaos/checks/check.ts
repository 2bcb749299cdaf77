// The input and the output of a check.

import type { Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
import type { Chats } from '../users/chats.ts'
import type { OrderBook } from '../users/orders.ts'
import type { Payment } from '../users/paying.ts'
import type { Ordered } from './ordered.ts'
import type { Task } from './tasks.ts'

export interface Violation {
  readonly check: string
  /** The subject of the history to print: an order's mark, a person, a charge. */
  readonly about: string
  readonly fact: string
}

/** The final state of everything that checks compare. */
export interface Evidence {
  readonly database: RunDatabase
  readonly chats: Chats
  readonly book: OrderBook
  readonly payments: readonly Payment[]
  /** The generations of the database. */
  readonly ordered: readonly Ordered[]
  /** The tasks of the gateway. */
  readonly tasks: readonly Task[]
  /** The folder of the log files. */
  readonly logs: string
  readonly journal: Journal
  /** Marks of the commands whose updates were set aside and retried at the end. */
  readonly retried: ReadonlySet<string>
}

export interface Check {
  readonly name: string
  find(evidence: Evidence): Promise<readonly Omit<Violation, 'check'>[]> | readonly Omit<Violation, 'check'>[]
}

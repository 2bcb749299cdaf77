// What a check is given, and what it finds.

import type { Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
import type { Chats } from '../users/chats.ts'
import type { OrderBook } from '../users/orders.ts'
import type { Payment } from '../users/paying.ts'
import type { Ordered } from './ordered.ts'
import type { Task } from './tasks.ts'

export interface Violation {
  readonly check: string
  /** An order's mark, a person, a charge: the subject of a history. */
  readonly about: string
  readonly fact: string
}

/** Everything that is known at the end. */
export interface Evidence {
  readonly database: RunDatabase
  readonly chats: Chats
  readonly book: OrderBook
  readonly payments: readonly Payment[]
  /** What the database knows of generations. */
  readonly ordered: readonly Ordered[]
  /** What the gateway knows. */
  readonly tasks: readonly Task[]
  /** The folder of the log files. */
  readonly logs: string
  readonly journal: Journal
  /** Marks of the commands whose updates were set aside, and retried at the end. */
  readonly retried: ReadonlySet<string>
}

export interface Check {
  readonly name: string
  find(evidence: Evidence): Promise<readonly Omit<Violation, 'check'>[]> | readonly Omit<Violation, 'check'>[]
}

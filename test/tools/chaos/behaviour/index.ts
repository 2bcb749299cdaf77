// Collects the traits of a whole run from its chats, tables, logs and calls of the doubles.

import type { Sql } from 'postgres'
import type { Faults } from '../../../../src/sandbox/faults.ts'
import type { Telegram } from '../../../../src/sandbox/telegram/index.ts'
import { traitsOfEvent } from './chats.ts'
import { countLogs } from './logs.ts'
import { countTables } from './tables.ts'
import { createCounter, type Traits } from './traits.ts'

export interface Behaviour {
  /** Wraps the faults of the doubles, so that each call of a double is counted as a trait. */
  countCalls(faults: Faults): Faults
  watch(telegram: Pick<Telegram, 'on'>): void
  /** @param logs the folder of the log files @returns the traits counted so far */
  traits(sql: Sql, logs: string): Promise<Traits>
}

export function createBehaviour(): Behaviour {
  const counter = createCounter()
  return {
    countCalls: (faults) => ({
      ...faults,
      take(target, operation) {
        counter.add([`call: ${target} ${operation}`])
        return faults.take(target, operation)
      },
    }),
    watch: (telegram) => void telegram.on((event) => counter.add(traitsOfEvent(event))),
    async traits(sql, logs) {
      await countTables(sql, counter)
      await countLogs(logs, counter)
      return counter.counts
    },
  }
}

// The record of the operators' actions in a run, from their view.

export interface Correction {
  readonly person: number
  /** The reason in the message to the person. */
  readonly reason: string
  /** In kopecks, unique for each correction; negative for a debit. */
  readonly amount: number
}

export interface OrderRefund {
  readonly reason: string
  /** The id of the order on the button. */
  readonly generation: string
}

export interface Broadcast {
  readonly words: string
  /** The people who had written to the bot before the broadcast was started. */
  readonly to: readonly number[]
}

export interface Desk {
  readonly corrections: Correction[]
  readonly refunds: OrderRefund[]
  readonly broadcasts: Broadcast[]
  /** The people who were banned for some time. */
  readonly banned: Set<number>
  /** The people whose payments operators wanted to refund. */
  readonly refundedPayers: Set<number>
  readonly operators: readonly number[]
  /** A number that makes a reason unique. */
  next(): number
  /** The amount of the next correction in kopecks, unique in the run; the first is 1. */
  nextAmount(): number
}

const firstOperator = 500_000_001
export const operatorIds = [firstOperator, firstOperator + 1] as const

export function createDesk(): Desk {
  let number = 0
  let amounts = 0
  return {
    corrections: [],
    refunds: [],
    broadcasts: [],
    banned: new Set(),
    refundedPayers: new Set(),
    operators: operatorIds,
    next() {
      number += 1
      return number
    },
    nextAmount() {
      amounts += 1
      return amounts === 1 ? 1 : 100 + amounts
    },
  }
}

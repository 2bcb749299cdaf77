// What the operators of a run did, as they know it.

export interface Correction {
  readonly person: number
  /** In the message to the person. */
  readonly reason: string
  /** Kopecks, negative when taken; different for each correction. */
  readonly amount: number
}

export interface OrderRefund {
  readonly reason: string
  /** The id of the order on the button. */
  readonly generation: string
}

export interface Broadcast {
  readonly words: string
  /** Those who had talked with the bot before it was started. */
  readonly to: readonly number[]
}

export interface Desk {
  readonly corrections: Correction[]
  readonly refunds: OrderRefund[]
  readonly broadcasts: Broadcast[]
  /** Whoever was banned for some time. */
  readonly banned: Set<number>
  readonly operators: readonly number[]
  /** Makes reasons different. */
  next(): number
  /** Kopecks, different for each correction; the first is one. */
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

// The money of groups: what their owners have put in and taken out, and what members have ordered. A wallet has a balance of its own in
// the model, under the id of its group.

import { type Entry, exactly, upTo } from './balances.ts'
import { amountIn } from './roubles.ts'

/** A button that was tapped. */
interface Move {
  readonly way: 'in' | 'back'
  /** On the button, in kopecks; undefined for all that is left. */
  readonly amount: number | undefined
  readonly taps: readonly string[]
}

export interface WalletFacts {
  readonly id: number
  readonly owner: number
  readonly moves: ReadonlyMap<string, Move>
  /** The bot's answer to a tap; undefined without one. */
  answerTo(tap: string): string | undefined
}

const isDone = /^(₽[\d.,]+) (added to the wallet|is back on your balance)$/

/**
 * Both sides of each move. Without the answer that it was done it may have been done or not: then the sum of both balances is exact, each
 * of them is not.
 */
export function movesOf(facts: WalletFacts): readonly Entry[] {
  const { id, owner, moves, answerTo } = facts
  const most = [...moves.values()].reduce((sum, { amount = 0 }) => sum + amount, 0)
  return [...moves.values()].flatMap(({ way, amount, taps }) => {
    const told = taps.map(answerTo).find((answer) => answer !== undefined && isDone.test(answer))
    const moved = told === undefined ? (amount ?? most) : (amountIn(told) ?? 0)
    const due = (side: number) => (told === undefined ? upTo(side * moved) : exactly(side * moved))
    const sign = way === 'in' ? 1 : -1
    return [
      { person: owner, what: 'wallet', due: due(-sign) },
      { person: id, what: way === 'in' ? 'filled' : 'taken back', due: due(sign) },
    ]
  })
}

/** The owner and the wallet together, under the id of the group: what was moved between them does not matter. */
export const together = (entries: readonly Entry[], { id, owner }: WalletFacts): readonly Entry[] =>
  entries
    .filter(({ person }) => person === owner || person === id)
    .filter(({ what }) => !['wallet', 'filled', 'taken back'].includes(what))
    .map((entry) => ({ ...entry, person: id }))

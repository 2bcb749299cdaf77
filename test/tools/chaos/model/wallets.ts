// The wallets of groups: what owners put in and take out, and what members order. In the model a wallet has a balance of its own, under the
// id of its group.

import { type Entry, exactly, upTo } from './balances.ts'
import { amountIn } from './roubles.ts'

/** A tapped button that moves money between the owner's balance and the wallet. */
interface Move {
  readonly way: 'in' | 'back'
  /** The amount on the button, in kopecks; undefined for the whole rest. */
  readonly amount: number | undefined
  readonly taps: readonly string[]
}

export interface WalletFacts {
  readonly id: number
  readonly owner: number
  readonly moves: ReadonlyMap<string, Move>
  /** A payment of the owner was to be refunded: if the balance is too small, the app takes money back from the wallet. */
  readonly mayBeEmptied: boolean
  /** The bot's answer to a tap; undefined without an answer. */
  answerTo(tap: string): string | undefined
}

const isDone = /^(₽[\d.,]+) (added to the wallet|is back on your balance)$/

/**
 * The two entries of each move. Without the bot's confirmation the move may have been done or not, and a refund may have emptied the wallet
 * or not: then only the sum of both balances is certain.
 */
export function movesOf(facts: WalletFacts): readonly Entry[] {
  const { id, owner, moves, mayBeEmptied, answerTo } = facts
  const most = [...moves.values()].reduce((sum, { amount = 0 }) => sum + amount, 0)
  const emptied: readonly Entry[] = [
    { person: owner, what: 'wallet', due: upTo(most) },
    { person: id, what: 'taken back', due: upTo(-most) },
  ]
  const byTaps = [...moves.values()].flatMap(({ way, amount, taps }) => {
    const told = taps.map(answerTo).find((answer) => answer !== undefined && isDone.test(answer))
    const moved = told === undefined ? (amount ?? most) : (amountIn(told) ?? 0)
    const due = (side: number) => (told === undefined ? upTo(side * moved) : exactly(side * moved))
    const sign = way === 'in' ? 1 : -1
    return [
      { person: owner, what: 'wallet', due: due(-sign) },
      { person: id, what: way === 'in' ? 'filled' : 'taken back', due: due(sign) },
    ]
  })
  return mayBeEmptied ? [...byTaps, ...emptied] : byTaps
}

/** The entries of the owner and the wallet together, under the id of the group, without the moves between them. */
export const together = (entries: readonly Entry[], { id, owner }: WalletFacts): readonly Entry[] =>
  entries
    .filter(({ person }) => person === owner || person === id)
    .filter(({ what }) => !['wallet', 'filled', 'taken back'].includes(what))
    .map((entry) => ({ ...entry, person: id }))

// Groups whose members order together, and the record of the actions of wallet owners, from their view.

/** A button that moves money between the balance of the owner and the wallet. It may be tapped more than once. */
export interface Move {
  readonly way: 'in' | 'back'
  /** The amount on the button, in kopecks; undefined for the whole rest. */
  readonly amount: number | undefined
  /** The ids of the taps on the button, in the private chat of the owner. */
  readonly taps: string[]
}

export interface Group {
  readonly id: number
  /** The person who created the group. */
  readonly owner: number
  readonly members: readonly number[]
  isOpen: boolean
  /** Moves by the data of their buttons. */
  readonly moves: Map<string, Move>
  /** All daily limits of a member that may have been in force since the wallet got money, in kopecks. */
  caps: number[]
}

/** The limit of each member in a new wallet, in kopecks. */
const firstCap = 10_000

export const newGroup = (id: number, members: readonly [number, ...number[]]): Group => ({
  id,
  owner: members[0],
  members,
  isOpen: false,
  moves: new Map(),
  caps: [firstCap],
})

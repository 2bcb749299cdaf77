// Groups whose members order together, and what the owners of their wallets did, as they know it.

/** A button that moves money between the balance of the owner and the wallet. It may be tapped more than once. */
export interface Move {
  readonly way: 'in' | 'back'
  /** On the button, in kopecks; undefined for all that is left. */
  readonly amount: number | undefined
  /** The ids of its taps, in the private chat of the owner. */
  readonly taps: string[]
}

export interface Group {
  readonly id: number
  /** Who has created it. */
  readonly owner: number
  readonly members: readonly number[]
  isOpen: boolean
  /** By the data of their buttons. */
  readonly moves: Map<string, Move>
  /** What a member might spend within a day, in kopecks: all limits since money came into the wallet. */
  caps: number[]
}

/** In a new wallet. */
const firstCap = 10_000

export const newGroup = (id: number, members: readonly [number, ...number[]]): Group => ({
  id,
  owner: members[0],
  members,
  isOpen: false,
  moves: new Map(),
  caps: [firstCap],
})

// How many requests of one kind may be in flight at the gateway: halved whenever it cannot be reached, raised by its answers at
// about one per round of them. This keeps processes from overloading a gateway that has just come back.

export interface ConcurrencyLimit {
  current(): number
  raise(): void
  halve(): void
  /** Allows only one request at a time, for a probe. */
  lowerToOne(): void
}

export function createConcurrencyLimit(most = 32): ConcurrencyLimit {
  let limit = most
  return {
    current: () => Math.floor(limit),
    raise() {
      limit = Math.min(most, limit + 1 / limit)
    },
    halve() {
      limit = Math.max(1, limit / 2)
    },
    lowerToOne() {
      limit = 1
    },
  }
}

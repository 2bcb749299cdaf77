// What a payment provider has booked.

export interface Booked {
  /** What was paid, in the smallest unit of its currency, by the charge. */
  readonly paid: ReadonlyMap<string, number>
  /** The charges of payments that were given back. */
  readonly refunded: ReadonlySet<string>
}

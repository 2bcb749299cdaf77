// The payments in the books of a payment provider.

export interface Booked {
  /** The paid amount by charge, in the smallest unit of its currency. */
  readonly paid: ReadonlyMap<string, number>
  /** The charges of refunded payments. */
  readonly refunded: ReadonlySet<string>
}

// A place: room for one more generation among those that this process works on at once. It is reserved before a statement that makes a
// step due, so that the same statement can claim the row and the step begins without the queue. Without a place the statement
// leaves the row to the queue.

import { released } from '../db/leased-queue.ts'
import type { Locale } from '../texts.ts'
import type { Artifact, Generation } from './generation.ts'

type PlaceKind = 'submit' | 'look' | 'deliver'

/** The columns of a row that is claimed; both are null in a row that is left to the queue. */
export interface Lease {
  readonly lease: string | null
  readonly leaseUntil: Date | null
}

export interface Place extends Lease {
  readonly lease: string
  readonly leaseUntil: Date
  /** Begins the step of the claimed row; the place is free again when it has ended. */
  take(claimed: Generation, known?: Known): void
  /** Frees the place when no row was claimed. */
  free(): void
}

export interface Places {
  /** @returns undefined when there is no room, or this process makes no steps */
  reserve(kind: PlaceKind): Place | undefined
  /** A row was left to the queue, and a place may be free now. */
  nudge(kind: PlaceKind): void
}

/** The places of a process that makes no steps. */
export const noPlaces: Places = { reserve: () => undefined, nudge: () => undefined }

/** What was read together with a row, so that its step need not read it. */
export interface Known {
  /** The language of the user. */
  readonly locale?: Locale | undefined
  /** The files of an order that is to be delivered. */
  readonly artifacts?: readonly Artifact[] | undefined
}

export interface ClaimedGeneration extends Known {
  readonly generation: Generation
}

/**
 * Runs a statement that may claim a row, and begins the step if it did.
 * @param statement writes the lease into the row only if no other process can be working on it
 * @param rowOf the row that the statement has returned, claimed or not
 */
export async function claimInto<Made>(
  place: Place | undefined,
  statement: (lease: Lease) => Promise<Made>,
  rowOf: (made: Made) => ClaimedGeneration | undefined,
): Promise<Made> {
  let claimed: ClaimedGeneration | undefined
  try {
    const made = await statement(place ?? released)
    const row = rowOf(made)
    if (place && row?.generation.lease === place.lease) claimed = row
    return made
  } finally {
    if (claimed) place?.take(claimed.generation, claimed)
    else place?.free()
  }
}

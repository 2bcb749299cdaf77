// The sandbox's account at the gateway. Whole kopecks as plain integers, since they live in JSON. Nothing is reserved: a
// success is charged when it completes, and then the balance may go below zero, as several requests may have counted on it.

import { z } from 'zod'

export const accountState = z.object({ balance: z.int(), charged: z.int() })
export type AccountState = z.output<typeof accountState>

export interface Account {
  state(): AccountState
  covers(kopecks: number): boolean
  charge(kopecks: number): void
  setBalance(kopecks: number): void
}

export function openAccount(loaded: AccountState): Account {
  const state = { ...loaded }
  return {
    state: () => ({ ...state }),
    covers: (kopecks) => state.balance >= kopecks,
    charge(kopecks) {
      state.balance -= kopecks
      state.charged += kopecks
    },
    setBalance(kopecks) {
      state.balance = kopecks
    },
  }
}

// The account at the gateway, in whole kopecks, as plain integers because they are kept in JSON. No money is reserved: a task is charged
// when it completes, so the balance can go below zero when several requests relied on the same money.

import { z } from 'zod'

export const accountState = z.object({ balance: z.int(), charged: z.int() })
type AccountState = z.output<typeof accountState>

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

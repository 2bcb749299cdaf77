// How users read a balance: one below zero is a debt.

import { type BuiltIn, builtInOf } from '../ledger/built-in-notes.ts'
import type { Kopecks } from '../money.ts'
import { locales, type Say, type Texts } from '../texts.ts'

/** HTML. */
export const balanceText = (say: Say, available: Kopecks): string =>
  available < 0n
    ? say.html('balance-owed', { owed: say.roubles(-available) })
    : say.html('balance', { available: say.roubles(available) })

/** What is missing for a price, and how much of it is a debt. */
export const missingText = (say: Say, missing: Kopecks, available: Kopecks): string =>
  available < 0n
    ? say.plain('missing-with-debt', { missing: say.roubles(missing), owed: say.roubles(-available) })
    : say.roubles(missing)

// Shows a stored reason in the language of its reader.

interface Deps {
  readonly texts: Texts
}

/** A reason that a person typed is shown as it is. */
export function reasonText(deps: Deps, say: Say, stored: string): string {
  const key = builtInReason(deps, stored)
  return key === undefined ? stored : say.plain(key)
}

export const builtInReason = ({ texts }: Deps, stored: string): BuiltIn | undefined =>
  builtInOf(stored, (key, words) => locales.some((locale) => texts(locale).plain(key) === words))

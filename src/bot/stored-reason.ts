// Shows a stored reason in the language of its reader.

import { type BuiltIn, builtInOf } from '../ledger/built-in-notes.ts'
import { locales, type Say, type Texts } from '../texts.ts'

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

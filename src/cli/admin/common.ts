// Functions that the commands share: reading a user, an amount and a reason, the confirmation of a change, and errors for refusals.

import { type Reading, whoIs } from '../../bot/admin/texts.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { type Kopecks, parseSureRoubles } from '../../money.ts'
import type { OperatorDeps } from '../../operator/actions.ts'
import { type Person, searchPeople } from '../../operator/people.ts'
import type { UnmatchedPayment } from '../../payments/payment.ts'
import type { ConfiguredProvider } from '../../payments/providers.ts'
import type { Ids } from '../../runtime/ids.ts'
import { loadTexts, withoutHtml } from '../../texts.ts'

/** The terminal speaks the English of the desk. */
export const texts = loadTexts()
export const say = texts('en')

/** The lines of a text of the desk. */
export const linesOf = (html: string): readonly string[] => withoutHtml(html).split('\n')

export interface Deps extends OperatorDeps, Reading {
  readonly ids: Ids
  /** With the models of CATALOG_FILE. */
  readonly catalog: Catalog
  /** Asks a question to be answered with yes or no; undefined when nobody can answer. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined
  /** The token and the operators of the bot, from its settings; undefined when they are missing or wrong. */
  readonly bot?: { readonly token: string; readonly operators: readonly number[] } | undefined
  /** The payment providers of the settings, whose commissions are part of the margin. */
  readonly providers: readonly ConfiguredProvider[]
}

export const flagOptions = {
  uses: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  key: { type: 'string' },
  yes: { type: 'boolean' },
  csv: { type: 'boolean' },
} as const

export interface Flags {
  readonly uses?: string | undefined
  readonly until?: string | undefined
  /** The most that percents bring, in roubles. */
  readonly limit?: string | undefined
  /** Names a correction, which is made once. */
  readonly key?: string | undefined
  /** Prints a table for spreadsheets. */
  readonly csv?: boolean | undefined
  /** Confirms the change. */
  readonly yes?: boolean | undefined
}

export interface Command {
  readonly usage: readonly string[]
  /**
   * @returns the lines to print
   * @throws Usage, Refused
   */
  run(deps: Deps, args: readonly string[], flags: Flags): Promise<readonly string[]>
}

/** The command line is not valid. */
export class Usage extends Error {
  override name = 'Usage'
}

/** The command line is valid, but the command cannot be executed. */
export class Refused extends Error {
  override name = 'Refused'
}

/** Finds the only user that matches the query. @throws Usage, Refused */
export async function userBy(
  { db }: Deps,
  query: string | undefined,
): Promise<{ readonly person: Person; readonly isExact: boolean }> {
  if (!query) throw new Usage('Which user?')
  const { found, isExact } = await searchPeople(db, query)
  const [first, ...others] = found
  if (!first) throw new Refused(`Nobody found: ${query}`)
  if (others.length > 0) {
    throw new Refused(['Several people fit:', ...found.map(whoIs)].join('\n  '))
  }
  return { person: first, isExact }
}

/** Asks before a change that may be a typing mistake. @throws Refused when it is not confirmed */
export async function confirm({ ask }: Deps, { yes }: Flags, change: string): Promise<void> {
  if (yes) return
  if (!ask) throw new Refused(`Nothing was changed. If this is right, repeat it with --yes: ${change}`)
  if (!(await ask(`${change}? [y/N] `))) throw new Refused('Nothing was changed.')
}

/** Printed after a change whose notice for the user is written with it. */
export const botTells = 'The running bot tells the user.'

/** Currencies other than the rouble in their smallest unit. */
export const chargeText = ({ charge, currency }: UnmatchedPayment): string =>
  currency === 'RUB' ? say.roubles(charge) : `${charge} ${currency}`

export function amountOf(text: string | undefined): Kopecks {
  const amount = parseSureRoubles(text ?? '')
  if (!amount)
    throw new Usage('An amount of roubles above zero is needed, like 500 or 99.50; write a thousand as 1000.')
  return amount
}

export function reasonOf(words: readonly string[]): string {
  const reason = words.join(' ').trim()
  if (reason === '') throw new Usage('A reason is needed: the user and the log will read it.')
  return reason
}

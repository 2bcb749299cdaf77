// Functions that the commands share: reading a user, an amount and a reason, and errors for refusals.

import { type Kopecks, parseSureRoubles } from '../../money.ts'
import type { OperatorDeps, Teller } from '../../operator/actions.ts'
import { findPeople, type Person } from '../../operator/people.ts'
import type { Ids } from '../../runtime/ids.ts'

export interface Deps extends OperatorDeps {
  readonly ids: Ids
  readonly teller: Teller | undefined
  /** The time zone of the days and times that are printed and typed. */
  readonly timeZone: string
}

export const flagOptions = { uses: { type: 'string' }, until: { type: 'string' } } as const

export interface Flags {
  readonly uses?: string | undefined
  readonly until?: string | undefined
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

export const describe = ({ id, telegramId, name, username }: Person): string =>
  [
    `#${id}`,
    name ?? 'nameless',
    ...(username ? [`@${username}`] : []),
    telegramId === null ? 'no Telegram id' : `Telegram ${telegramId}`,
  ].join(' · ')

/** Finds the only user that matches the query. @throws Usage, Refused */
export async function userBy({ db }: Deps, query: string | undefined): Promise<Person> {
  if (!query) throw new Usage('Which user?')
  const [first, ...others] = await findPeople(db, query)
  if (!first) throw new Refused(`Nobody found: ${query}`)
  if (others.length > 0) {
    throw new Refused(['Several people fit:', ...[first, ...others].map(describe)].join('\n  '))
  }
  return first
}

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

/** The line that says whether the user received a message about the change. */
export function toldLine(told: boolean | undefined): string[] {
  if (told === undefined) return ['The user was not told: BOT_TOKEN is not set.']
  return told ? ['The user was told.'] : ['The user could not be told.']
}

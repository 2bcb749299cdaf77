// Who is an operator, how operators see the name of a user, and the user of a tapped button.

import type { Context } from 'grammy'
import { findPerson, type Person } from '../../operator/people.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { alertStale, notice } from '../responses.ts'

export const isOperator = ({ operator }: Pick<BotDeps, 'operator'>, { from }: Context): boolean =>
  from !== undefined && operator.ids.includes(from.id)

/** The name of a user who may have none. */
export function nameOf(one: {
  readonly id: bigint
  readonly name: string | null
  readonly username: string | null
}): string {
  return one.name ?? (one.username ? `@${one.username}` : `#${one.id}`)
}

/** The name, and what tells the user from others with the same name. */
export const whoIs = (one: Person): string =>
  [nameOf(one), `#${one.id}`, ...(one.username ? [`@${one.username}`] : [])].join(' · ')

/** Commands about a user. */
export const aboutUserVerbs = ['grant', 'debit', 'ban', 'unban'] as const
export type AboutUser = (typeof aboutUserVerbs)[number]

/** The words of a command. */
export interface Given {
  readonly words: string
  /** Whether they answer a question that named the user. */
  readonly isDecided: boolean
}

/** The user of a tapped button; the tap is answered. */
export async function tappedPerson(deps: BotDeps, ctx: Ctx, userId: bigint): Promise<Person | undefined> {
  const person = await findPerson(deps.db, userId)
  await (person ? notice(ctx) : alertStale(ctx))
  return person
}

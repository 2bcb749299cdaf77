// Who is an operator, and which user an operator's command or tap is about.

import type { Context } from 'grammy'
import { chosenUser } from '../../operator/actions.ts'
import { findPerson, type Person } from '../../operator/people.ts'
import { parseNumber } from '../../runtime/ids.ts'
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

export interface Target {
  readonly person: Person
  readonly operatorId: number
  /** The words after the user. */
  readonly rest: string
}

/** The user named by `#17` at the beginning of the words, or else the one the operator viewed last. Undefined without such a user. */
export async function targetOf(deps: BotDeps, ctx: Ctx, words: string): Promise<Target | undefined> {
  const operatorId = ctx.from?.id
  if (operatorId === undefined) return undefined
  const [, named, rest = ''] = /^#(\S*)(.*)$/s.exec(words) ?? []
  const id = named === undefined ? await chosenUser(deps, operatorId) : parseNumber(named)
  const person = id === undefined ? undefined : await findPerson(deps.db, id)
  return person && { person, operatorId, rest: (named === undefined ? words : rest).trim() }
}

/** The user of a tapped button; the tap is answered. */
export async function tappedPerson(deps: BotDeps, ctx: Ctx, userId: bigint): Promise<Person | undefined> {
  const person = await findPerson(deps.db, userId)
  await (person ? notice(ctx) : alertStale(ctx))
  return person
}

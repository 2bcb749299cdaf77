// Whom an operator's command is about: `#17` at its beginning, or else the user they looked at last.

import { chosenUser } from '../../../operator/actions.ts'
import { findPerson, type Person } from '../../../operator/people.ts'
import type { BotDeps, Ctx } from '../../context.ts'
import { answer } from './operator.ts'

export interface Target {
  readonly person: Person
  readonly operatorId: number
  /** What follows. */
  readonly rest: string
}

/** Undefined after an explanation. */
export async function targetOf(deps: BotDeps, ctx: Ctx, words: string): Promise<Target | undefined> {
  const operatorId = ctx.from?.id
  if (operatorId === undefined) return undefined
  const [, named, ...others] = /^#(\d{1,15})(?:\s+(.*))?$/s.exec(words) ?? []
  const id = named === undefined ? await chosenUser(deps, operatorId) : BigInt(named)
  const person = id === undefined ? undefined : await findPerson(deps.db, id)
  if (person) return { person, operatorId, rest: (named === undefined ? words : (others[0] ?? '')).trim() }
  await answer(ctx, ctx.say.html('admin-nobody-chosen'))
  return undefined
}

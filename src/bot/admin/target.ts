// Whom an operator's command or tap is about: `#17` at the beginning of its words, or else the user they looked at last.

import { chosenUser } from '../../operator/actions.ts'
import { findPerson, type Person } from '../../operator/people.ts'
import { parseNumber } from '../../runtime/ids.ts'
import type { BotDeps, Ctx } from '../context.ts'

export interface Target {
  readonly person: Person
  readonly operatorId: number
  /** What follows. */
  readonly rest: string
}

/** Undefined when nobody is meant, or somebody who is not there. */
export async function targetOf(deps: BotDeps, ctx: Ctx, words: string): Promise<Target | undefined> {
  const operatorId = ctx.from?.id
  if (operatorId === undefined) return undefined
  const [, named, rest = ''] = /^#(\S*)(.*)$/s.exec(words) ?? []
  const id = named === undefined ? await chosenUser(deps, operatorId) : parseNumber(named)
  const person = id === undefined ? undefined : await findPerson(deps.db, id)
  return person && { person, operatorId, rest: (named === undefined ? words : rest).trim() }
}

/** The person whose number a button carries; the tap is answered. */
export async function tappedPerson(deps: BotDeps, ctx: Ctx, digits: string): Promise<Person | undefined> {
  const id = parseNumber(digits)
  const person = id === undefined ? undefined : await findPerson(deps.db, id)
  const stale = { text: ctx.say.plain('stale-button'), show_alert: true }
  await ctx.answerCallbackQuery(person ? undefined : stale)
  return person
}

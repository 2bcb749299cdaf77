// Commands about a user: /grant, /debit, /ban, /unban. A typed command names the user first, and is asked about before anything changes. An
// answer to a question that named the user is decided already.

import { findPeople, type Person } from '../../operator/people.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { confirmFirst } from './confirming.ts'
import { type AboutUser, type Given, whoIs } from './operator.ts'
import { questionAbout, showSeveral } from './people.ts'
import { ask } from './questions.ts'

/** @param T what the words after the user say */
interface Deed<T> {
  readonly verb: AboutUser
  /** Undefined when the words cannot be understood. */
  read(words: string): T | undefined
  /** Asks for words that can be understood, in HTML. */
  wanted(say: Say): string
  /** Asks whether to do it, in HTML. */
  question(say: Say, name: string, read: T): string
  /** @returns what else to ask for, in HTML; undefined when it is done or refused */
  act(person: Person, read: T): Promise<string | undefined>
}

/** @returns what is wrong with the words, in HTML */
export async function aboutUser<T>(
  deps: BotDeps,
  ctx: Ctx,
  { words, isDecided }: Given,
  deed: Deed<T>,
): Promise<string | undefined> {
  const [, query = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words) ?? []
  if (query === '') return ctx.say.html('admin-nobody-chosen')
  const found = await findPeople(deps.db, query)
  const [person, ...others] = found
  if (!person) return ctx.say.html('admin-nobody-found', { query })
  if (others.length > 0) return void (await showSeveral(ctx, query, found))
  const beginning = `#${person.id}`
  if (rest === '' && !isDecided)
    return void (await ask(deps, ctx, deed.verb, beginning, questionAbout(ctx.say, deed.verb, person)))
  const read = deed.read(rest)
  if (read === undefined) return deed.wanted(ctx.say)
  if (isDecided) return deed.act(person, read)
  const html = deed.question(ctx.say, whoIs(person), read)
  await confirmFirst(deps, ctx, { verb: deed.verb, words: `${beginning} ${rest}` }, html)
  return undefined
}

// Commands about a user: /grant, /debit, /ban, /unban. The words name the user first; nothing changes before a Yes.

import { findPeople, type Person } from '../../operator/people.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { confirmFirst } from './confirming.ts'
import { type AboutUser, type Given, whoIs } from './operator.ts'
import { questionAbout, showSeveral } from './people.ts'
import { ask } from './questions.ts'

interface Refusal {
  readonly html: string
  /** No other words would help. */
  readonly isFinal: boolean
}

/** @param T what the words after the user say */
interface Deed<T> {
  readonly verb: AboutUser
  /** Undefined when the words cannot be understood. */
  read(words: string): T | undefined
  /** Asks for words that can be understood, in HTML. @param start what they follow: nothing in an answer */
  wanted(say: Say, start: string): string
  /** What is known to be wrong before the question. */
  refusal(person: Person, read: T): Promise<Refusal | undefined>
  /** Asks whether to do it, in HTML. */
  question(say: Say, name: string, read: T): string
  /** @returns what is wrong, in HTML; undefined when it is done */
  act(person: Person, read: T): Promise<string | undefined>
}

/** @returns what is wrong with the words, in HTML */
export async function aboutUser<T>(
  deps: BotDeps,
  ctx: Ctx,
  { words, as }: Given,
  deed: Deed<T>,
): Promise<string | undefined> {
  const { verb } = deed
  const [, query = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words) ?? []
  if (query === '') return ctx.say.html('admin-nobody-chosen', { verb })
  const found = await findPeople(deps.db, query)
  const [person, ...others] = found
  if (!person) return ctx.say.html('admin-nobody-found', { query })
  if (others.length > 0) return void (await showSeveral(ctx, query, found))
  const beginning = `#${person.id}`
  if (rest === '' && as === 'command')
    return void (await ask(deps, ctx, verb, beginning, questionAbout(ctx.say, verb, person)))
  const read = deed.read(rest)
  if (read === undefined) return deed.wanted(ctx.say, as === 'command' ? `/${verb} ${beginning} ` : '')
  if (as === 'confirmed') return deed.act(person, read)
  const wrong = await deed.refusal(person, read)
  if (wrong) return wrong.isFinal ? void (await reply(ctx, wrong.html)) : wrong.html
  const html = deed.question(ctx.say, whoIs(person), read)
  await confirmFirst(deps, ctx, { verb, words: `${beginning} ${rest}` }, html)
  return undefined
}

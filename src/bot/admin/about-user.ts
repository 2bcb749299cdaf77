// Commands of operators about a user: /grant, /debit, /ban, /unban. The words after the command begin with the user; nothing changes before
// the operator's Yes.

import { userSubject } from '../../operator/actions.ts'
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
  /** Whether the command is refused whatever its words, so that the operator is not asked for other words. */
  readonly isFinal: boolean
}

/** A command about a user. @param T its parsed words after the user */
interface UserCommand<T> {
  readonly verb: AboutUser
  /** @returns undefined when the words cannot be understood */
  read(words: string): T | undefined
  /** Asks for understandable words, in HTML. @param start the beginning of the command, to type it again; empty in an answer */
  wanted(say: Say, start: string): string
  /** Refuses what is known to be wrong before the operator is asked. */
  refusal(person: Person, read: T): Promise<Refusal | undefined>
  /** Asks whether to do it, in HTML. */
  question(say: Say, name: string, read: T): string
  /** @returns an error text in HTML; undefined when the action is done */
  act(person: Person, read: T): Promise<string | undefined>
}

/** @returns an error text about the words, in HTML */
export async function aboutUser<T>(
  deps: BotDeps,
  ctx: Ctx,
  { words, as }: Given,
  command: UserCommand<T>,
): Promise<string | undefined> {
  const { verb } = command
  const [, query = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words) ?? []
  if (query === '') return ctx.say.html('admin-nobody-chosen', { verb })
  const found = await findPeople(deps.db, query)
  const [person, ...others] = found
  if (!person) return ctx.say.html('admin-nobody-found', { query })
  if (others.length > 0) return void (await showSeveral(ctx, query, found))
  const beginning = `#${person.id}`
  if (rest === '' && as === 'command')
    return void (await ask(deps, ctx, verb, beginning, questionAbout(ctx.say, verb, person)))
  const read = command.read(rest)
  if (read === undefined) return command.wanted(ctx.say, as === 'command' ? `/${verb} ${beginning} ` : '')
  if (as === 'confirmed') return command.act(person, read)
  const wrong = await command.refusal(person, read)
  if (wrong) return wrong.isFinal ? void (await reply(ctx, wrong.html)) : wrong.html
  const html = command.question(ctx.say, whoIs(person), read)
  const wanted = { verb, words: `${beginning} ${rest}`, subject: userSubject(person.id) }
  await confirmFirst(deps, ctx, wanted, html)
  return undefined
}

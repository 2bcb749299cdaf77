// Tells whether a user is an operator, shows names of users to operators, and finds the user of a tapped button.

import type { Context } from 'grammy'
import { findPerson, type Person } from '../../operator/people.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { alertStale, answerTap } from '../responses.ts'

export const isOperator = ({ operator }: Pick<BotDeps, 'operator'>, { from }: Context): boolean =>
  from !== undefined && operator.ids.includes(from.id)

/** A message that was forwarded, or written by an inline bot, is not a command of the operator. */
export const isOwnMessage = ({ message }: Context): boolean => !message?.forward_origin && !message?.via_bot

/** The name of a user, or else the username or the id. */
export function nameOf(one: {
  readonly id: bigint
  readonly name: string | null
  readonly username: string | null
}): string {
  return one.name ?? (one.username ? `@${one.username}` : `#${one.id}`)
}

/** The name with id and username, which tell apart users of the same name. */
export const whoIs = (one: Person): string =>
  [nameOf(one), `#${one.id}`, ...(one.username ? [`@${one.username}`] : [])].join(' · ')

/** Commands about a user. */
const aboutUserVerbs = ['grant', 'debit', 'ban', 'unban'] as const
export type AboutUser = (typeof aboutUserVerbs)[number]

/** Commands and buttons of the desk that act only after a Yes. */
export const confirmedVerbs = [
  ...aboutUserVerbs,
  'refund',
  'refund_payment',
  'promo_add',
  'promo_end',
  'refund_report',
  'decline_report',
  'switch_off',
] as const
export type Confirmed = (typeof confirmedVerbs)[number]

/** The words of a command. */
export interface Given {
  readonly words: string
  readonly as: 'command' | 'answer' | 'confirmed'
  /** The message of the command or of the answer, or the one whose button was tapped. It identifies the action, which is done once. */
  readonly from: number
}

/** The words of a command about an order or a payment. */
export function idAndReason({ words }: Given): { readonly id: string; readonly reason: string } {
  const [, id = '', reason = ''] = /^(\S+)\s+(\S.*)$/s.exec(words) ?? []
  return { id, reason }
}

/** Asks for the missing reason, in HTML: for the reason alone after a question, which has named the id; otherwise for the whole command. */
export const reasonWanted = (say: Say, verb: 'refund' | 'refund_payment', { as }: Given): string =>
  as === 'answer' ? say.html('admin-refund-reason') : say.html('admin-refund-usage', { verb })

/** Finds the user whose button was tapped, and answers the tap. */
export async function tappedPerson(deps: BotDeps, ctx: Ctx, userId: bigint): Promise<Person | undefined> {
  const person = await findPerson(deps.db, userId)
  await (person ? answerTap(ctx) : alertStale(ctx))
  return person
}

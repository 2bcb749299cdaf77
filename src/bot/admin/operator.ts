// Tells whether a user is an operator, reads the words of commands, shows names of users, and finds the user of a tapped button.

import type { Context } from 'grammy'
import { formatRoubles, type Kopecks, parseRoubles } from '../../money.ts'
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

/** An amount above zero, and a reason. */
export interface Change {
  readonly amount: Kopecks
  readonly reason: string
}

/** The amount may contain no-break spaces, as the bot's own amounts do, and the rouble sign after a space. */
const amountAndReason = /^([^ \t\r\n]+(?: (?:₽|руб\p{L}*\.?|roubles?)(?=\s))?)[ \t\r\n]+(\S.*)$/isu
/** Whether the amount is ambiguous: `1 000 for the video` means 1000 ₽, or 1 ₽ for "000 for the video". */
const isUnclear = (typed: string, reason: string): boolean =>
  /^\d{1,3}$/.test(typed) && /^\d{3}\b/.test(reason)

export function readChange(words: string): Change | undefined {
  const [, typed = '', reason = ''] = amountAndReason.exec(words) ?? []
  const amount = isUnclear(typed, reason) ? undefined : parseRoubles(typed)
  return amount ? { amount, reason } : undefined
}

/** A refund of an order or of a payment. */
export interface RefundWords {
  readonly id: string
  /** Undefined for all that was not refunded before. */
  readonly part?: { readonly amount: Kopecks; readonly before?: Kopecks } | undefined
  /** Empty if it is missing, or if the words begin with a number that is no clear sum. */
  readonly reason: string
}

export function refundIn({ words }: Given): RefundWords {
  const [, id = '', before, rest = ''] = /^(\S+?)(?:@(\d+))?\s+(\S.*)$/s.exec(words) ?? []
  const change = readChange(rest)
  if (!change) return { id, reason: /^[-+]?\d[\d.,]*\s*(?:₽|$|\s)/.test(rest) ? '' : rest }
  const { amount, reason } = change
  return { id, reason, part: before === undefined ? { amount } : { amount, before: BigInt(before) } }
}

/** The words of a refund that an operator has to confirm. A part carries the sum of the earlier refunds, so that it is made once. */
export const refundWords = ({ id, part, reason }: RefundWords, before: Kopecks): string =>
  part ? `${id}@${before} ${formatRoubles(part.amount)} ${reason}` : `${id} ${reason}`

/** Asks for the missing reason, in HTML: for the reason alone after a question, which has named the id; otherwise for the whole command. */
export const reasonWanted = (say: Say, verb: 'refund' | 'refund_payment', { as }: Given): string =>
  as === 'answer' ? say.html('admin-refund-reason') : say.html('admin-refund-usage', { verb })

/** Finds the user whose button was tapped, and answers the tap. */
export async function tappedPerson(deps: BotDeps, ctx: Ctx, userId: bigint): Promise<Person | undefined> {
  const person = await findPerson(deps.db, userId)
  await (person ? answerTap(ctx) : alertStale(ctx))
  return person
}

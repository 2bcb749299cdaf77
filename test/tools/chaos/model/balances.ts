// Computes the balance that each person must have at the end, from payments, gifts, orders, questions and the actions of operators, and
// compares it with the tables and with the bot's answer to `/balance`.

import type { Said } from './answers.ts'

/** An amount in kopecks, or a range where a fault makes more than one amount right. */
export interface Due {
  readonly least: number
  readonly most: number
}

export const exactly = (amount: number): Due => ({ least: amount, most: amount })
export const upTo = (amount: number): Due => ({ least: Math.min(0, amount), most: Math.max(0, amount) })

/** A change of the balance of a person. */
export interface Entry {
  readonly person: number
  readonly what: string
  readonly due: Due
}

export interface Kept {
  readonly person: number
  readonly available: number
  readonly held: number
}

export interface BalanceFacts {
  readonly people: readonly number[]
  readonly entries: readonly Entry[]
  /** The balances in the tables of the app. */
  readonly kept: readonly Kept[]
  /** The amount in the bot's answer to `/balance` when nothing is under way; undefined without an answer. */
  saidBy(person: number): number | undefined
}

export interface BalanceFault {
  readonly person: number
  readonly fact: string
}

export function faultsOfBalances({ people, entries, kept, saidBy }: BalanceFacts): readonly BalanceFault[] {
  const own = Map.groupBy(entries, ({ person }) => person)
  const balances = new Map(kept.map((one) => [one.person, one]))
  return people.flatMap((person) => {
    const listed = own.get(person) ?? []
    const due = sumOf(listed)
    const { available, held } = balances.get(person) ?? { available: 0, held: 0 }
    const said = saidBy(person)
    const faults = [
      ...(isWithin(due, available) ? [] : [`has ${available}, must have ${shown(due)} = ${listOf(listed)}`]),
      ...(held === 0 ? [] : [`${held} are held although nothing is under way`]),
      ...(said === available ? [] : [`has ${available}, and /balance says ${said ?? 'nothing'}`]),
    ]
    return faults.map((fact) => ({ person, fact }))
  })
}

function sumOf(entries: readonly Entry[]): Due {
  const sum = (side: keyof Due) => entries.reduce((total, { due }) => total + due[side], 0)
  return { least: sum('least'), most: sum('most') }
}

const isWithin = ({ least, most }: Due, amount: number): boolean => least <= amount && amount <= most
const shown = ({ least, most }: Due): string => (least === most ? String(most) : `${least} to ${most}`)
const listOf = (entries: readonly Entry[]): string =>
  entries.map(({ what, due }) => `${what} ${shown(due)}`).join(', ')

// The wallets of groups: what owners put in and take out, and what members order. In the model a wallet has a balance of its own, under
// the id of its group.

/** A tapped button that moves money between the owner's balance and the wallet. */
interface Move {
  readonly way: 'in' | 'back'
  /** The amount on the button, in kopecks; undefined for the whole rest. */
  readonly amount: number | undefined
  readonly taps: readonly string[]
}

export interface WalletFacts {
  readonly id: number
  readonly owner: number
  readonly moves: ReadonlyMap<string, Move>
  /** A payment of the owner was to be refunded: if the balance is too small, the app takes money back from the wallet. */
  readonly mayBeEmptied: boolean
  /** The bot's answer to a tap; undefined without an answer. */
  answerTo(tap: string): string | undefined
}

const isDone = /^(₽[\d.,]+) (added to the wallet|is back on your balance)$/

/**
 * The two entries of each move. Without the bot's confirmation the move may have been done or not, and a refund may have emptied the wallet
 * or not: then only the sum of both balances is certain.
 */
export function movesOf(facts: WalletFacts): readonly Entry[] {
  const { id, owner, moves, mayBeEmptied, answerTo } = facts
  const most = [...moves.values()].reduce((sum, { amount = 0 }) => sum + amount, 0)
  const emptied: readonly Entry[] = [
    { person: owner, what: 'wallet', due: upTo(most) },
    { person: id, what: 'taken back', due: upTo(-most) },
  ]
  const byTaps = [...moves.values()].flatMap(({ way, amount, taps }) => {
    const told = taps.map(answerTo).find((answer) => answer !== undefined && isDone.test(answer))
    const moved = told === undefined ? (amount ?? most) : (amountIn(told) ?? 0)
    const due = (side: number) => (told === undefined ? upTo(side * moved) : exactly(side * moved))
    const sign = way === 'in' ? 1 : -1
    return [
      { person: owner, what: 'wallet', due: due(-sign) },
      { person: id, what: way === 'in' ? 'filled' : 'taken back', due: due(sign) },
    ]
  })
  return mayBeEmptied ? [...byTaps, ...emptied] : byTaps
}

/** The entries of the owner and the wallet together, under the id of the group, without the moves between them. */
export const together = (entries: readonly Entry[], { id, owner }: WalletFacts): readonly Entry[] =>
  entries
    .filter(({ person }) => person === owner || person === id)
    .filter(({ what }) => !['wallet', 'filled', 'taken back'].includes(what))
    .map((entry) => ({ ...entry, person: id }))

// Computes what each person must get for promo codes and invitations.

export interface PromoCode {
  readonly code: string
  /** In kopecks. Each code has another amount, by which the bot's answer is recognised. */
  readonly amount: number
  /** The most people who may use the code. */
  readonly mostUses: number
  readonly isOver: boolean
}

export interface PromoFacts extends PromoCode {
  readonly redeemers: ReadonlySet<number>
  /** Whether the bot has said that the code was credited. */
  isTold(person: number): boolean
  /** Whether the person was banned, and so not answered, for some time. */
  wasBanned(person: number): boolean
}

/**
 * If more people tried a code than may use it, a person who was told of the credit has it; others may have it only if fewer people than
 * allowed were told.
 */
export function promoEntries(facts: PromoFacts): readonly Entry[] {
  const { code, redeemers } = facts
  return [...redeemers].map((person) => ({ person, what: `promo ${code}`, due: promoDue(facts, person) }))
}

function promoDue(facts: PromoFacts, person: number): Due {
  const { amount, mostUses, isOver, redeemers } = facts
  if (isOver) return exactly(0)
  if (facts.isTold(person)) return exactly(amount)
  if (redeemers.size <= mostUses) return facts.wasBanned(person) ? upTo(amount) : exactly(amount)
  const told = [...redeemers].filter((one) => facts.isTold(one))
  return told.length < mostUses ? upTo(amount) : exactly(0)
}

/** The least and the most uses of a code. */
export function promoUses({ mostUses, isOver, redeemers, wasBanned }: PromoFacts): Due {
  if (isOver) return exactly(0)
  const certain = [...redeemers].filter((person) => !wasBanned(person))
  return { least: Math.min(mostUses, certain.length), most: Math.min(mostUses, redeemers.size) }
}

export interface InvitationFacts {
  readonly friend: number
  readonly inviter: number
  readonly isCertain: boolean
  /** The number of the friend's payments that were not refunded. */
  readonly kept: number
  readonly givenBack: number
  /** Whether the inviter was banned for some time, since a banned inviter gets no bonus. */
  readonly wasBanned: boolean
}

/**
 * The bonus for the first payment of a friend. It is taken back when no payment of the friend is left, and not given again for a later one:
 * with some payments kept and others given back, their order decides.
 */
export function bonusOf(facts: InvitationFacts, bonus: number): Entry {
  const { friend, inviter, isCertain, kept, givenBack, wasBanned } = facts
  const isSure = isCertain && !wasBanned && (kept === 0 || givenBack === 0)
  const due = kept > 0 ? bonus : 0
  return { person: inviter, what: `invited ${friend}`, due: isSure ? exactly(due) : upTo(due) }
}

// Amounts as a person reads them in the English texts of the bot: `₽1,092.45` is 109245 kopecks.

const amount = /₽([\d,]+)\.(\d\d)(?!\d)/g

/** All amounts of a text in kopecks, in their order. */
export const amountsIn = (text: string): readonly number[] =>
  [...text.matchAll(amount)].map(([, roubles = '', kopecks = '']) =>
    Number(roubles.replaceAll(',', '') + kopecks),
  )

/** The first amount of a text in kopecks. */
export const amountIn = (text: string): number | undefined => amountsIn(text)[0]

// Finds the times at which a process ended or was paused, database connections were cut, the database answered later than a lease, or the
// machine was much slower than usual. Only work that was under way at such a time may end in more than one way.

export interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly what: string
}

const ends = /^process .* (killed|ended|asked to end)/
const pauses = /^(process .*) paused$/
const cut = /^database: connections/
/** The time until all cut connections have been opened again. */
const cutMs = 2600
/** A disturbance that is noted at its end, with its duration. */
const lasted = /^(?:database: answers were later than a lease|machine: was too slow) for (\d+) ms$/

interface Span {
  readonly from: number
  readonly to: number
}

export function disturbedBy(happenings: readonly Happening[]): (from: number, to: number) => boolean {
  const spans = happenings.flatMap(({ at, what }): Span[] => {
    const paused = pauses.exec(what)?.[1]
    if (paused !== undefined) return [{ from: at, to: endOfPause(happenings, paused, at) }]
    if (ends.test(what)) return [{ from: at, to: at }]
    if (cut.test(what)) return [{ from: at, to: at + cutMs }]
    const ms = lasted.exec(what)?.[1]
    return ms === undefined ? [] : [{ from: at - Number(ms), to: at }]
  })
  return (from, to) => spans.some((span) => span.from <= to && span.to >= from)
}

function endOfPause(happenings: readonly Happening[], process: string, from: number): number {
  const isOver = ({ at, what }: Happening) =>
    at >= from && (what.startsWith(`${process} resumed`) || what.startsWith(`${process} ended`))
  return happenings.find(isOver)?.at ?? Infinity
}

// Finds the order that a message is about. Orders by "Again" have the same prompt, but the buttons below a message contain the order's
// id.

const naming = /^(?:r|ro|e|rm|rb|rn|rp|rq|rr|rs|rt|rv|rx|o|gc|hg|hm|ho|hr|hs):([a-z0-9]{10})(?::|$)/

/** The ids of orders in the data of the buttons. */
export const namedBy = (buttons: Said['buttons']): readonly string[] =>
  buttons.flatMap(({ data }) => naming.exec(data)?.[1] ?? [])

export function isAboutAnother(buttons: Said['buttons'], id: string): boolean {
  const named = namedBy(buttons)
  return named.length > 0 && !named.includes(id)
}

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

export interface BalanceFacts {
  readonly people: readonly number[]
  readonly entries: readonly Entry[]
  /** The balances in the tables of the app. */
  readonly kept: readonly { readonly person: number; readonly available: number; readonly held: number }[]
  /** The amount in the bot's answer to `/balance` when nothing is under way; undefined without an answer. */
  saidBy(person: number): number | undefined
}

export function faultsOfBalances({ people, entries, kept, saidBy }: BalanceFacts) {
  const own = Map.groupBy(entries, ({ person }) => person)
  const balances = new Map(kept.map((one) => [one.person, one]))
  return people.flatMap((person) => {
    const listed = own.get(person) ?? []
    const due = sumOf(listed)
    const { available, held } = balances.get(person) ?? { available: 0, held: 0 }
    const said = saidBy(person)
    const list = listed.map((one) => `${one.what} ${shown(one.due)}`).join(', ')
    const isWithin = due.least <= available && available <= due.most
    const faults = [
      ...(isWithin ? [] : [`has ${available}, must have ${shown(due)} = ${list}`]),
      ...(held === 0 ? [] : [`${held} are held although nothing is under way`]),
      ...(said === available ? [] : [`has ${available}, and /balance says ${said ?? 'nothing'}`]),
    ]
    return faults.map((fact) => ({ about: String(person), fact }))
  })
}

function sumOf(entries: readonly Entry[]): Due {
  const sum = (side: keyof Due) => entries.reduce((total, { due }) => total + due[side], 0)
  return { least: sum('least'), most: sum('most') }
}

const shown = ({ least, most }: Due): string => (least === most ? String(most) : `${least} to ${most}`)

// The wallets of groups: what owners put in and take out, and what members order. In the model a wallet has a balance of its own, under
// the id of its group.

/** A tapped button that moves money between the owner's balance and the wallet. */
export interface Move {
  readonly way: 'in' | 'back'
  /** The amount on the button, in kopecks; undefined for the whole rest. */
  readonly amount: number | undefined
  /** The ids of the taps on the button, in the private chat of the owner. */
  readonly taps: readonly string[]
}

export interface WalletFacts {
  readonly id: number
  readonly owner: number
  readonly moves: ReadonlyMap<string, Move>
  /** The bot's answer to a tap; undefined without an answer. */
  answerTo(tap: string): string | undefined
}

const isDone = /^(₽[\d.,]+) (added to the wallet|is back on your balance)$/
const [ofOwner, ofWallet] = ['wallet', 'moved']

/**
 * The two entries of each move. Without the bot's confirmation the move may have been done or not: then only the sum of both balances is
 * certain.
 */
export function movesOf({ id, owner, moves, answerTo }: WalletFacts): readonly Entry[] {
  const most = [...moves.values()].reduce((sum, { amount = 0 }) => sum + amount, 0)
  return [...moves.values()].flatMap(({ way, amount, taps }) => {
    const told = taps.map(answerTo).find((answer) => answer !== undefined && isDone.test(answer))
    const moved = told === undefined ? (amount ?? most) : (amountIn(told) ?? 0)
    const due = (side: number) => (told === undefined ? upTo(side * moved) : exactly(side * moved))
    const sign = way === 'in' ? 1 : -1
    return [
      { person: owner, what: ofOwner, due: due(-sign) },
      { person: id, what: ofWallet, due: due(sign) },
    ]
  })
}

/** The entries of the owner and the wallet together, under the id of the group, without the moves between them. */
export const together = (entries: readonly Entry[], { id, owner }: WalletFacts): readonly Entry[] =>
  entries
    .filter(({ person, what }) => [owner, id].includes(person) && ![ofOwner, ofWallet].includes(what))
    .map((entry) => ({ ...entry, person: id }))

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
  /** The people whom the bot has told that the code was credited. */
  readonly told: ReadonlySet<number>
}

/**
 * If more people tried a code than may use it, a person who was told of the credit has it; others may have it only if fewer people than
 * allowed were told.
 */
export function promoEntries({ code, amount, mostUses, isOver, redeemers, told }: PromoFacts): Entry[] {
  const dueTo = (person: number): Due => {
    if (isOver) return exactly(0)
    if (told.has(person) || redeemers.size <= mostUses) return exactly(amount)
    return told.size < mostUses ? upTo(amount) : exactly(0)
  }
  return [...redeemers].map((person) => ({ person, what: `promo ${code}`, due: dueTo(person) }))
}

export interface InvitationFacts {
  readonly friend: number
  readonly inviter: number
  readonly isCertain: boolean
  /** The number of the friend's payments that were not refunded. */
  readonly kept: number
  readonly givenBack: number
}

/**
 * The bonus for the first payment of a friend. It is taken back when no payment of the friend is left, and not given again for a later one:
 * with some payments kept and others given back, their order decides.
 */
export function bonusOf(
  { friend, inviter, isCertain, kept, givenBack }: InvitationFacts,
  bonus: number,
): Entry {
  const isSure = isCertain && (kept === 0 || givenBack === 0)
  const due = kept > 0 ? bonus : 0
  return { person: inviter, what: `invited ${friend}`, due: isSure ? exactly(due) : upTo(due) }
}

/** The first amount of a text in kopecks, as the English texts of the bot show it: `₽1,092.45` is 109245 kopecks, and `₽500` is 50000. */
export function amountIn(text: string): number | undefined {
  const [, roubles, kopecks = '00'] = /₽(\d[\d,]*)(?:\.(\d\d))?(?!\.?\d)/.exec(text) ?? []
  return roubles === undefined ? undefined : Number(roubles.replaceAll(',', '') + kopecks)
}

/** An event of the processes, the database or the machine, at a time in milliseconds since 1970. */
export interface Happening {
  readonly at: number
  readonly what: string
}

/** The time until all cut connections have been opened again. */
const cutMs = 2600
/** A disturbance that is noted at its end, with its duration. */
const lasted = /^(?:database: answers were later than a lease|machine: was too slow) for (\d+) ms$/

/**
 * Finds the times at which a process ended or was paused, database connections were cut, the database answered later than a lease, or the
 * machine was much slower than usual. Only work that was under way at such a time may end in more than one way.
 */
export function disturbedBy(happenings: readonly Happening[]): (from: number, to: number) => boolean {
  const spans = happenings.flatMap(({ at, what }): { from: number; to: number }[] => {
    const paused = /^(process .*) paused$/.exec(what)?.[1]
    if (paused !== undefined) return [{ from: at, to: endOfPause(happenings, paused, at) }]
    if (/^process .* (killed|ended|asked to end)/.test(what)) return [{ from: at, to: at }]
    if (what.startsWith('database: connections')) return [{ from: at, to: at + cutMs }]
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

const naming = /^(?:r|ro|e|rm|rb|rn|rp|rq|rr|rs|rt|rv|rx|o|gc|hg|hm|ho|hr|hs):([a-z0-9]{10})(?::|$)/

/** Whether the buttons name another order. Orders by "Again" have the same prompt, but the buttons below a message contain the order's id. */
export function isAboutAnother(buttons: Said['buttons'], id: string): boolean {
  const named = buttons.flatMap(({ data }) => naming.exec(data)?.[1] ?? [])
  return named.length > 0 && !named.includes(id)
}

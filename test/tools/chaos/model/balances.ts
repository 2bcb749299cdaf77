// Computes the balance that each person must have at the end, from payments, gifts, orders, questions and the actions of operators, without
// the app's transfers, and compares it with the tables and with the bot's answer to `/balance`. All amounts are in kopecks.

import type { Evidence, Found } from '../checks/evidence.ts'
import { invitedBonus, referralBonus, referralPercent, topUpBonus } from '../settings.ts'
import type { Chats } from '../users/chats.ts'
import type { Payment } from '../users/paying.ts'
import type { TriedCode } from '../users/town.ts'
import type { Group } from '../users/wallets.ts'
import type { JudgedOrder } from './orders.ts'
import { amountIn } from './words.ts'

/** An amount, or a range where a fault makes more than one amount right. */
interface Due {
  readonly least: number
  readonly most: number
}

const exactly = (amount: number): Due => ({ least: amount, most: amount })
const upTo = (amount: number): Due => ({ least: Math.min(0, amount), most: Math.max(0, amount) })
const dueIf = (isCertain: boolean, amount: number): Due => (isCertain ? exactly(amount) : upTo(amount))

/** A change of the balance of a person. */
export interface Entry {
  readonly person: number
  readonly what: string
  readonly due: Due
}

/** @param saidBy the amount that the bot told when nothing was under way; undefined without an answer */
export function faultsOfBalances(
  people: readonly number[],
  entries: readonly Entry[],
  kept: readonly { readonly person: number; readonly available: number; readonly held: number }[],
  saidBy: (person: number) => number | undefined,
): Found {
  const own = Map.groupBy(entries, ({ person }) => person)
  const balances = new Map(kept.map((one) => [one.person, one]))
  return people.flatMap((person) => {
    const listed = own.get(person) ?? []
    const sum = (side: keyof Due) => listed.reduce((total, { due }) => total + due[side], 0)
    const due = { least: sum('least'), most: sum('most') }
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

const shown = ({ least, most }: Due): string => (least === most ? String(most) : `${least} to ${most}`)

/** The most that is spent per person by these entries, where it is above the limit. */
export const spentOverLimit = (most: number, spending: readonly Entry[]): Found =>
  [...Map.groupBy(spending, ({ person }) => person)].flatMap(([person, own]) => {
    const spent = -own.reduce((sum, { due }) => sum + due.most, 0)
    return spent > most ? [{ about: String(person), fact: `spent ${spent}, the limit is ${most}` }] : []
  })

/** Their sum is the balance that each person and each wallet must have; a wallet has the id of its group. */
export function entriesOf(evidence: Evidence): readonly Entry[] {
  const { town, settings, chats, judged, done } = evidence
  const { people, invitations, desk, promoCodes, groups } = town
  return [
    ...[...people].map((person) => ({ person, what: 'welcome', due: exactly(settings.welcomeCredit * 100) })),
    ...promoCodes.flatMap((promo) => promoOf(promo, chats).entries),
    ...bonusesIn(evidence),
    ...[...invitations].map(([person, { isCertain }]) => ({
      person,
      what: 'came by an invitation',
      due: dueIf(isCertain, invitedBonus),
    })),
    ...paymentsIn(evidence),
    ...desk.corrections
      .filter(({ reason }) => done.has(reason))
      .map(({ person, reason, amount }) => ({ person, what: `correction ${reason}`, due: exactly(amount) })),
    ...judged.map(spentOn),
    ...answersIn(evidence),
    ...groups.flatMap((group) => movesOf(group, chats)),
  ]
}

export const spentOn = ({ payer, mark, cost: { captured, refunded } }: JudgedOrder): Entry => ({
  person: payer,
  what: mark,
  due: exactly(refunded - captured),
})

/** What answers cost by the app's tables. Whether these prices are right is judged separately. */
export function answersIn({ town, turns }: Evidence): readonly Entry[] {
  const askers = new Map(town.questions.map(({ number, person }) => [number, person]))
  return turns.flatMap(({ number, captured, refunded }) => {
    const person = askers.get(number)
    const due = exactly(refunded - captured)
    return person === undefined ? [] : [{ person, what: `question ${number}`, due }]
  })
}

/** A payment counts if the provider booked the amount that was asked for and did not refund it. */
const isKept = ({ books }: Evidence, { charge, asked }: Payment): boolean =>
  books.paid.get(charge) === asked && !books.refunded.has(charge)

/** What payments bring their payers, with the bonus for a larger one, and the percents of the inviters. */
const paymentsIn = (evidence: Evidence): readonly Entry[] =>
  evidence.town.payments.flatMap((payment) => {
    if (!isKept(evidence, payment)) return []
    const { person, credit } = payment
    const what = `payment ${payment.charge.slice(0, 6)}`
    const bonus = credit >= topUpBonus.from ? (credit * topUpBonus.percent) / 100 : 0
    const own = { person, what, due: exactly(credit + bonus) }
    const invitation = evidence.town.invitations.get(person)
    if (!invitation) return [own]
    const due = dueIf(invitation.isCertain, (credit * referralPercent) / 100)
    return [own, { person: invitation.inviter, what: `percents of ${what}`, due }]
  })

/**
 * The bonuses for the first payments of friends. A bonus is taken back when no payment of the friend is left, and not given again for a later
 * one: with some payments kept and others given back, their order decides.
 */
export function bonusesIn({ town, books }: Evidence): readonly Entry[] {
  const booked = town.payments.filter(({ charge, asked }) => books.paid.get(charge) === asked)
  return [...town.invitations].map(([friend, { inviter, isCertain }]) => {
    const paid = booked.filter(({ person }) => person === friend)
    const kept = paid.filter(({ charge }) => !books.refunded.has(charge))
    const isSure = isCertain && (kept.length === 0 || kept.length === paid.length)
    const due = dueIf(isSure, kept.length > 0 ? referralBonus : 0)
    return { person: inviter, what: `invited ${friend}`, due }
  })
}

/**
 * The people whom the bot has told that a promo code was credited, and the entries of all who tried it. If more people tried it than may use
 * it, each person who was told must have the credit; the others may have it only while fewer than the maximum were told.
 */
export function promoOf({ code, amount, mostUses, isOver, redeemers }: TriedCode, chats: Chats) {
  const isCredit = (words: string) => /^🎁 ₽[\d.,]+ added/u.test(words) && amountIn(words) === amount
  const isTold = (person: number) =>
    chats
      .of(person)
      .told()
      .some(({ words }) => isCredit(words))
  const told = new Set([...redeemers].filter(isTold))
  const dueTo = (person: number): Due => {
    if (isOver) return exactly(0)
    if (told.has(person) || redeemers.size <= mostUses) return exactly(amount)
    return told.size < mostUses ? upTo(amount) : exactly(0)
  }
  const entries = [...redeemers].map((person) => ({ person, what: `promo ${code}`, due: dueTo(person) }))
  return { told, entries }
}

const isDone = /^(₽[\d.,]+) (added to the wallet|is back on your balance)$/
const [ofOwner, ofWallet] = ['wallet', 'moved']

/**
 * The two entries of each move between an owner and a wallet. Without the bot's confirmation the move may have been done or not: then only
 * the sum of both balances is certain.
 */
function movesOf({ id, owner, moves }: Group, chats: Chats): readonly Entry[] {
  const { answers } = chats.of(owner)
  const most = [...moves.values()].reduce((sum, { amount = 0 }) => sum + amount, 0)
  return [...moves.values()].flatMap(({ way, amount, taps }) => {
    const told = taps.map((tap) => answers.get(tap) ?? '').find((answer) => isDone.test(answer))
    const moved = told === undefined ? (amount ?? most) : (amountIn(told) ?? 0)
    const sign = way === 'in' ? 1 : -1
    return [
      { person: owner, what: ofOwner, due: dueIf(told !== undefined, -sign * moved) },
      { person: id, what: ofWallet, due: dueIf(told !== undefined, sign * moved) },
    ]
  })
}

/** The entries of an owner and the wallet together, under the id of the group, without the moves between them. */
export const withOwner = (entries: readonly Entry[], { id, owner }: Group): readonly Entry[] =>
  entries
    .filter(({ person, what }) => [owner, id].includes(person) && ![ofOwner, ofWallet].includes(what))
    .map((entry) => ({ ...entry, person: id }))

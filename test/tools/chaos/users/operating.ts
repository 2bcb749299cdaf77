// The simulated operators: they correct balances, refund orders and payments, ban people for a while, stop all sales for a moment and send
// broadcasts. Sometimes both operators send the same command at the same time.

import type { Message } from 'grammy/types'
import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Chance } from '../chance.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import type { Person } from './person.ts'

export interface Office {
  readonly desk: Desk
  readonly clock: Clock
  /** The people who have written to the bot so far. */
  people(): readonly number[]
  /** The payers of the payments so far, oldest first; a person occurs once for each payment. */
  payers(): readonly number[]
}

interface Shift extends Office {
  readonly operator: Person
  /** The other operator. */
  readonly colleague: Person
  readonly customer: number
}

const acts: readonly { readonly weight: number; readonly run: (shift: Shift) => Promise<void> }[] = [
  { weight: 30, run: correct },
  { weight: 40, run: refundOrder },
  { weight: 24, run: refundPayment },
  { weight: 4, run: ban },
  { weight: 6, run: stopSales },
  { weight: 4, run: broadcast },
]

/** Until the first broadcast, so that each run has one. */
const firstActs = [...acts, { weight: 100, run: broadcast }]

/** @param pauseMs the longest pause between two actions */
export async function operate(
  office: Office,
  [operator, colleague]: readonly [Person, Person],
  pauseMs: number,
): Promise<void> {
  const { chance, ending } = operator
  await operator.says('/start')
  while (!ending.aborted) {
    const people = office.people()
    if (people.length > 0) {
      const customer = chance.pick(people)
      const act = office.desk.broadcasts.length === 0 ? chance.weighed(firstActs) : chance.weighed(acts)
      await act.run({ ...office, operator, colleague, customer })
    }
    await office.clock.wait(chance.between(pauseMs / 4, pauseMs), ending)
  }
}

async function correct({ operator, customer, desk }: Shift): Promise<void> {
  const isGrant = operator.chance.happens(0.7)
  const size = desk.nextAmount()
  const reason = `c${String(desk.next()).padStart(5, '0')}x`
  await operator.says(`/${isGrant ? 'grant' : 'debit'} ${customer} ${roubles(size)} ${reason}`)
  const confirms = () => desk.corrections.push({ person: customer, reason, amount: isGrant ? size : -size })
  await confirm(operator, reason, confirms)
}

const roubles = (kopecks: number): string => (kopecks / 100).toFixed(2)

/** Taps Yes below the question that contains these words, sometimes twice at the same time. */
async function confirm(operator: Person, words: string, before: () => void): Promise<boolean> {
  const isQuestion = (message: Message) => wordsOf(message).includes(words) && yesOf(message) !== undefined
  const question = await operator.sees(isQuestion)
  const yes = question && yesOf(question)
  if (!question || !yes) return false
  before()
  await atOnce(operator.chance, () => operator.taps(question.message_id, yes))
  return true
}

const yesOf = (message: Message): string | undefined =>
  buttonsOf(message).find(({ data }) => data === 'ad:d:yes')?.data

const twiceShare = 0.4

async function atOnce(chance: Chance, first: () => Promise<unknown>, second = first): Promise<void> {
  await (chance.happens(twiceShare) ? Promise.all([first(), second()]) : first())
}

/** Refunds an order that the operator finds in the lists that the bot shows. */
async function refundOrder(shift: Shift): Promise<void> {
  const { operator, colleague, desk } = shift
  const chosen = await listed(shift, 'ad:o:', 'ad:r:')
  if (!chosen) return
  const reason = `r${String(desk.next()).padStart(5, '0')}x`
  const words = `/refund ${chosen} ${reason}`
  const noted = () => void desk.refunds.push({ reason, generation: chosen })
  await confirmByBoth(operator, colleague, words, reason, noted)
}

/** Sends a command and confirms it; sometimes the colleague does the same at the same time. */
async function confirmByBoth(
  operator: Person,
  colleague: Person,
  words: string,
  reason: string,
  before: () => void = () => undefined,
): Promise<void> {
  const by = async (one: Person) => {
    await one.says(words)
    await confirm(one, reason, before)
  }
  await atOnce(
    operator.chance,
    () => by(operator),
    () => by(colleague),
  )
}

const newest = 4

async function refundPayment(shift: Shift): Promise<void> {
  const { operator, colleague, desk } = shift
  const payers = shift.payers()
  if (payers.length === 0) return
  // Only the newest payments, since the money of earlier ones is spent.
  const customer = operator.chance.pick(payers.slice(-newest))
  const chosen = await listed({ ...shift, customer }, 'ad:p:', 'ad:y:')
  if (!chosen) return
  const reason = `p${String(desk.next()).padStart(5, '0')}x`
  const noted = () => void desk.refundedPayers.add(customer)
  await confirmByBoth(operator, colleague, `/refund_payment ${chosen} ${reason}`, reason, noted)
}

/**
 * Opens a list from the customer's profile.
 * @param opens the start of the callback data of the button that opens the list
 * @param chooses the start of the callback data of the list's entries
 * @returns the id in the data of a random entry
 */
async function listed(
  { operator, customer }: Shift,
  opens: string,
  chooses: string,
): Promise<string | undefined> {
  await operator.says(`/user ${customer}`)
  const profile = await operator.sees(
    (message) => wordsOf(message).includes(`Telegram: ${customer}`) && dataOf(message, opens) !== undefined,
  )
  const open = profile && dataOf(profile, opens)
  if (!open) return undefined
  await operator.taps(profile.message_id, open)
  const list = await operator.sees(
    (message) => message.message_id > profile.message_id && dataOf(message, chooses) !== undefined,
  )
  const buttons = list ? buttonsOf(list).filter(({ data }) => data.startsWith(chooses)) : []
  return buttons.length > 0 ? operator.chance.pick(buttons).data.slice(chooses.length) : undefined
}

const dataOf = (message: Message, start: string): string | undefined =>
  buttonsOf(message).find(({ data }) => data.startsWith(start))?.data

const banMs = 2000

async function ban({ operator, customer, desk, clock }: Shift): Promise<void> {
  const reason = `b${String(desk.next()).padStart(5, '0')}x`
  desk.banned.add(customer)
  await operator.says(`/ban ${customer} ${reason}`)
  await confirm(operator, reason, () => undefined)
  await clock.wait(banMs, operator.ending)
  await liftBan(operator, customer, desk)
}

export async function liftBan(operator: Person, customer: number, desk: Desk): Promise<void> {
  const reason = `b${String(desk.next()).padStart(5, '0')}x`
  await operator.says(`/unban ${customer} ${reason}`)
  await confirm(operator, reason, () => undefined)
}

const stopMs = 500

async function stopSales({ operator, clock }: Shift): Promise<void> {
  const wanted = (to: string) => `ad:s:${to}:maintenance`
  const switches = await openSwitches(operator)
  if (!switches) return
  await operator.taps(switches.message_id, wanted('off'))
  await confirm(operator, 'Stop all sales', () => undefined)
  await clock.wait(stopMs, operator.ending)
  await operator.taps(switches.message_id, wanted('on'))
}

async function openSwitches(operator: Person): Promise<Message | undefined> {
  await operator.says('/admin')
  const desk = await operator.sees((message) => dataOf(message, 'ad:switches') !== undefined)
  if (!desk) return undefined
  await operator.taps(desk.message_id, 'ad:switches')
  return operator.sees(
    (message) => message.message_id > desk.message_id && dataOf(message, 'ad:s:') !== undefined,
  )
}

async function broadcast({ operator, desk, people, clock }: Shift): Promise<void> {
  if (desk.broadcasts.length >= mostBroadcasts) return
  const words = `News n${String(desk.next()).padStart(5, '0')}x for everybody`
  const isAsked = (message: Message) => /\n\/broadcast$/.test(wordsOf(message))
  await operator.says('/broadcast')
  const asked = await operator.sees(isAsked)
  if (!asked) return
  await operator.says(words)
  // The card follows the preview: that of an earlier broadcast, which nobody waited for any more, may come late.
  const preview = await operator.sees((message) => wordsOf(message) === words)
  if (!preview) return
  const card = await operator.sees(
    (message) => message.message_id > preview.message_id && startOf(message) !== undefined,
  )
  const start = card && startOf(card)
  if (!card || !start) return
  desk.broadcasts.push({ words, to: people() })
  await atOnce(operator.chance, () => operator.taps(card.message_id, start))
  if (operator.chance.happens(pauseShare)) await pauseFor(operator, card.message_id, start, clock)
}

const mostBroadcasts = 2
/** The share of broadcasts that are paused and resumed. */
const pauseShare = 0.5
const longestPauseMs = 1000

async function pauseFor(operator: Person, card: number, start: string, clock: Clock): Promise<void> {
  const { chance, ending } = operator
  await clock.wait(chance.between(0, longestPauseMs), ending)
  await operator.taps(card, start.replace(/start$/, 'pause'))
  await clock.wait(chance.between(0, longestPauseMs), ending)
  await operator.taps(card, start)
}

const startOf = (message: Message): string | undefined =>
  buttonsOf(message).find(({ data }) => /^ad:b:.*:start$/.test(data))?.data

// The record of the operators' actions in a run, from their view.

export interface Correction {
  readonly person: number
  /** The reason in the message to the person. */
  readonly reason: string
  /** In kopecks, unique for each correction; negative for a debit. */
  readonly amount: number
}

export interface OrderRefund {
  readonly reason: string
  /** The id of the order on the button. */
  readonly generation: string
}

export interface Broadcast {
  readonly words: string
  /** The people who had written to the bot before the broadcast was started. */
  readonly to: readonly number[]
}

export interface Desk {
  readonly corrections: Correction[]
  readonly refunds: OrderRefund[]
  readonly broadcasts: Broadcast[]
  /** The people who were banned for some time. */
  readonly banned: Set<number>
  /** The people whose payments operators wanted to refund. */
  readonly refundedPayers: Set<number>
  readonly operators: readonly number[]
  /** A number that makes a reason unique. */
  next(): number
  /** The amount of the next correction in kopecks, unique in the run; the first is 1. */
  nextAmount(): number
}

const firstOperator = 500_000_001
export const operatorIds = [firstOperator, firstOperator + 1] as const

export function createDesk(): Desk {
  let number = 0
  let amounts = 0
  return {
    corrections: [],
    refunds: [],
    broadcasts: [],
    banned: new Set(),
    refundedPayers: new Set(),
    operators: operatorIds,
    next() {
      number += 1
      return number
    },
    nextAmount() {
      amounts += 1
      return amounts === 1 ? 1 : 100 + amounts
    },
  }
}

// The simulated operators: they correct balances, and refund orders and payments. Sometimes both operators send the same command at the
// same time.

import type { Message } from 'grammy/types'
import type { Clock } from '../../../../src/runtime/clock.ts'
import { buttonsOf, wordsOf } from './chats.ts'
import { buttonOf, hasButton, type Person } from './person.ts'

export interface Office {
  readonly desk: Desk
  readonly clock: Clock
  /** The people who have written to the bot so far. */
  people(): readonly number[]
  /** The payers of payments that may be refunded, oldest first; a person occurs once for each payment. */
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
]

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
    const { run } = chance.weighed(acts)
    if (people.length > 0) await run({ ...office, operator, colleague, customer: chance.pick(people) })
    await office.clock.wait(chance.between(pauseMs / 4, pauseMs), ending)
  }
}

async function correct({ operator, customer, desk }: Shift): Promise<void> {
  const isGrant = operator.chance.happens(0.7)
  const { size, reason } = desk.nextCorrection()
  await operator.says(`/${isGrant ? 'grant' : 'debit'} ${customer} ${(size / 100).toFixed(2)} ${reason}`)
  const noted = () => desk.corrections.push({ person: customer, reason, amount: isGrant ? size : -size })
  await confirm(operator, reason, noted)
}

const asksYes = hasButton('ad:d:yes', 'ad:d:yes')
const twiceShare = 0.4

/** Taps Yes below the question that contains these words, sometimes twice at the same time. */
async function confirm(operator: Person, words: string, before: () => unknown): Promise<void> {
  const question = await operator.sees((message) => wordsOf(message).includes(words) && asksYes(message))
  if (!question) return
  before()
  await operator.taps(question.message_id, 'ad:d:yes', twiceShare)
}

/** Sends a command and confirms it; sometimes the colleague does the same at the same time. */
async function confirmByBoth(
  { operator, colleague }: Shift,
  words: string,
  reason: string,
  before: () => unknown,
): Promise<void> {
  const by = async (one: Person) => {
    await one.says(`${words} ${reason}`)
    await confirm(one, reason, before)
  }
  await Promise.all((operator.chance.happens(twiceShare) ? [operator, colleague] : [operator]).map(by))
}

async function refundOrder(shift: Shift): Promise<void> {
  const generation = await listed(shift, 'ad:o:', 'ad:r:')
  if (!generation) return
  const reason = shift.desk.nextReason('r')
  const noted = () => shift.desk.refunds.push({ reason, generation })
  await confirmByBoth(shift, `/refund ${generation}`, reason, noted)
}

const newest = 4

async function refundPayment(shift: Shift): Promise<void> {
  // Only the newest payments, since the money of earlier ones is spent.
  const payers = shift.payers().slice(-newest)
  if (payers.length === 0) return
  const chosen = await listed({ ...shift, customer: shift.operator.chance.pick(payers) }, 'ad:p:', 'ad:y:')
  if (!chosen) return
  await confirmByBoth(shift, `/refund_payment ${chosen}`, shift.desk.nextReason('p'), () => undefined)
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
  const isProfile = (message: Message) => wordsOf(message).includes(`Telegram: ${customer}`)
  const profile = await operator.sees((message) => isProfile(message) && hasButton(opens)(message))
  const open = profile && buttonOf(profile, opens)
  if (!open) return undefined
  await operator.taps(profile.message_id, open)
  const list = await operator.sees(
    (message) => message.message_id > profile.message_id && hasButton(chooses)(message),
  )
  const entries = list ? buttonsOf(list).filter(({ data }) => data.startsWith(chooses)) : []
  return entries.length > 0 ? operator.chance.pick(entries).data.slice(chooses.length) : undefined
}

export type Desk = ReturnType<typeof createDesk>

const firstOperator = 500_000_001
export const operatorIds = [firstOperator, firstOperator + 1] as const

/** The record of the operators' actions in a run, from their view. */
export function createDesk() {
  let number = 0
  let amounts = 0
  const nextReason = (letter: string) => {
    number += 1
    return `${letter}${String(number).padStart(5, '0')}x`
  }
  return {
    /** The amounts are in kopecks; negative for a debit. */
    corrections: [] as { readonly person: number; readonly reason: string; readonly amount: number }[],
    /** The refunds of orders, with the id on the button. */
    refunds: [] as { readonly reason: string; readonly generation: string }[],
    /** A unique reason like `r00042x`. */
    nextReason,
    /** A unique amount in kopecks; the first is 1. */
    nextCorrection() {
      amounts += 1
      return { size: amounts === 1 ? 1 : 100 + amounts, reason: nextReason('c') }
    },
  }
}

// The simulated operators: they correct balances, and refund orders and payments. Sometimes both operators send the same command at the
// same time.

import { hasButton, wordsOf } from './chats.ts'
import type { Person } from './person.ts'
import type { Town } from './town.ts'

interface Shift {
  readonly town: Town
  readonly operator: Person
  /** The other operator. */
  readonly colleague: Person
}

const acts: readonly { readonly weight: number; readonly run: (shift: Shift) => Promise<void> }[] = [
  { weight: 30, run: correct },
  { weight: 40, run: refundOrder },
  { weight: 24, run: refundPayment },
]

const firstOperator = 500_000_001
export const operatorIds = [firstOperator, firstOperator + 1] as const

/** @param pauseMs the longest pause between two actions */
export async function operate(
  town: Town,
  operator: Person,
  colleague: Person,
  pauseMs: number,
): Promise<void> {
  const { chance, ending } = operator
  await operator.says('/start')
  while (!ending.aborted) {
    await chance.weighed(acts).run({ town, operator, colleague })
    await town.clock.wait(chance.between(pauseMs / 4, pauseMs), ending)
  }
}

/** The operators' actions in a run, from their view. */
export const createDesk = () => ({
  /** The amounts are in kopecks; negative for a debit. */
  corrections: [] as { readonly person: number; readonly reason: string; readonly amount: number }[],
  /** The refunds of orders, by the id of the order. */
  refunds: [] as { readonly reason: string; readonly generation: string }[],
  /** The number of reasons so far: each action has a reason like `r00042x`. */
  reasons: 0,
})

function nextReason({ desk }: Town, letter: string): string {
  desk.reasons += 1
  return `${letter}${String(desk.reasons).padStart(5, '0')}x`
}

async function correct({ town, operator }: Shift): Promise<void> {
  const { chance } = operator
  const { corrections } = town.desk
  if (town.people.size === 0) return
  const person = chance.pick([...town.people])
  const isGrant = chance.happens(0.7)
  const reason = nextReason(town, 'c')
  // The first correction is of one kopeck.
  const size = corrections.length === 0 ? 1 : 100 + corrections.length
  const noted = () => corrections.push({ person, reason, amount: isGrant ? size : -size })
  await confirm(
    operator,
    `/${isGrant ? 'grant' : 'debit'} ${person} ${(size / 100).toFixed(2)} ${reason}`,
    noted,
  )
}

const asksYes = hasButton('ad:d:yes')
const twiceShare = 0.4

/** Sends a command that ends with its reason, and taps Yes below the question that repeats the reason, sometimes twice at the same time. */
async function confirm(operator: Person, command: string, before: () => unknown = () => {}): Promise<void> {
  const reason = command.split(' ').at(-1) ?? ''
  await operator.says(command)
  const question = await operator.sees((message) => wordsOf(message).includes(reason) && asksYes(message))
  if (!question) return
  before()
  await operator.taps(question.message_id, 'ad:d:yes', twiceShare)
}

/** Sends a command and confirms it; sometimes the colleague does the same at the same time. */
async function confirmByBoth(shift: Shift, command: string, before?: () => unknown): Promise<void> {
  const { operator, colleague } = shift
  const both = operator.chance.happens(twiceShare) ? [operator, colleague] : [operator]
  await Promise.all(both.map((one) => confirm(one, command, before)))
}

const newestOrders = 40

async function refundOrder(shift: Shift): Promise<void> {
  const { town, operator } = shift
  const orders = await town.sql`
    select id from generations where state = 'succeeded' order by created_at desc limit ${newestOrders}`
  if (orders.length === 0) return
  const generation = String(operator.chance.pick(orders).id)
  const reason = nextReason(town, 'r')
  const noted = () => town.desk.refunds.push({ reason, generation })
  await confirmByBoth(shift, `/refund ${generation} ${reason}`, noted)
}

const newestPayments = 4

/** Refunds one of the newest payments, since the money of earlier ones is spent; none of an owner, whose wallet would be emptied for it. */
async function refundPayment(shift: Shift): Promise<void> {
  const { payments, groups } = shift.town
  const refundable = payments.filter(({ person }) => !groups.some(({ owner }) => owner === person))
  if (refundable.length === 0) return
  const { provider, charge } = shift.operator.chance.pick(refundable.slice(-newestPayments))
  await confirmByBoth(shift, `/refund_payment ${provider}:${charge} ${nextReason(shift.town, 'p')}`)
}

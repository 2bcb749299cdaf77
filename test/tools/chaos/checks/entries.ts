// The entries that must have changed the balance of each person, computed without the app's transfers.

import { type Entry, exactly, upTo } from '../model/balances.ts'
import type { JudgedOrder } from '../model/orders.ts'
import { amountsIn } from '../model/roubles.ts'
import type { Correction } from '../users/desk.ts'
import type { Evidence } from './check.ts'
import { giftsOf } from './gifts.ts'
import { movesBetween } from './moves.ts'
import { readTurns } from './turns.ts'
import { isUndecided } from './undecided.ts'

export async function entriesOf(
  evidence: Evidence,
  orders: readonly JudgedOrder[],
): Promise<readonly Entry[]> {
  return [
    ...welcomes(evidence),
    ...giftsOf(evidence),
    ...payments(evidence),
    ...corrections(evidence),
    ...orders.map(spentOn),
    ...(await answersOf(evidence)),
    ...movesBetween(evidence),
  ]
}

const welcomes = ({ people, welcomeCredit }: Evidence): Entry[] =>
  [...people].map((person) => ({ person, what: 'welcome', due: exactly(welcomeCredit) }))

/** A payment is credited if the provider booked the amount that was asked for and did not refund it. */
const payments = ({ payments: paid, books }: Evidence): Entry[] =>
  paid.map(({ charge, person, credit, asked }) => {
    const isDue = books.paid.get(charge) === asked && !books.refunded.has(charge)
    return { person, what: `payment ${charge.slice(0, 6)}`, due: exactly(isDue ? credit : 0) }
  })

const corrections = (evidence: Evidence): Entry[] =>
  evidence.desk.corrections.map((one) => ({
    person: one.person,
    what: `correction ${one.reason}`,
    due: dueOf(evidence, one),
  }))

/**
 * The amount of a correction; zero if its question stayed open. The app refuses a tap on a question whose note is not stored (not yet, or
 * never because the process ended).
 */
function dueOf(evidence: Evidence, one: Correction) {
  if (isDone(evidence, one)) return exactly(one.amount)
  if (isUndecided(evidence, one)) return exactly(0)
  return one.amount > 0 ? exactly(one.amount) : upTo(one.amount)
}

/** Whether a message to the person or an operator says that the correction is done. Without one, a debit may have exceeded the balance. */
function isDone({ chats, desk }: Evidence, { person, reason, amount }: Correction): boolean {
  const toPerson = chats
    .of(person)
    .told()
    .some(({ words }) => /^[➕➖]/u.test(words) && words.includes(reason))
  const toOperator = desk.operators
    .flatMap((id) => chats.of(id).told())
    .some(({ words }) => /^✅ .*: (added|taken) /.test(words) && amountsIn(words)[0] === Math.abs(amount))
  return toPerson || toOperator
}

export const spentOn = ({ payer, mark, cost: { captured, refunded } }: JudgedOrder): Entry => ({
  person: payer,
  what: mark,
  due: exactly(refunded - captured),
})

/** What answers and translations cost by the app's tables. Whether these prices are right is judged in answers.ts and rewriting.ts. */
export async function answersOf(evidence: Evidence): Promise<Entry[]> {
  const asked = [...evidence.questions, ...evidence.translations]
  const askers = new Map(asked.map(({ number, person }) => [number, person]))
  const turns = await readTurns(evidence)
  return turns.flatMap(({ number, captured, refunded }) => {
    const person = askers.get(number)
    return person === undefined
      ? []
      : [{ person, what: `question ${number}`, due: exactly(refunded - captured) }]
  })
}

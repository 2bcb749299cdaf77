// The simulated operators: they refund orders and payments. Sometimes both operators send the same command at the same time.

import { hasButton, wordsOf } from './chats.ts'
import type { Person } from './person.ts'
import type { Town } from './town.ts'

const firstOperator = 500_000_001
export const operatorIds = [firstOperator, firstOperator + 1] as const

/** A refund of an order; each command has a reason like `r00042x`. */
export interface OrderRefund {
  readonly reason: string
  readonly generation: string
}

/** @param pauseMs the longest pause between two refunds */
export async function operate(
  town: Town,
  operator: Person,
  colleague: Person,
  pauseMs: number,
): Promise<void> {
  const { chance, ending } = operator
  await operator.says('/start')
  for (let n = 1; !ending.aborted; n += 1) {
    const reason = `r${operator.id % 10}${String(n).padStart(4, '0')}x`
    const command = chance.happens(0.6)
      ? await orderRefund(town, operator, reason)
      : paymentRefund(town, operator, reason)
    const both = chance.happens(twiceShare) ? [operator, colleague] : [operator]
    if (command) await Promise.all(both.map((one) => confirm(one, command, reason)))
    await town.clock.wait(chance.between(pauseMs / 4, pauseMs), ending)
  }
}

const asksYes = hasButton('ad:d:yes')
const twiceShare = 0.4

/** Sends a command, and taps Yes below the question that repeats the reason, sometimes twice at the same time. */
async function confirm(operator: Person, command: string, reason: string): Promise<void> {
  await operator.says(command)
  const question = await operator.sees((message) => wordsOf(message).includes(reason) && asksYes(message))
  if (question) await operator.taps(question.message_id, 'ad:d:yes', twiceShare)
}

const newestOrders = 40

async function orderRefund({ sql, refunds }: Town, { chance }: Person, reason: string) {
  const orders = await sql`
    select id from generations where state = 'succeeded' order by created_at desc limit ${newestOrders}`
  if (orders.length === 0) return undefined
  const generation = String(chance.pick(orders).id)
  refunds.push({ reason, generation })
  return `/refund ${generation} ${reason}`
}

const newestPayments = 4

/** Refunds one of the newest payments, since the money of earlier ones is spent; none of an owner, whose wallet would be emptied for it. */
function paymentRefund({ payments, groups }: Town, { chance }: Person, reason: string): string | undefined {
  const refundable = payments.filter(({ person }) => !groups.some(({ owner }) => owner === person))
  if (refundable.length === 0) return undefined
  const { provider, charge } = chance.pick(refundable.slice(-newestPayments))
  return `/refund_payment ${provider}:${charge} ${reason}`
}

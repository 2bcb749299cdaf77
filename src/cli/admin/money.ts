// Commands of the terminal that move money.

import { formatRoubles, type Kopecks } from '../../money.ts'
import { correct } from '../../operator/corrections.ts'
import { type Refunded, refundGeneration } from '../../operator/refunds.ts'
import {
  amountOf,
  type Command,
  type Deps,
  describe,
  Refused,
  reasonOf,
  toldLine,
  Usage,
  userBy,
} from './common.ts'

const change = (verb: 'grant' | 'debit'): Command => ({
  usage: [`${verb} <user> <roubles> <reason>`],
  async run(deps, [query, typed, ...words]) {
    const person = await userBy(deps, query)
    const amount = amountOf(typed)
    const reason = reasonOf(words)
    const signed = verb === 'grant' ? amount : -amount
    const available = await corrected(deps, person.id, signed, reason)
    const told = await deps.teller?.corrected(person.id, signed, available, reason)
    const done = verb === 'grant' ? 'Granted' : 'Debited'
    return [
      `${done} ${formatRoubles(amount)}: ${describe(person)}`,
      `Balance: ${formatRoubles(available)}`,
      ...toldLine(told),
    ]
  },
})

async function corrected(deps: Deps, userId: bigint, amount: Kopecks, reason: string): Promise<Kopecks> {
  const outcome = await correct(deps, { key: `cli:${deps.ids.next()}`, by: null, userId, amount, reason })
  if (outcome.ok) return outcome.available
  if (outcome.reason !== 'insufficient') throw new Refused(`Nothing was changed: ${outcome.reason}`)
  throw new Refused(`Nothing was changed: the balance is only ${formatRoubles(outcome.available)}`)
}

const refusals: Readonly<Record<Extract<Refunded, { ok: false }>['reason'], string>> = {
  'unknown-generation': 'There is no such order.',
  'nothing-captured': 'Nothing was charged for this order.',
  already: 'This order has been refunded already.',
}

const refund: Command = {
  usage: ['refund <order> <reason>'],
  async run(deps, [generationId, ...words]) {
    if (!generationId) throw new Usage('Which order?')
    const reason = reasonOf(words)
    const refunded = await refundGeneration(deps, { by: null, generationId, reason })
    if (!refunded.ok) throw new Refused(refusals[refunded.reason])
    const told = await deps.teller?.refunded(refunded.generation, refunded.amount, reason)
    return [`Refunded ${formatRoubles(refunded.amount)} of order ${generationId}.`, ...toldLine(told)]
  },
}

export const moneyCommands = { grant: change('grant'), debit: change('debit'), refund }

// Commands that change nothing.

import { builtInOf } from '../../ledger/built-in-notes.ts'
import { formatRoubles } from '../../money.ts'
import { readLog, recordAction, userSubject } from '../../operator/actions.ts'
import { readFigures } from '../../operator/figures.ts'
import { operatorStateOf } from '../../operator/order-state.ts'
import { lastGenerations, lastPayments, readProfile } from '../../operator/people.ts'
import { periodOf } from '../../operator/periods.ts'
import { openUnmatched } from '../../payments/unmatched.ts'
import { localTime } from '../../runtime/time-zone.ts'
import { switchedOff } from '../../sales/switches.ts'
import { type Command, chargeText, describe, Usage, userBy } from './common.ts'
import { figureLines } from './figures.ts'

const user: Command = {
  usage: ['user <user>'],
  async run(deps, words) {
    const { person } = await userBy(deps, words.join(' '))
    const { timeZone } = deps
    const { balance, spent, paid, orders, failures, banReason } = await readProfile(deps.db, person)
    await recordAction(deps, { by: null, action: 'view', subject: userSubject(person.id) })
    const last = await lastGenerations(deps.db, person.id, 5)
    const payments = await lastPayments(deps.db, person.id, 5)
    return [
      describe(person),
      ...(person.bannedAt
        ? [`Banned since ${localTime(person.bannedAt, timeZone)}: ${banReason ?? 'no reason'}`]
        : []),
      `Balance ${formatRoubles(balance.available)}, held ${formatRoubles(balance.held)}`,
      `Paid ${formatRoubles(paid)}, spent ${formatRoubles(spent)}; ${orders} orders, ${failures} failed`,
      ...last.map((order) => {
        const { id, createdAt, modelId, amount, captured, refunded } = order
        const state = operatorStateOf(order)
        const shown = state === 'partly' ? `refunded ${formatRoubles(refunded ?? 0n)} of` : state
        const price = formatRoubles(captured ?? amount)
        return `order ${id} ${localTime(createdAt, timeZone)} ${modelId} ${shown} ${price}`
      }),
      ...payments.map(({ provider, chargeId, credit, createdAt, refundedAt }) => {
        const state = refundedAt ? 'refunded' : 'paid'
        return `payment ${provider}:${chargeId} ${localTime(createdAt, timeZone)} ${state} ${formatRoubles(credit)}`
      }),
    ]
  },
}

const stats: Command = {
  usage: ['stats [days]'],
  async run({ db, clock, timeZone, providers }, [typed = '1']) {
    if (!/^([1-9]\d?|[1-2]\d\d|3[0-5]\d|36[0-6])$/.test(typed))
      throw new Usage('How many days? From 1 to 366.')
    const period = periodOf(Number(typed), clock.now(), timeZone)
    const off = [...(await switchedOff(db))]
    return [
      ...figureLines(period, await readFigures(db, period, providers)),
      ...(off.length > 0 ? [`Switched off: ${off.join(', ')}`] : []),
    ]
  },
}

const log: Command = {
  usage: ['log [lines]'],
  async run(deps, [typed = '20']) {
    if (!/^[1-9]\d{0,3}$/.test(typed)) throw new Usage('How many lines?')
    const actions = await readLog(deps, Number(typed))
    return actions.map(({ createdAt, operatorId, action, subject, reason, details }) => {
      const { amount } = details
      return [
        localTime(createdAt, deps.timeZone),
        operatorId === null ? 'terminal' : String(operatorId),
        action,
        subject,
        ...(typeof amount === 'string' ? [formatRoubles(BigInt(amount))] : []),
        ...(reason ? [builtInOf(reason, () => false) ?? reason] : []),
      ].join(' · ')
    })
  },
}

const unmatched: Command = {
  usage: ['unmatched'],
  async run({ db, timeZone }) {
    const open = await openUnmatched(db)
    if (open.length === 0) return ['All payments fit a top-up or are assigned.']
    return [
      ...open.map((payment) => {
        const { provider, chargeId, userId, named, createdAt } = payment
        return [
          localTime(createdAt, timeZone),
          `${provider}:${chargeId}`,
          chargeText(payment),
          userId === null ? 'payer unknown' : `payer #${userId}`,
          `for ${named || 'nothing'}`,
        ].join(' · ')
      }),
      'npm run admin -- assign <charge> <user> <roubles> <reason>',
    ]
  },
}

export const readingCommands = { user, stats, log, unmatched }

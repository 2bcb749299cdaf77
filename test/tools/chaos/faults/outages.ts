// Outages of the gateway: for some seconds it answers every order, question and poll of a task with 503.

import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Fault, Faults } from '../../../../src/sandbox/faults.ts'
import { textPaths } from '../../../../src/sandbox/gateway/text/index.ts'
import type { Chance } from '../chance.ts'
import { everybody, type Journal } from '../journal.ts'

export interface GatewaySwitch {
  isAway: boolean
}

const unavailable: Fault = { kind: 'error', status: 503 }
const operations: readonly string[] = ['create', 'poll', ...Object.values(textPaths)]

/** Adds outages to the scripted faults. An outage takes precedence and does not use up a scripted fault. */
export const withOutages = (faults: Faults, gateway: GatewaySwitch): Faults => ({
  ...faults,
  take: (target, operation) =>
    gateway.isAway && target === 'gateway' && operations.includes(operation)
      ? unavailable
      : faults.take(target, operation),
})

export async function stopGateway(
  { gateway, journal, clock }: { gateway: GatewaySwitch; readonly journal: Journal; readonly clock: Clock },
  chance: Chance,
  seconds: number,
  ending: AbortSignal,
): Promise<void> {
  while (seconds > 0 && !ending.aborted) {
    await clock.wait(seconds * (500 + 1000 * chance.next()), ending)
    if (ending.aborted) return
    journal.note(everybody, 'gateway: away')
    journal.count('outages of the gateway')
    gateway.isAway = true
    await clock.wait(chance.between(500, 3000), ending)
    gateway.isAway = false
  }
}

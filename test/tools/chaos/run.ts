// One run: simulated people use the app while faults are injected; then the faults stop, all work must finish, and the checks are made.

import { audit } from '../../../src/ledger/audit.ts'
import { deliveryChecks } from './checks/delivery.ts'
import { type Evidence, gather, type Violation } from './checks/evidence.ts'
import { moneyChecks } from './checks/money.ts'
import { taskChecks, updateChecks } from './checks/tasks.ts'
import { strike } from './faults.ts'
import { comeToRest } from './rest.ts'
import type { FaultProfile, Settings } from './settings.ts'
import { createTown, liveTogether, type Town } from './users/town.ts'
import { type ChaosWorld, openWorld } from './world.ts'

export type Outcome = Awaited<ReturnType<typeof run>>

export async function run(settings: Settings, profile: FaultProfile) {
  const world = await openWorld(settings, profile)
  try {
    await Promise.all(world.fleet.members.map((member) => member.up()))
    const town = await createTown(world)
    const ending = new AbortController()
    const struck = strike(world, profile, ending.signal)
    const lived = liveTogether(world, town, ending.signal)
    await world.clock.wait(settings.seconds * 1000)
    ending.abort()
    await Promise.all([struck, lived])
    return await judge(world, town)
  } finally {
    await world.close()
  }
}

async function judge(world: ChaosWorld, town: Town) {
  const { settings, journal, machine, database } = world
  const rest = await comeToRest(world)
  const audited = (await audit(database.db)).map(
    ({ invariant, subject, fact }): Violation => ({ check: `audit: ${invariant}`, about: subject, fact }),
  )
  journal.count('payments', town.payments.length)
  journal.count('questions', town.questions.length)
  const evidence = await gather(world, town, rest.retried)
  const violations = [...audited, ...rest.violations, ...(await findViolations(evidence))]
  const states = evidence.ordered.map(({ state, reason }) => (reason ? `${state}: ${reason}` : state))
  const byState = Map.groupBy(states, (state) => state)
  return {
    settings,
    violations,
    restSeconds: rest.seconds,
    slowness: machine.worst(),
    /** The number of orders by final state. */
    orders: Object.fromEntries([...byState].map(([state, same]) => [state, same.length])),
    counted: journal.counted(),
    /** The history of each subject that has a violation. */
    histories: Object.fromEntries(violations.map(({ about }) => [about, journal.history(about)])),
  }
}

async function findViolations(evidence: Evidence): Promise<Violation[]> {
  const checks = { ...moneyChecks, ...taskChecks, ...updateChecks, ...deliveryChecks }
  const found: Violation[] = []
  for (const [check, find] of Object.entries(checks))
    for (const one of await find(evidence)) found.push({ check, ...one })
  return found
}

export function reportOf({ settings, violations, histories, ...outcome }: Outcome): string {
  const { seed, seconds, processes, updates, people } = settings
  const lines = [
    `seed ${seed}, ${Math.round(seconds)} s, ${processes} processes by ${updates}, ${people} people`,
    `the machine was at worst ${outcome.slowness.toFixed(1)} times slower than usual`,
    `orders: ${listed(outcome.orders)}`,
    `counted: ${listed(outcome.counted)}`,
    `at rest after ${outcome.restSeconds.toFixed(1)} s`,
    `violations: ${violations.length}`,
  ]
  const wrong = violations
    .slice(0, 20)
    .flatMap(({ check, about, fact }) => [
      `\n✗ ${check}\n  ${about}: ${fact}`,
      ...(histories[about] ?? []).map((line) => `    ${line}`),
    ])
  return [...lines, ...wrong].join('\n')
}

const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, n]) => `\n  ${String(n).padStart(6)}  ${what}`)
    .join('')

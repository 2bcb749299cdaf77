// One run: simulated people use the app while faults are injected; then the faults stop, all work must finish, and the checks are made.

import { deliveryChecks } from './checks/delivery.ts'
import { type Evidence, gather, type Violation } from './checks/evidence.ts'
import { moneyChecks } from './checks/money.ts'
import { createSnapshots, type Snapshots } from './checks/snapshots.ts'
import { taskChecks, updateChecks } from './checks/tasks.ts'
import { strike } from './faults.ts'
import { askForBalances, comeToRest } from './rest.ts'
import type { FaultProfile, Settings } from './settings.ts'
import { createTown, liveTogether, type Town } from './users/town.ts'
import { type ChaosWorld, openWorld } from './world.ts'

export interface Outcome {
  readonly settings: Settings
  readonly violations: readonly Violation[]
  /** The time from the last fault until all work was finished, by the harness's clock. */
  readonly restSeconds: number
  /** The factor by which the machine was slower than usual at worst. */
  readonly slowness: number
  readonly snapshots: number
  /** The number of orders by final state. */
  readonly orders: Readonly<Record<string, number>>
  readonly counted: Readonly<Record<string, number>>
  /** The history of each subject that has a violation. */
  readonly histories: Readonly<Record<string, readonly string[]>>
}

export async function run(settings: Settings, profile: FaultProfile): Promise<Outcome> {
  const world = await openWorld(settings, profile)
  try {
    await Promise.all(world.fleet.members.map((member) => member.up()))
    const town = await createTown(world)
    const snapshots = createSnapshots(world)
    const ending = new AbortController()
    const struck = strike(world, profile, ending.signal)
    const lived = liveTogether(world, town, ending.signal)
    const timeIsUp = world.clock.wait(settings.seconds * 1000, ending.signal)
    await Promise.race([timeIsUp, ...(settings.isHasty ? [snapshots.wrong] : [])])
    ending.abort()
    await Promise.all([struck, lived])
    return await judge(world, town, snapshots)
  } finally {
    await world.close()
  }
}

async function judge(world: ChaosWorld, town: Town, snapshots: Snapshots): Promise<Outcome> {
  const { settings, journal, machine } = world
  const isEnough = settings.isHasty && snapshots.violations().length > 0
  const rest = isEnough ? { seconds: 0, violations: [], retried: [] } : await comeToRest(world)
  const balances = isEnough ? new Map<number, number>() : await askForBalances(world, town)
  const restAgain = isEnough ? rest : await comeToRest(world)
  await snapshots.close()
  const retried = new Set([...rest.retried, ...restAgain.retried])
  const evidence = await gather(world, town, { balances, retried })
  const found = isEnough ? [] : await findViolations(evidence)
  const violations = [...snapshots.violations(), ...rest.violations, ...restAgain.violations, ...found]
  const states = evidence.ordered.map(({ state, reason }) => (reason ? `${state}: ${reason}` : state))
  const byState = Map.groupBy(states, (state) => state)
  return {
    settings,
    violations,
    restSeconds: rest.seconds,
    slowness: machine.worst(),
    snapshots: snapshots.taken(),
    orders: Object.fromEntries([...byState].map(([state, same]) => [state, same.length])),
    counted: { ...journal.counted(), payments: town.payments.length, questions: town.questions.length },
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
    `snapshots: ${outcome.snapshots}; at rest after ${outcome.restSeconds.toFixed(1)} s`,
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

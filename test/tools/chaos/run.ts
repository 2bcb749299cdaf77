// One run: simulated people use the app while faults are injected; then the faults stop, all work must finish, and the checks are made.

import { readBooks } from './books/index.ts'
import type { Evidence, Violation } from './checks/check.ts'
import { findViolations } from './checks/index.ts'
import { createSnapshots, type Snapshots } from './checks/snapshots.ts'
import { assign, readAccounts, readOrdered } from './checks/tasks.ts'
import type { FaultProfile } from './faults/profile.ts'
import { strike } from './faults/strike.ts'
import { askForBalances } from './last-words.ts'
import { capOf, textModels } from './offer.ts'
import { comeToRest } from './rest.ts'
import type { Settings } from './settings.ts'
import type { Slowness } from './time/follow.ts'
import { createTown, liveTogether, type Town } from './users/town.ts'
import { type ChaosWorld, openWorld } from './world.ts'

export interface Outcome {
  readonly settings: Settings
  readonly violations: readonly Violation[]
  /** The duration of the phase with faults, by the harness's clock. */
  readonly faultySeconds: number
  /** The time from the last fault until all work was finished, by the harness's clock. */
  readonly restSeconds: number
  /** The slowness of the machine. */
  readonly slowness: Slowness
  /** The duration of the whole run, in real time. */
  readonly realSeconds: number
  readonly snapshots: number
  /** The number of orders by final state. */
  readonly orders: Readonly<Record<string, number>>
  readonly counted: Readonly<Record<string, number>>
  /** The history of each subject that has a violation. */
  readonly histories: Readonly<Record<string, readonly string[]>>
}

/** @param enough ends the faults and the actions of people early; the run is judged as usual */
export async function run(
  settings: Settings,
  profile: FaultProfile,
  enough = new AbortController().signal,
): Promise<Outcome> {
  const began = performance.now()
  const world = await openWorld(settings, profile)
  try {
    await Promise.all(world.fleet.members.map((member) => member.up()))
    const town = await createTown(world)
    const snapshots = createSnapshots(world)
    const faultySeconds = await playOut(world, town, profile, snapshots, enough)
    const judged = await judge(world, town, snapshots)
    return { ...judged, faultySeconds, realSeconds: (performance.now() - began) / 1000 }
  } finally {
    await world.close()
  }
}

async function playOut(
  world: ChaosWorld,
  town: Town,
  profile: FaultProfile,
  snapshots: Snapshots,
  enough: AbortSignal,
): Promise<number> {
  const { settings, clock } = world
  const began = clock.now().getTime()
  const ending = new AbortController()
  const struck = strike(world, profile, ending.signal)
  const lived = liveTogether(world, town, ending.signal)
  const timeIsUp = clock.wait(settings.seconds * 1000, AbortSignal.any([ending.signal, enough]))
  await Promise.race([timeIsUp, ...(settings.isHasty ? [snapshots.wrong] : [])])
  ending.abort()
  await Promise.all([struck, lived])
  return (clock.now().getTime() - began) / 1000
}

type Judged = Omit<Outcome, 'realSeconds' | 'faultySeconds'>

async function judge(world: ChaosWorld, town: Town, snapshots: Snapshots): Promise<Judged> {
  const { settings, journal, machine } = world
  const isEnough = settings.isHasty && snapshots.violations().length > 0
  const rest = isEnough
    ? { seconds: 0, violations: [], retried: new Set<string>(), retriedOf: new Set<number>() }
    : await comeToRest(world)
  const balances = isEnough ? new Map<number, number>() : await askForBalances(world, town)
  const restAgain = isEnough ? rest : await comeToRest(world)
  await snapshots.close()
  const evidence = await gather(world, town, balances, {
    retried: new Set([...rest.retried, ...restAgain.retried]),
    retriedOf: new Set([...rest.retriedOf, ...restAgain.retriedOf]),
  })
  const found = isEnough ? [] : await findViolations(evidence)
  const violations = [...snapshots.violations(), ...rest.violations, ...restAgain.violations, ...found]
  return {
    settings,
    violations,
    restSeconds: rest.seconds,
    slowness: machine.slowness(),
    snapshots: snapshots.taken(),
    orders: countBy(evidence.ordered.map(({ state, reason }) => (reason ? `${state}: ${reason}` : state))),
    counted: { ...journal.counted(), payments: town.payments.length, commands: town.book.orders.size },
    histories: Object.fromEntries(violations.map(({ about }) => [about, journal.history(about)])),
  }
}

const countBy = (words: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, same]) => [word, same.length]))

async function gather(
  { database, chats, outside, fleet, journal, settings }: ChaosWorld,
  town: Town,
  balances: ReadonlyMap<number, number>,
  { retried, retriedOf }: Pick<Evidence, 'retried' | 'retriedOf'>,
): Promise<Evidence> {
  const accounts = await readAccounts(outside.url)
  const ordered = await readOrdered(database.sql, town.book)
  const reasons = await database.sql`select reason from operator_actions where reason is not null`
  return {
    database,
    chats,
    journal,
    book: town.book,
    questions: town.questions.questions.map((one) =>
      retriedOf.has(one.person) ? { ...one, choices: town.choices.everOf(one.person) } : one,
    ),
    translations: town.questions.translations,
    payments: town.payments,
    declined: town.declined,
    books: await readBooks(outside),
    desk: town.desk,
    people: town.people,
    groups: town.groups,
    sentAgain: town.sentAgain,
    originalsAsked: town.originalsAsked,
    withdrawals: town.withdrawals,
    stops: town.stops,
    presetBook: town.presetBook,
    promoCodes: town.promoCodes,
    invitations: town.invitations,
    balances,
    welcomeCredit: settings.welcomeCredit * 100,
    cap: capOf(settings),
    operatorReasons: reasons.map(({ reason }) => String(reason)),
    logs: fleet.logs,
    retried,
    retriedOf,
    ordered,
    accounts,
    tasks: assign(accounts.tasks, ordered),
    textModels: textModels(),
  }
}

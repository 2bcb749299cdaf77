// All kinds of faults, concurrently, until the signal aborts.

import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Fault, Faults } from '../../../../src/sandbox/faults.ts'
import { textPaths } from '../../../../src/sandbox/gateway/text/index.ts'
import type { Chance } from '../chance.ts'
import { everybody, type Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
import type { Fleet, Member } from '../machine/fleet.ts'
import type { ChaosWorld } from '../world.ts'
import { forgeCallbacks } from './forger.ts'
import { spoilOutside } from './outside.ts'
import type { FaultProfile } from './profile.ts'

export async function strike(world: ChaosWorld, profile: FaultProfile, ending: AbortSignal): Promise<void> {
  const { chance, journal, clock, fleet, database, outside, gateway, publicUrl: url } = world
  const forger = { url, outsideUrl: outside.url, sql: database.sql, journal, clock }
  await Promise.all([
    strikeProcesses({ fleet, clock }, chance.stream('processes'), profile, ending),
    spoilDatabase({ database, journal, clock }, chance.stream('database'), profile.database, ending),
    spoilOutside({ faults: outside.faults, clock }, chance.stream('outside'), profile, ending),
    stopGateway({ gateway, journal, clock }, chance.stream('outages'), profile.outage, ending),
    forgeCallbacks(forger, chance.stream('forger'), profile.forger, ending),
  ])
}

// Faults of the processes: SIGKILL, SIGSTOP for longer than a lease, SIGTERM. Each affects one process at a time.

export async function strikeProcesses(
  { fleet: { members }, clock }: { readonly fleet: Fleet; readonly clock: Clock },
  chance: Chance,
  pace: FaultProfile,
  ending: AbortSignal,
): Promise<void> {
  const anyMember = (): Member | undefined => {
    const up = members.filter((member) => member.isUp())
    return up.length > 0 ? chance.pick(up) : undefined
  }
  const every = async (seconds: number, strike: (member: Member) => unknown) => {
    while (seconds > 0 && !ending.aborted) {
      await clock.wait(seconds * (500 + 1000 * chance.next()), ending)
      const member = ending.aborted ? undefined : anyMember()
      if (member) await strike(member)
    }
  }
  await Promise.all([
    every(pace.kill, (member) => member.kill()),
    // A lease is half a minute of the app's time: a second and a half of the harness's.
    every(pace.hold, (member) => member.hold(chance.between(1000, 3500))),
    every(pace.ask, (member) => member.ask()),
  ])
}

// Faults between the processes and the database: connections cut by the network or the server, and late responses, some later than a
// lease.

interface Deps {
  readonly database: RunDatabase
  readonly journal: Journal
  readonly clock: Clock
}

export async function spoilDatabase(
  { database, journal, clock }: Deps,
  chance: Chance,
  seconds: number,
  ending: AbortSignal,
): Promise<void> {
  const { relay } = database
  const isHit = () => chance.happens(0.4)
  const strikes = [
    {
      weight: 4,
      what: 'connections cut',
      run: () => relay.cut(isHit),
    },
    { weight: 4, what: 'answers a little late', run: () => relay.stall(chance.between(50, 500), isHit) },
    {
      weight: 2,
      what: 'answers later than a lease',
      run: () => {
        const ms = chance.between(1600, 2600)
        relay.stall(ms, isHit)
        return ms
      },
    },
    { weight: 2, what: 'connections ended by the server', run: () => database.terminate(0.3) },
  ] as const
  while (seconds > 0 && !ending.aborted) {
    await clock.wait(seconds * (500 + 1000 * chance.next()), ending)
    if (ending.aborted) return
    const { what, run } = chance.weighed(strikes)
    journal.note(everybody, `database: ${what}`)
    journal.count(`fault: database ${what}`)
    const lastsMs = await run()
    if (lastsMs) void noteEnd({ journal, clock }, lastsMs)
  }
}

/** Notes how long the fault lasted, in real time: the clock of the run may be slower. */
async function noteEnd({ journal, clock }: Pick<Deps, 'journal' | 'clock'>, ms: number): Promise<void> {
  const began = performance.now()
  await clock.wait(ms)
  journal.note(
    everybody,
    `database: answers were later than a lease for ${Math.ceil(performance.now() - began)} ms`,
  )
}

// Outages of the gateway: for some seconds it answers every order, question and poll of a task with 503.

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

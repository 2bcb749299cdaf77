// All kinds of faults, concurrently, until the signal aborts.

import type { ChaosWorld } from '../world.ts'
import { spoilDatabase } from './database.ts'
import { forgeCallbacks } from './forger.ts'
import { stopGateway } from './outages.ts'
import { spoilOutside } from './outside.ts'
import { strikeProcesses } from './processes.ts'
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

// Everything that goes wrong, at once, until the evening.

import type { World } from '../world.ts'
import { spoilDatabase } from './database.ts'
import { forgeCallbacks } from './forger.ts'
import { spoilOutside } from './outside.ts'
import { strikeProcesses } from './processes.ts'
import type { FaultProfile } from './profile.ts'

export async function strike(world: World, profile: FaultProfile, evening: AbortSignal): Promise<void> {
  const { chance, journal, fleet, database, outside, publicUrl: url } = world
  const forger = { url, sql: database.sql, journal }
  await Promise.all([
    strikeProcesses(fleet, chance.stream('processes'), profile, evening),
    spoilDatabase(database, chance.stream('database'), journal, profile.database, evening),
    spoilOutside(outside.faults, chance.stream('outside'), profile.outside, evening),
    forgeCallbacks(forger, chance.stream('forger'), profile.forger, evening),
  ])
}

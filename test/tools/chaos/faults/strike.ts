// All kinds of faults, concurrently, until the signal aborts.

import type { Chance } from '../chance.ts'
import { everybody } from '../journal.ts'
import type { Member } from '../machine/fleet.ts'
import type { FaultProfile } from '../settings.ts'
import type { ChaosWorld } from '../world.ts'
import { spoiling } from './outside.ts'

export async function strike(world: ChaosWorld, profile: FaultProfile, ending: AbortSignal): Promise<void> {
  const { chance, clock, fleet, outside } = world
  const every = async (name: string, seconds: number, act: (chance: Chance) => unknown) => {
    const own = chance.stream(name)
    while (seconds > 0 && !ending.aborted) {
      await clock.wait(seconds * (500 + 1000 * own.next()), ending)
      if (!ending.aborted) await act(own)
    }
  }
  const onMember = (name: string, seconds: number, hit: (member: Member, chance: Chance) => unknown) =>
    every(name, seconds, (own) => {
      const up = fleet.members.filter((member) => member.isUp())
      return up.length > 0 ? hit(own.pick(up), own) : undefined
    })
  const spoil = spoiling(outside.faults, profile)
  await Promise.all([
    onMember('kill', profile.kill, (member) => member.kill()),
    // A lease is half a minute of the app's time: a second and a half of the harness's.
    onMember('hold', profile.hold, (member, own) => member.hold(own.between(1000, 3500))),
    onMember('ask', profile.ask, (member) => member.ask()),
    every('database', profile.database, (own) => spoilDatabase(world, own)),
    every('outside', profile.outside, spoil),
    every('outages', profile.outage, (own) => stopGateway(world, own, ending)),
  ])
  outside.faults.clear()
}

/** The longest time by which the database may be late without letting a lease expire. */
const leaseMs = 1500

/** Cuts connections, or delays the answers, sometimes for longer than a lease. */
function spoilDatabase({ database: { relay }, journal, clock }: ChaosWorld, chance: Chance): void {
  const isHit = () => chance.happens(0.4)
  const ms = chance.weighed([
    { weight: 6, ms: 0 },
    { weight: 4, ms: chance.between(50, 500) },
    { weight: 2, ms: chance.between(1600, 2600) },
  ]).ms
  const what =
    ms === 0 ? 'connections cut' : `answers ${ms > leaseMs ? 'later than a lease' : 'a little late'}`
  journal.note(everybody, `database: ${what}`)
  journal.count(`fault: database ${what}`)
  if (ms === 0) relay.cut(isHit)
  else relay.stall(ms, isHit)
  if (ms < leaseMs) return
  // The note has the real duration: the clock of the run may be slower.
  const began = performance.now()
  void clock.wait(ms).then(() => {
    const tookMs = Math.ceil(performance.now() - began)
    journal.note(everybody, `database: answers were later than a lease for ${tookMs} ms`)
  })
}

async function stopGateway(
  { gateway, journal, clock }: ChaosWorld,
  chance: Chance,
  ending: AbortSignal,
): Promise<void> {
  journal.note(everybody, 'gateway: away')
  journal.count('outages of the gateway')
  gateway.isAway = true
  await clock.wait(chance.between(500, 3000), ending)
  gateway.isAway = false
}

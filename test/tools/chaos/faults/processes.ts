// Faults of the processes: SIGKILL, SIGSTOP for longer than a lease, SIGTERM. Each affects one process at a time.

import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Chance } from '../chance.ts'
import type { Fleet, Member } from '../machine/fleet.ts'
import type { FaultProfile } from './profile.ts'

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

// What happens to the processes: killed, held still for longer than a lease, asked to end. Rolling restarts leave the others up.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import type { Fleet, Member } from '../machine/fleet.ts'
import type { FaultProfile } from './profile.ts'

export async function strikeProcesses(
  { members }: Fleet,
  chance: Chance,
  pace: FaultProfile,
  home: AbortSignal,
): Promise<void> {
  const someone = (): Member | undefined => {
    const up = members.filter((member) => member.isUp())
    return up.length > 0 ? chance.pick(up) : undefined
  }
  const every = async (seconds: number, strike: (member: Member) => unknown) => {
    while (seconds > 0 && !home.aborted) {
      await sleep(seconds * (500 + 1000 * chance.next()), undefined, { signal: home }).catch(() => undefined)
      const member = home.aborted ? undefined : someone()
      if (member) await strike(member)
    }
  }
  await Promise.all([
    every(pace.kill, (member) => member.kill()),
    // A lease is half a minute of the app's time: a second and a half of ours.
    every(pace.hold, (member) => member.hold(chance.between(1000, 3500))),
    every(pace.ask, (member) => member.ask()),
  ])
}

// Free ports for processes. Each port is given out once, even to concurrent callers.

import { freePorts } from '../../chaos/machine/listening.ts'

const given = new Set<number>()

export async function freePort(): Promise<number> {
  const free = (await freePorts(given.size + 1)).find((port) => !given.has(port))
  if (free === undefined) throw new Error('of so many ports one is new')
  given.add(free)
  return free
}

// Counts all units of work that have a bound (bounds.ts).

import type { BenchWorld } from '../bench.ts'
import { countBusy } from './busy.ts'
import type { Count } from './count.ts'
import { countIdle } from './idle.ts'

const sizes = {
  full: { alone: 20, updates: 200, orders: 100, people: 50, idleMinutes: 5 },
  quick: { alone: 5, updates: 100, orders: 40, people: 50, idleMinutes: 1 },
}

export async function countAll(world: BenchWorld): Promise<readonly Count[]> {
  const size = sizes[world.isQuick ? 'quick' : 'full']
  const idle = await countIdle(world, size.idleMinutes)
  return [...(await countBusy(world, size, idle.statements)), idle]
}

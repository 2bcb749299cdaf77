// Counts the statements and requests of an idle process with all roles, for some minutes of its clock.

import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorld } from '../bench.ts'
import { type Count, perUnit } from './count.ts'
import { startCounted } from './sides.ts'

/** The factor by which its clock runs faster than real time. By that clock a statement takes longer by the same factor. */
const times = 20

/** With these settings the loops of all payment providers run. Requests to this provider are refused and not counted. */
const settings = {
  YOOKASSA_SHOP_ID: '123456',
  YOOKASSA_SECRET_KEY: 'bench-secret-key',
  YOOKASSA_URL: 'http://127.0.0.1:9',
  FAST_TIMES: String(times),
}

export async function countIdle(world: BenchWorld, minutes: number): Promise<Count> {
  const app = await startCounted(world, { people: 1, settings, program: 'test/bench/programs/fast-app.ts' })
  app.statements.take()
  app.requests.take()
  const begun = performance.now()
  await sleep((minutes * 60_000) / times)
  const units = ((performance.now() - begun) / 1000) * times
  const [statements, requests] = [app.statements.take(), app.requests.take()]
  await app.close()
  return perUnit({ name: 'idle', unit: 'second', units, statements, requests })
}

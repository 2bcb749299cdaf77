// Counts the statements and requests of a working process: for updates and orders, one after another and many at once.

import type { BenchWorld } from '../bench.ts'
import { createUpdates } from '../outside/updates.ts'
import { quoteOf } from '../seed/orders.ts'
import { type Count, type CountName, perUnit } from './count.ts'
import { type CountedApp, settle, startCounted } from './sides.ts'
import { type Calls, without } from './tally.ts'

/** The numbers of units. */
export interface Size {
  readonly alone: number
  readonly updates: number
  readonly orders: number
  /** The number of people who send the concurrent updates. */
  readonly people: number
}

interface Scene {
  readonly name: CountName
  readonly unit: 'update' | 'order'
  readonly units: number
  readonly isAlone: boolean
  /** The method of the last message about a unit. */
  readonly answer: string
  readonly update: (at: number) => string
}

const { says, taps } = createUpdates()

function scenesOf({ alone, updates, orders, people }: Size): readonly Scene[] {
  const balance = { unit: 'update', answer: 'sendMessage' } as const
  const order = { unit: 'order', answer: 'editMessageMedia' } as const
  const orderOf = (n: number) => taps(n, `q:${quoteOf(n)}`)
  return [
    { ...balance, name: 'update-alone', units: alone, isAlone: true, update: (at) => says(at, '/balance') },
    {
      ...balance,
      name: 'update-busy',
      units: updates,
      isAlone: false,
      update: (at) => says(at % people, '/balance'),
    },
    { ...order, name: 'order-alone', units: alone, isAlone: true, update: orderOf },
    { ...order, name: 'order-busy', units: orders, isAlone: false, update: (at) => orderOf(alone + at) },
  ]
}

/** @param idle the statements of an idle process per second, which do not count */
export async function countBusy(world: BenchWorld, size: Size, idle: Calls): Promise<Count[]> {
  const app = await startCounted(world, { people: Math.max(size.people, size.alone + size.orders) })
  const counts: Count[] = []
  for (const scene of scenesOf(size)) counts.push(await countScene(app, scene, idle))
  await app.close()
  return counts
}

async function countScene(app: CountedApp, scene: Scene, idle: Calls): Promise<Count> {
  const { units, isAlone, update } = scene
  const all = Array.from({ length: units }, (_, at) => update(at))
  const begun = performance.now()
  app.statements.take()
  app.requests.take()
  for (const some of isAlone ? all.map((one) => [one]) : [all]) await answered(app, scene.answer, some)
  const seconds = (performance.now() - begun) / 1000
  return perUnit({
    ...scene,
    statements: without(idle, seconds, app.statements.take()),
    requests: app.requests.take(),
  })
}

async function answered({ telegram }: CountedApp, answer: string, updates: readonly string[]): Promise<void> {
  const heard = telegram.heard(answer, updates.length)
  telegram.give(updates)
  await heard
  await settle()
}

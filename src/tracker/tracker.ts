// Takes due generations one step further, kind by kind. A nudge only cuts its sleep short: what is due, the table says. Any
// number of processes may run one; of the table's rows it keeps in memory only those that it is at.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { createLeases } from '../runtime/leases.ts'
import type { Loop } from '../runtime/loop.ts'
import { createCircuit } from './circuit.ts'
import { createWindow } from './concurrency-limit.ts'
import { createKeeper } from './keeper.ts'
import { type Kind, kinds, letGo, renew } from './queue.ts'
import { createShows } from './status-updates.ts'
import { takeStep } from './step.ts'
import type { StepDeps } from './step-deps.ts'
import { createLane } from './worker.ts'

export type Tracker = Loop

/** Each may have a whole file in memory. */
const deliverPlaces = 16
const otherPlaces = 8

/** Above the time limits of all that one step waits for; what hangs longer is left to whoever takes its row over. */
const stepMs = 10 * 60_000
/**
 * The same for a delivery, of up to 20 files one after another: a server may keep each of them waiting for two minutes, and a
 * video may have to be encoded. An attempt that loses its row is never counted, so its results would never be given up and paid back.
 */
const deliveryMs = 2 * 60 * 60_000
/** How long a stop waits for what is under way, and then for the database to take the leases back, which expire anyway. */
const stopMs = 20_000
const letGoMs = 3000

export function createTracker(deps: GenerationDeps): Tracker {
  const window = createWindow()
  const circuit = createCircuit(deps, window)
  const shows = createShows(deps)
  const keeper = createKeeper(deps)
  const stepDeps: StepDeps = { ...deps, circuit, shows, keeper }
  const leases = createLeases<Generation>(deps, (held, until) => renew(deps, held, until))
  const places: Partial<Record<Kind, () => number>> = {
    submit: window.places,
    look: window.places,
    reveal: window.places,
    deliver: () => deliverPlaces,
  }

  const lanes = kinds.map((kind) =>
    createLane(deps, {
      kind,
      places: places[kind] ?? (() => otherPlaces),
      claimed({ isProbe }) {
        if (isProbe) circuit.probing()
      },
      async take(generation) {
        const finished = leases.keep(generation)
        const step = takeStep(stepDeps, kind, generation)
        const isOver = await allSettledWithin([step], deps.clock, kind === 'deliver' ? deliveryMs : stepMs)
        if (!isOver) deps.log.error({ generation: generation.id, kind }, 'step hangs')
        finished()
        // What was settled is delivered next.
        if (kind !== 'deliver') deliveries?.nudge()
      },
    }),
  )
  const deliveries = lanes[kinds.indexOf('deliver')]
  const atWork = (): Generation[] => lanes.flatMap((lane) => [...lane.atWork.keys()])

  return {
    start() {
      for (const loop of [leases, ...lanes]) loop.start()
    },
    nudge() {
      for (const lane of lanes) lane.nudge()
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
      const works = lanes.flatMap((lane) => [...lane.atWork.values()])
      await allSettledWithin([Promise.all(works).then(keeper.idle).then(shows.idle)], deps.clock, stopMs)
      keeper.stop()
      const letting = letGo(deps, atWork()).catch((error: unknown) =>
        deps.log.warn({ error }, 'leases cannot be handed back'),
      )
      await allSettledWithin([letting], deps.clock, letGoMs)
      await leases.stop()
    },
  }
}

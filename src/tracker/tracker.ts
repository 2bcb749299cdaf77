// Advances due generations by one step at a time, with one worker per kind of step. A step begins at once where its row is already known
// and there is a place for it (place.ts); the workers claim what is left: retries, what waits for its time, and what other
// processes have left behind. They sleep until the watch finds something due. Any number of processes may run a tracker; each keeps in
// memory only the rows that it is working on.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import type { Place, Places } from '../generations/place.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { hourMs } from '../runtime/durations.ts'
import { createLeases } from '../runtime/leases.ts'
import type { Loop } from '../runtime/loop.ts'
import type { Locale } from '../texts.ts'
import { createGenerationWatch } from './generation-watch.ts'
import { asksGateway, isKind, type Kind, releaseGenerations, renew } from './queue.ts'
import { takeStep } from './step.ts'
import { type ChatSteps, createStepDeps } from './step-deps.ts'
import { createStepWorker, type StepWorker } from './step-worker.ts'

export interface Tracker extends Omit<Loop, 'nudge'>, Places {
  /** Claims due rows of a kind; without a kind, of all kinds that have due rows. */
  nudge(kind?: string): void
  /** Edits the status message. Reads the row again afterwards, and repeats the edit if another process has changed it meanwhile. */
  showStatus(generation: Generation, locale?: Locale): void
}

/** Each delivery may have a whole file in memory. */
const mostDeliveries = 16
const mostOthers = 8

/** The time limit of a step, above the sum of all time limits within it. After that the row is left to be claimed again. */
const stepMs = 10 * 60_000
/**
 * The same for a delivery of up to 20 files, one after another: a server may delay each by two minutes, and a video may have to
 * be converted. With a shorter limit such an attempt would lose its row, like one whose process ended (delivery/attempt.ts), and its
 * missing results would not be refunded.
 */
const deliveryMs = 2 * hourMs
/** How long a stop waits for passes and steps, and then for the database to release the leases, which expire anyway. */
const stopMs = 20_000
const releaseMs = 3000

/** @param chat the steps that take place in the chat */
export function createTracker(deps: GenerationDeps, chat: ChatSteps): Tracker {
  const watch = createGenerationWatch(deps, (due) => {
    for (const kind of due) workers[kind].nudge()
  })
  const places: Places = {
    reserve: (kind) => workers[kind].reserve(),
    nudge: (kind) => workers[kind].nudge(),
  }
  const stepDeps = createStepDeps(deps, chat, { places, dueAt: watch.dueAt })
  const { circuit, limit, statusUpdates, unwrittenAnswers } = stepDeps
  const leases = createLeases<Generation>(deps, (held, until) => renew(deps, held, until))
  const limitOf = (kind: Kind): (() => number) => {
    if (asksGateway(kind)) return limit.current
    return () => (kind === 'deliver' ? mostDeliveries : mostOthers)
  }

  const workerOf = (kind: Kind) =>
    createStepWorker(deps, {
      kind,
      limit: limitOf(kind),
      claimed({ isProbe, held }) {
        if (isProbe) circuit.probing()
        else if (asksGateway(kind) && held.length > 0) circuit.foundClosed()
      },
      async take(generation, known) {
        const { release } = leases.keep(generation)
        const step = takeStep(stepDeps, kind, generation, known)
        const hasEnded = await allSettledWithin([step], deps.clock, kind === 'deliver' ? deliveryMs : stepMs)
        if (!hasEnded) deps.log.error({ generation: generation.id, kind }, 'step hangs')
        release()
      },
    })
  const workers: Readonly<Record<Kind, StepWorker>> = {
    submit: workerOf('submit'),
    look: workerOf('look'),
    'look-at-candidate': workerOf('look-at-candidate'),
    'look-after-refund': workerOf('look-after-refund'),
    'end-lost-submit': workerOf('end-lost-submit'),
    'expire-held': workerOf('expire-held'),
    'expire-running': workerOf('expire-running'),
    deliver: workerOf('deliver'),
  }
  const all = Object.values(workers)
  const loops: readonly Loop[] = [watch, ...all]
  /** Waits until no step runs. A step may begin another one, and a place may have been reserved before the stop. */
  const idle = async () => {
    while (!all.every((worker) => worker.isIdle())) await Promise.all(all.map((worker) => worker.idle()))
  }
  const running = (): Generation[] => all.flatMap((worker) => [...worker.running.keys()])

  const showStatus: Tracker['showStatus'] = (generation, locale) =>
    statusUpdates.queue(generation, { locale })
  /** The card of an order that is submitted at once becomes its status message here. */
  const withStatus = (place: Place): Place => ({
    ...place,
    take(generation, known) {
      showStatus(generation, known?.locale)
      place.take(generation, known)
    },
  })

  return {
    reserve(kind) {
      const place = workers[kind].reserve()
      return place && kind === 'submit' ? withStatus(place) : place
    },
    start() {
      for (const loop of [leases, ...loops]) loop.start()
    },
    nudge(kind) {
      if (kind && isKind(kind)) workers[kind].nudge()
      else watch.nudge()
    },
    showStatus,
    async stop() {
      const passed = Promise.all(loops.map((loop) => loop.stop()))
      const ended = passed.then(idle).then(unwrittenAnswers.idle).then(statusUpdates.idle)
      await allSettledWithin([ended], deps.clock, stopMs)
      unwrittenAnswers.stop()
      const letting = releaseGenerations(deps, running()).catch((error: unknown) =>
        deps.log.warn({ error }, 'leases cannot be released'),
      )
      await allSettledWithin([letting], deps.clock, releaseMs)
      await leases.stop()
    },
  }
}

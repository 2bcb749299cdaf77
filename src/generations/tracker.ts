// Takes due generations one step further. A nudge only cuts its sleep short: what is due, the table says. Any number of
// processes may run one.

import { createLoop, type Loop } from '../loop.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { backoffMs, maxDeliveryAttempts } from './pace.ts'
import { poll } from './poll.ts'
import { claimDue, handBack } from './queue.ts'
import { fail } from './settle.ts'
import { becomeUnknown, submit } from './submit.ts'

export type Tracker = Loop

const maxAtOnce = 32

export function createTracker(deps: GenerationDeps): Tracker {
  const running = new Set<Promise<void>>()

  const launch = (generation: Generation) => {
    const step = takeStep(deps, generation).finally(() => {
      running.delete(step)
      loop.nudge()
    })
    running.add(step)
  }

  const pass = async () => {
    const free = maxAtOnce - running.size
    const claimed = free > 0 ? await claimDue(deps, free) : []
    for (const generation of claimed) launch(generation)
    return claimed.length > 0
  }

  const idleMs = deps.pollIntervalMs / 3
  const loop = createLoop(deps, { pass, idleMs, failed: 'due generations can not be read' })
  return {
    ...loop,
    async stop() {
      await loop.stop()
      await Promise.allSettled(running)
    },
  }
}

/** One step of one generation; a step that throws is tried again when its lease runs out. */
export async function takeStep(deps: GenerationDeps, generation: Generation): Promise<void> {
  try {
    await step(deps, generation)
  } catch (error) {
    deps.log.error({ generation: generation.id, state: generation.state, error }, 'step failed')
  }
}

function step(deps: GenerationDeps, generation: Generation): Promise<void> {
  switch (generation.state) {
    case 'held':
      return submit(deps, generation)
    case 'submitting':
      return becomeUnknown(deps, generation)
    case 'running':
      return poll(deps, generation)
    case 'unknown':
      return fail(deps, generation, 'lost')
    case 'succeeded':
    case 'failed':
    case 'canceled':
      return deliver(deps, generation)
  }
}

async function deliver(deps: GenerationDeps, generation: Generation): Promise<void> {
  const outcome = await deps.messenger.deliver(generation)
  const attempts = generation.attempts + 1
  if (outcome.ok || !outcome.retry || attempts >= maxDeliveryAttempts) {
    const delivery = outcome.ok ? 'delivered' : 'undeliverable'
    const deliveredAt = outcome.ok ? deps.clock.now() : null
    const done = await handBack(deps, generation, { delivery, deliveredAt, attempts, nextCheckAt: null })
    deps.log.info({ generation: generation.id, delivery, attempts }, 'delivery ended')
    if (done) await deps.messenger.show(done)
    return
  }
  const pause = backoffMs(attempts, deps.pollIntervalMs, deps.random(), outcome.afterMs)
  await handBack(deps, generation, { attempts, nextCheckAt: new Date(deps.clock.now().getTime() + pause) })
}

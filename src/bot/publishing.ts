// Publishes what Telegram shows around the chat: the command menus, the bot's descriptions, the menu button. The bot works without them, so
// each is published in the background on its own; a failure is retried and affects nothing else.

import { doubledMs } from '../runtime/back-off.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { outcomeOf } from '../telegram/errors.ts'

interface Publication {
  /** The name of the publication in the log. */
  readonly what: string
  publish(): Promise<void>
}

/** Pauses before the next attempt; doubled with each failure, and never shorter than the pause that Telegram asks for. */
const retry = { firstMs: 5_000, longestMs: 30 * 60_000 }
const idleMs = 60_000
const failed = 'what Telegram shows of the bot cannot be published'

export function createPublishing(
  deps: { readonly clock: Clock; readonly log: Log },
  publications: readonly Publication[],
): Loop {
  const { clock, log } = deps
  let left = publications
  let failures = 0
  const pass = async (stopping: AbortSignal) => {
    let pauseMs = doubledMs(retry.firstMs, failures, retry.longestMs)
    const unpublished: Publication[] = []
    for (const one of left) {
      try {
        await one.publish()
      } catch (error) {
        log.warn({ error, what: one.what }, failed)
        unpublished.push(one)
        const outcome = outcomeOf(error)
        if (outcome.retry) pauseMs = Math.max(pauseMs, outcome.afterMs ?? 0)
      }
    }
    left = unpublished
    if (left.length === 0) return false
    await clock.wait(pauseMs, stopping)
    failures += 1
    return true
  }
  return createLoop(deps, { pass, idleMs, failed })
}

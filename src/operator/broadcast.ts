// Sends broadcasts, one user after the other: the cursor is written after each, so that a crash repeats at most one message.
// Any number of processes may run one of these; the lease of the row sees to it that one of them works.

import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import type { OperatorDeps } from './actions.ts'
import {
  type Broadcast,
  claimBroadcast,
  handBack,
  keep,
  moveOn,
  nextRecipients,
  type Recipient,
} from './broadcasts.ts'

/** What became of one copy. */
export type Copied =
  | 'sent'
  /** They blocked the bot, or are gone. */
  | 'unreachable'
  /** The message that is to be copied is gone or can not be copied. */
  | 'no-source'
  | { readonly again: 'later'; readonly afterMs?: number }

export interface BroadcastDeps extends OperatorDeps {
  readonly ids: Ids
  readonly log: Log
  copy(broadcast: Broadcast, to: number): Promise<Copied>
  /** It is over: done, or stopped because its message is gone. */
  ended(broadcast: Broadcast): Promise<void>
}

/** Stopped, it finishes the message under way. */
export type Broadcaster = Loop

/** About 25 a second; Telegram allows 30. */
const paceMs = 40
const batchSize = 100
const idleMs = 20_000
/** When Telegram or the network fails: longer each time. */
const pausesMs = [1000, 5000, 15_000, 30_000]

export const createBroadcaster = (deps: BroadcastDeps): Broadcaster =>
  createLoop(deps, {
    pass: (stopping) => pass(deps, stopping),
    idleMs,
    failed: 'broadcast interrupted',
  })

/** @returns false when there was nothing to send */
async function pass(deps: BroadcastDeps, stopping: AbortSignal): Promise<boolean> {
  const claimed = await claimBroadcast(deps)
  if (!claimed) return false
  let held: Broadcast | undefined = claimed
  while (held && held.state === 'running' && !stopping.aborted) {
    const recipients = await nextRecipients(deps.db, held.lastUserId, batchSize)
    if (recipients.length === 0) {
      await end(deps, held, 'done')
      return true
    }
    held = await sendBatch(deps, held, recipients, stopping)
  }
  if (held) await handBack(deps, held)
  return true
}

/** @returns the row as it is after it; undefined when it is no longer ours */
async function sendBatch(
  deps: BroadcastDeps,
  claimed: Broadcast,
  recipients: readonly Recipient[],
  stopping: AbortSignal,
): Promise<Broadcast | undefined> {
  let held: Broadcast | undefined = claimed
  for (const { userId, telegramId } of recipients) {
    if (held?.state !== 'running' || stopping.aborted) return held
    const startedAt = deps.clock.now().getTime()
    const copied = await copyOne(deps, held, telegramId, stopping)
    if (typeof copied !== 'string') return copied
    if (copied === 'no-source') return void (await end(deps, held, 'stopped'))
    held = await moveOn(deps, held, userId, copied === 'sent' ? 'sent' : 'failed')
    const spent = deps.clock.now().getTime() - startedAt
    if (spent < paceMs) await deps.clock.wait(paceMs - spent, stopping)
  }
  return held
}

/** Tries until there is an outcome; the row when there can be none now, undefined when it is no longer ours. */
async function copyOne(
  deps: BroadcastDeps,
  held: Broadcast,
  to: number,
  stopping: AbortSignal,
): Promise<Exclude<Copied, object> | Broadcast | undefined> {
  for (let tries = 0; ; tries += 1) {
    const copied = await deps.copy(held, to)
    if (typeof copied === 'string') return copied
    const pauseMs = copied.afterMs ?? pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0
    const kept = await keep(deps, held, pauseMs)
    if (kept?.state !== 'running') return kept
    await deps.clock.wait(pauseMs, stopping)
    if (stopping.aborted) return kept
  }
}

async function end(deps: BroadcastDeps, held: Broadcast, state: 'done' | 'stopped'): Promise<void> {
  const ended = await handBack(deps, held, state)
  // It was paused in the same moment.
  if (!ended) return void (await handBack(deps, held))
  const { id, sent, failed } = ended
  deps.log.info({ broadcast: id, state, sent, failed }, 'broadcast ended')
  await deps.ended(ended)
}

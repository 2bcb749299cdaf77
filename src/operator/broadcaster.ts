// Sends broadcasts, one user after the other. The cursor is written after each user, so a crash repeats at most one message. Any number of
// processes may run this: only the process with the lease of a broadcast sends it.

import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { createQueueWorker } from '../runtime/queue-worker.ts'
import type { OperatorDeps } from './actions.ts'
import {
  type Broadcast,
  broadcastLeases,
  claimBroadcasts,
  moveCursor,
  nextRecipients,
  type Recipient,
  releaseBroadcast,
  rereadHeld,
} from './broadcasts.ts'

/** The outcome of one copy. */
export type Copied =
  | 'sent'
  /** The user blocked the bot, or their account is gone. */
  | 'unreachable'
  /** The message to copy is gone or cannot be copied. */
  | 'no-source'
  | { readonly again: 'later'; readonly afterMs?: number }

interface BroadcastDeps extends OperatorDeps {
  readonly ids: Ids
  readonly log: Log
  copy(broadcast: Broadcast, to: number): Promise<Copied>
  /** Called when the broadcast is done, or was stopped because its message is gone. */
  ended(broadcast: Broadcast): Promise<void>
}

/** About 25 messages a second; Telegram allows 30. */
const paceMs = 40
const batchSize = 100
/** The pauses between attempts while Telegram or the network fails. */
const pausesMs = [1000, 5000, 15_000, 30_000]

/** A broadcaster that is stopped finishes the message being sent. */
export function createBroadcaster(deps: BroadcastDeps): Loop {
  const stopping = new AbortController()
  const worker = createQueueWorker<Broadcast>(
    deps,
    {
      ...broadcastLeases(deps.db),
      claim: (claim) => claimBroadcasts(deps.db, claim),
      work: (claimed) => send(deps, claimed, stopping.signal),
    },
    { slots: 1, failed: 'broadcast interrupted' },
  )
  return {
    ...worker,
    stop() {
      stopping.abort('stopped')
      return worker.stop()
    },
  }
}

async function send(deps: BroadcastDeps, claimed: Broadcast, stopping: AbortSignal): Promise<void> {
  let held: Broadcast | undefined = claimed
  while (held && held.state === 'running' && !stopping.aborted) {
    const recipients = await nextRecipients(deps.db, held.lastUserId, batchSize)
    if (recipients.length === 0) return end(deps, held, 'done')
    held = await sendBatch(deps, held, recipients, stopping)
  }
  if (held) await releaseBroadcast(deps, held)
}

/** @returns the row after the batch; undefined when this process no longer holds it */
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
    held = await moveCursor(deps.db, held, userId, copied === 'sent' ? 'sent' : 'failed')
    const spentMs = deps.clock.now().getTime() - startedAt
    if (spentMs < paceMs) await deps.clock.wait(paceMs - spentMs, stopping)
  }
  return held
}

/** Repeats the copy until it has an outcome. Returns the row when the broadcast must not go on, undefined when its lease was lost. */
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
    await deps.clock.wait(pauseMs, stopping)
    const current = await rereadHeld(deps.db, held)
    if (current?.state !== 'running' || stopping.aborted) return current
  }
}

async function end(deps: BroadcastDeps, held: Broadcast, state: 'done' | 'stopped'): Promise<void> {
  const ended = await releaseBroadcast(deps, held, state)
  // An operator has paused the broadcast in the meantime.
  if (!ended) return void (await releaseBroadcast(deps, held))
  const { id, sent, failed } = ended
  deps.log.info({ broadcast: id, state, sent, failed }, 'broadcast ended')
  await deps.ended(ended)
}

// Requests that a double sends to the app on its own, callbacks and notifications: repeated until the answer is 200, and changed by scripted
// faults. A double waits for all of them before it closes.

import type { Clock } from '../runtime/clock.ts'
import type { Fault, Faults } from './faults.ts'

/** @param name of the double, for its log */
export function createBackground(name: string) {
  const pending = new Set<Promise<void>>()
  return {
    add(work: Promise<void>) {
      const watched = work
        .catch((error) => void process.stderr.write(`sandbox ${name} failed: ${String(error)}\n`))
        .finally(() => pending.delete(watched))
      pending.add(watched)
    },
    /** Resolves when no work is left. */
    async done() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

export interface NoticeDeps {
  readonly clock: Clock
  readonly faults: Faults
  readonly closing: AbortSignal
}

const timeoutMs = 5000
const attempts = 4
const lateMs = 60_000

/**
 * Sends JSON in a POST, with up to three retries. A fault loses it (`cut`, `error`), sends it twice (`twice`) or late (`hang`), or replaces it
 * (`garbage`).
 *
 * @param fault the scripted fault of this notice; a kind that is not listed above is carried out by the caller
 * @param proofOf headers that prove the body
 */
export async function notify(
  deps: NoticeDeps,
  url: string,
  notice: object,
  fault: Fault | undefined,
  pauseMs: number,
  proofOf?: (body: string) => Readonly<Record<string, string>>,
): Promise<void> {
  if (fault?.kind === 'cut' || fault?.kind === 'error') return
  if (fault?.kind === 'hang') await deps.clock.wait(fault.ms ?? lateMs, deps.closing)
  const body = fault?.kind === 'garbage' ? (fault.body ?? '<html>{"id": ') : JSON.stringify(notice)
  const sent = { body, headers: { 'content-type': 'application/json', ...proofOf?.(body) } }
  for (let copies = fault?.kind === 'twice' ? 2 : 1; copies > 0; copies -= 1)
    await sendUntilAccepted(deps, url, sent, pauseMs)
}

async function sendUntilAccepted(deps: NoticeDeps, url: string, sent: RequestInit, pauseMs: number) {
  for (let left = attempts; left > 0 && !deps.closing.aborted; left -= 1) {
    if (await isAccepted(deps, url, sent)) return
    if (left > 1) await deps.clock.wait(pauseMs, deps.closing)
  }
}

/** Whether the answer is 200. */
async function isAccepted({ clock, closing }: NoticeDeps, url: string, sent: RequestInit): Promise<boolean> {
  const answered = new AbortController()
  const late = new AbortController()
  void clock.wait(timeoutMs, answered.signal).then(() => late.abort())
  try {
    const signal = AbortSignal.any([closing, late.signal])
    const response = await fetch(url, { ...sent, method: 'POST', redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  } finally {
    answered.abort()
  }
}

// Requests that a double sends to the app on its own, callbacks and notifications: repeated until the answer is 200, and changed by scripted
// faults. A double waits for all of them before it closes.

import type { Clock } from '../runtime/clock.ts'
import type { Fault, Faults } from './faults.ts'

interface Background {
  add(work: Promise<void>): void
  /** Resolves when no work is left. */
  done(): Promise<void>
}

/** @param name of the double, for its log */
export function createBackground(name: string): Background {
  const pending = new Set<Promise<void>>()
  return {
    add(work: Promise<void>) {
      const watched = work
        .catch((error) => void process.stderr.write(`sandbox ${name} failed: ${String(error)}\n`))
        .finally(() => pending.delete(watched))
      pending.add(watched)
    },
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

interface Notice {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const timeoutMs = 5000
const attempts = 4
const lateMs = 60_000

export const jsonNotice = (url: string, body: string): Notice => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})

/**
 * Sends a notice, with up to three retries. A fault loses it (`cut`, `error`), sends it twice (`twice`) or late (`hang`), or replaces its body
 * (`garbage`).
 *
 * @param fault the scripted fault of this notice; a kind that is not listed above is carried out by the caller
 */
export async function notify(
  deps: NoticeDeps,
  usual: Notice,
  fault: Fault | undefined,
  pauseMs: number,
): Promise<void> {
  if (fault?.kind === 'cut' || fault?.kind === 'error') return
  if (fault?.kind === 'hang') await deps.clock.wait(fault.ms ?? lateMs, deps.closing)
  const notice = fault?.kind === 'garbage' ? { ...usual, body: fault.body ?? '<html>{"id": ' } : usual
  for (let left = fault?.kind === 'twice' ? 2 : 1; left > 0; left -= 1) {
    await sendUntilAccepted(deps, notice, pauseMs)
  }
}

async function sendUntilAccepted(deps: NoticeDeps, notice: Notice, pauseMs: number): Promise<void> {
  for (let left = attempts; left > 0 && !deps.closing.aborted; left -= 1) {
    if (await send(deps, notice)) return
    if (left > 1) await deps.clock.wait(pauseMs, deps.closing)
  }
}

/** @returns whether the answer is 200 */
async function send({ clock, closing }: NoticeDeps, { url, ...init }: Notice): Promise<boolean> {
  const answered = new AbortController()
  const late = new AbortController()
  void clock.wait(timeoutMs, answered.signal).then(() => late.abort())
  try {
    const signal = AbortSignal.any([closing, late.signal])
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  } finally {
    answered.abort()
  }
}

// A process that was suspended (SIGSTOP, a paused machine) continues in the middle of its work, which another process may have done
// meanwhile. It must not send outdated messages: an earlier card would follow a later one.

import { AsyncLocalStorage } from 'node:async_hooks'

/** The lease under which the work was begun has expired. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const current = new AsyncLocalStorage<() => boolean>()

/** Runs `work`; once its lease is lost, `assertLease` throws in it and in all that it has started. */
export const unlessLost = <T>(isLost: () => boolean, work: () => T): T => current.run(isLost, work)

/** @throws LeaseLost */
export function assertLease(): void {
  if (current.getStore()?.()) throw new LeaseLost('the lease has expired, another process may do the same')
}

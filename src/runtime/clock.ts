// Time is passed in as a Clock, so that tests and the sandbox can control it.

export interface Clock {
  now(): Date
  /** Resolves after `ms`, or at once when the signal aborts; it never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** A clock that can be corrected to follow a clock that several processes share. */
export interface AdjustableClock extends Clock {
  /** @param offsetMs how far this clock is behind the shared one; negative when it is ahead */
  adjust(offsetMs: number): void
}

interface TimeSource {
  /** The system's time of day when the process started, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Milliseconds since the start; changes of the system's time of day do not affect it. */
  elapsed(): number
}

const processTime: TimeSource = { startedAt: performance.timeOrigin, elapsed: () => performance.now() }

/** A monotonic clock: leases and deadlines depend on it, so it ignores changes of the system's time of day. */
export function createSteadyClock(source: TimeSource = processTime): AdjustableClock {
  let offsetMs = 0
  return {
    now: () => new Date(Math.round(source.startedAt + source.elapsed() + offsetMs)),
    wait,
    adjust(change) {
      offsetMs += change
    },
  }
}

/** The system's time of day. */
export const systemClock: Clock = { now: () => new Date(), wait }

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Waits until all promises are fulfilled or rejected. @returns false when `ms` passed before that */
export async function allSettledWithin(
  promises: readonly Promise<unknown>[],
  clock: Clock,
  ms: number,
): Promise<boolean> {
  const timer = new AbortController()
  const settled = Promise.allSettled(promises).then(() => true)
  const timedOut = clock.wait(ms, timer.signal).then(() => false)
  const inTime = await Promise.race([settled, timedOut])
  // An explicit reason: the default one is an Error, and capturing its stack is slow.
  timer.abort('settled')
  return inTime
}

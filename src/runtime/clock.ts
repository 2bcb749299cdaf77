// Time, as everything else receives it: passed in, so that tests and the sandbox can set its pace.

export interface Clock {
  now(): Date
  /** Resolves after `ms`, or at once when the signal aborts; it never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** A clock that can be set by another one, which several processes share. */
export interface AdjustableClock extends Clock {
  /** @param offsetMs how far this clock is behind the shared one; negative when it is ahead */
  adjust(offsetMs: number): void
}

/** The system's time of day when the process started, plus the time that has passed since. */
export interface TimeSource {
  readonly startedAt: number
  /** Milliseconds since then; steps of the system's time of day do not change it. */
  elapsed(): number
}

const processTime: TimeSource = { startedAt: performance.timeOrigin, elapsed: () => performance.now() }

/** Leases and deadlines are kept by it, so it does not follow the time of day when that is set anew while the process runs. */
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

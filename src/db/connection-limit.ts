// Limits the number of concurrent statements to the number of connections that the server gives this process. When all connections are
// busy, the driver opens another one; when the server refuses it ("too many connections"), the driver fails the statement, although a
// connection will soon be free.

import type { Clock } from '../runtime/clock.ts'
import type { Around } from './around-statements.ts'

/** The connections of a process, without the one that listens for notifications. */
export const usualConnections = 10

/** The time after which a connection is tried again that the server refused. */
export const refusedMs = 5000

interface Places {
  /** @returns undefined when a place is free */
  take(): Promise<void> | undefined
  release(): void
  /** Lowers the limit after the server refused a connection. @returns false when this process has no connection at all */
  shrink(): boolean
}

function createPlaces(most: number, clock: Pick<Clock, 'wait'>): Places {
  const waiting: (() => void)[] = []
  let size = most
  let taken = 0
  let isGrowing = false

  const admit = () => {
    while (taken < size && waiting.length > 0) {
      taken += 1
      waiting.shift()?.()
    }
  }
  const grow = async () => {
    isGrowing = true
    while (size < most) {
      await clock.wait(refusedMs)
      size += 1
      admit()
    }
    isGrowing = false
  }
  return {
    take() {
      if (taken >= size) return new Promise<void>((resolve) => waiting.push(resolve))
      taken += 1
      return undefined
    },
    release() {
      taken -= 1
      admit()
    },
    shrink() {
      const isNone = size === 1
      // The refused statement itself has no connection.
      size = Math.max(1, Math.min(size, taken - 1))
      if (!isGrowing) void grow()
      return !isNone
    },
  }
}

/** Whether the server had no connection for a statement, which was not sent. */
export const isRefusedConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53300'

/**
 * Limits the statements of a client. A statement whose connection was refused was not sent, so it is repeated.
 * @param most the connections of its pool
 */
export function connectionLimit(most: number, clock: Pick<Clock, 'wait'>): Around {
  const places = createPlaces(most, clock)
  return async (execute) => {
    for (;;) {
      const turn = places.take()
      if (turn) await turn
      try {
        return await execute()
      } catch (error) {
        if (!isRefusedConnection(error) || !places.shrink()) throw error
      } finally {
        places.release()
      }
    }
  }
}

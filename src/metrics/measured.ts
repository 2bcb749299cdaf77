// A proxy that measures the calls of a client without changing it.

import type { Clock } from '../runtime/clock.ts'

/** Called at the end of each measured call. @param error undefined when the call succeeded */
export type Ended = (operation: string, error: unknown, elapsedMs: number) => void

/** Measures methods that return a promise or a stream, by their name; other results are returned unchanged. */
export function measured<T extends object>(target: T, clock: Clock, ended: Ended): T {
  return new Proxy(target, {
    get(from, name) {
      const method: unknown = Reflect.get(from, name)
      if (typeof method !== 'function' || typeof name !== 'string' || name === 'close') return method
      return (...given: unknown[]): unknown => {
        const startedAt = clock.now().getTime()
        const report = (error?: unknown) => ended(name, error, clock.now().getTime() - startedAt)
        const result: unknown = Reflect.apply(method, from, given)
        if (result instanceof Promise) return measuredPromise(result, report)
        return isStream(result) ? measuredStream(result, report) : result
      }
    },
  })
}

type Report = (error?: unknown) => void

async function measuredPromise(result: Promise<unknown>, report: Report): Promise<unknown> {
  try {
    const value = await result
    report()
    return value
  } catch (error) {
    report(error)
    throw error
  }
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** A reader that stops early counts as success. */
async function* measuredStream(stream: AsyncIterable<unknown>, report: Report): AsyncGenerator<unknown> {
  let failure: unknown
  try {
    yield* stream
  } catch (error) {
    failure = error
    throw error
  } finally {
    report(failure)
  }
}

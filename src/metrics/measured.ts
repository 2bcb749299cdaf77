// Anything whose methods ask the outside, measured from the outside: it stays what it is, and each call is told of when it ends.

import type { Clock } from '../runtime/clock.ts'

/** @param error undefined when it did well */
export type Ended = (operation: string, error: unknown, elapsedMs: number) => void

/** Promises and streams are told of by the name of their method; whatever else a method returns is left alone. */
export function measured<T extends object>(target: T, clock: Clock, ended: Ended): T {
  return new Proxy(target, {
    get(from, name) {
      const method: unknown = Reflect.get(from, name)
      if (typeof method !== 'function' || typeof name !== 'string' || name === 'close') return method
      return (...given: unknown[]): unknown => {
        const startedAt = clock.now().getTime()
        const tell = (error?: unknown) => ended(name, error, clock.now().getTime() - startedAt)
        const result: unknown = Reflect.apply(method, from, given)
        if (result instanceof Promise) return watched(result, tell)
        return isStream(result) ? streamed(result, tell) : result
      }
    },
  })
}

type Tell = (error?: unknown) => void

async function watched(result: Promise<unknown>, tell: Tell): Promise<unknown> {
  try {
    const value = await result
    tell()
    return value
  } catch (error) {
    tell(error)
    throw error
  }
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** Whoever stops reading early has had what they wanted. */
async function* streamed(stream: AsyncIterable<unknown>, tell: Tell): AsyncGenerator<unknown> {
  let failure: unknown
  try {
    yield* stream
  } catch (error) {
    failure = error
    throw error
  } finally {
    tell(failure)
  }
}

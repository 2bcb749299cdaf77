// A cache: a value is read again when it is older than its time.

import type { Clock } from './clock.ts'

type Remembered<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>

/** @param freshMs how long a value is used before it is read again */
export function createRemembered<Value>(
  clock: Pick<Clock, 'now'>,
  freshMs: (value: Value) => number,
): Remembered<Value> {
  const known = new Map<string, { readonly value: Value; readonly readAt: number }>()
  return async (key, read) => {
    const now = clock.now().getTime()
    const before = known.get(key)
    if (before && now - before.readAt < freshMs(before.value)) return before.value
    const value = await read()
    known.set(key, { value, readAt: now })
    return value
  }
}

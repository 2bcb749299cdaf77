// Combines reads: one runs at a time, and the next one answers all calls that came meanwhile.

/**
 * @param read reads the values of some keys, each given once
 * @returns a function that reads the value of one key; undefined when the read has none for it
 */
export function batchReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let waiting = new Set<Key>()
  let next: Promise<ReadonlyMap<Key, Value>> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const begin = () => {
    const begun = last.then(() => {
      const keys = waiting
      waiting = new Set()
      next = undefined
      return read([...keys])
    })
    last = begun.catch(() => undefined)
    return begun
  }

  return async (key) => {
    waiting.add(key)
    next ??= begin()
    return (await next).get(key)
  }
}

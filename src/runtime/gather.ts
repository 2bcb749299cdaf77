// Gathers items that come shortly after one another, or while others are written, and writes them together.

import type { Clock } from './clock.ts'

interface Batch<Item> {
  readonly items: Item[]
  readonly written: Promise<void>
}

/**
 * @param ms how long the first item of a batch waits for others
 * @param write called with one batch at a time; it must not take forever
 * @returns a function that adds an item and settles together with the write of its batch
 */
export function gather<Item>(
  clock: Clock,
  ms: number,
  write: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let open: Batch<Item> | undefined
  let last: Promise<unknown> = Promise.resolve()

  const begin = (): Batch<Item> => {
    const items: Item[] = []
    const close = () => {
      open = undefined
      return write(items)
    }
    const written = Promise.all([clock.wait(ms), last]).then(close)
    last = written.catch(() => undefined)
    return { items, written }
  }

  return (item) => {
    open ??= begin()
    open.items.push(item)
    return open.written
  }
}

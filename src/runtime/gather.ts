// Gathers items that come shortly after one another, or while others are written, and writes them together.

import type { Clock } from './clock.ts'

interface Batch<Item> {
  readonly items: Item[]
  readonly written: Promise<void>
}

interface Pace {
  /** How long a batch stays open for further items after its first one. */
  readonly ms: number
  /** How long a batch waits at most until the previous one is written, since that write may hang. */
  readonly mostMs: number
}

/**
 * @param write called with each batch, usually after the end of the previous one: under load the batches grow
 * @returns a function that adds an item and settles together with the write of its batch
 */
export function gather<Item>(
  clock: Clock,
  { ms, mostMs }: Pace,
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
    const before = Promise.race([last, clock.wait(mostMs)])
    const written = Promise.all([clock.wait(ms), before]).then(close)
    last = written.catch(() => undefined)
    return { items, written }
  }

  return (item) => {
    open ??= begin()
    open.items.push(item)
    return open.written
  }
}

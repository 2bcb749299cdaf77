// Gathers items that come shortly after one another and writes them together.

import type { Clock } from './clock.ts'

interface Batch<Item> {
  readonly items: Item[]
  readonly written: Promise<void>
}

/**
 * @param ms how long the first item of a batch waits for others
 * @param write called with each batch; a batch may be written before the previous one is done
 * @returns a function that adds an item and settles together with the write of its batch
 */
export function gather<Item>(
  clock: Clock,
  ms: number,
  write: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let open: Batch<Item> | undefined

  const begin = (): Batch<Item> => {
    const items: Item[] = []
    const close = () => {
      open = undefined
      return write(items)
    }
    return { items, written: clock.wait(ms).then(close) }
  }

  return (item) => {
    open ??= begin()
    open.items.push(item)
    return open.written
  }
}

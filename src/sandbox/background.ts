// Work that no request waits for, such as callbacks; a double waits for all of it before it closes.

interface Background {
  add(work: Promise<void>): void
  /** Resolves when no work is left. */
  done(): Promise<void>
}

/** @param name of the double, for its log */
export function createBackground(name: string): Background {
  const pending = new Set<Promise<void>>()
  return {
    add(work: Promise<void>) {
      const watched = work
        .catch((error) => void process.stderr.write(`sandbox ${name} failed: ${String(error)}\n`))
        .finally(() => pending.delete(watched))
      pending.add(watched)
    },
    async done() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

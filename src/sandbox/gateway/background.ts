// Work that no request waits for; it is waited for at the end.

export interface Background {
  add(work: Promise<void>): void
  done(): Promise<void>
}

export function createBackground(): Background {
  const pending = new Set<Promise<void>>()
  return {
    add(work: Promise<void>) {
      const watched = work
        .catch((error) => void process.stderr.write(`sandbox gateway failed: ${String(error)}\n`))
        .finally(() => pending.delete(watched))
      pending.add(watched)
    },
    async done() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

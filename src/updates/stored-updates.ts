// The updates that this process has stored: its next claim looks for them, and those that it does not get are left to other processes.

import type { Update } from 'grammy/types'
import type { ClaimedUpdate } from './claim.ts'

interface StoredUpdates {
  /** @returns false when all of them are in progress, since a claim that was under way has found them */
  add(fresh: readonly Update[]): boolean
  /** Makes a claim that looks for the stored updates. */
  claim(claiming: () => Promise<ClaimedUpdate[]>): Promise<ClaimedUpdate[]>
  ended(id: number): void
  leaveToOthers(): void
}

/** @param tellOthers tells the other processes that updates are waiting */
export function createStoredUpdates(tellOthers: () => void): StoredUpdates {
  /** The ids that the next claim looks for. */
  let stored: number[] = []
  const inProgress = new Set<number>()
  const isLeft = (id: number) => !inProgress.has(id)

  const take = () => {
    const taken = stored
    stored = []
    return taken
  }
  const leave = (ids: readonly number[]) => {
    if (ids.some(isLeft)) tellOthers()
  }

  return {
    add(fresh) {
      const left = fresh.map(({ update_id: id }) => id).filter(isLeft)
      stored.push(...left)
      return left.length > 0
    },
    async claim(claiming) {
      const looked = take()
      try {
        const claimed = await claiming()
        for (const { id } of claimed) inProgress.add(id)
        return claimed
      } finally {
        leave(looked)
      }
    },
    ended: (id) => void inProgress.delete(id),
    leaveToOthers: () => leave(take()),
  }
}

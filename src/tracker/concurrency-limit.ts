// How many requests of one sort may be under way at the gateway: halved whenever it can not be reached, grown again by its
// answers, about one place for each round of them. So nobody storms a gateway that has just come back.

export interface Window {
  places(): number
  grow(): void
  halve(): void
  /** One goes first. */
  shut(): void
}

export function createWindow(most = 32): Window {
  let size = most
  return {
    places: () => Math.floor(size),
    grow() {
      size = Math.min(most, size + 1 / size)
    },
    halve() {
      size = Math.max(1, size / 2)
    },
    shut() {
      size = 1
    },
  }
}

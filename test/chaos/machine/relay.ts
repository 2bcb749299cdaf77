// What stands between the processes and the database: connections that are cut in the middle of a statement, and words that
// come late.

import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listening } from './listening.ts'

export interface Relay {
  readonly port: number
  /** Cuts those connections. */
  cut(isHit: () => boolean): void
  /** For a while nothing goes through those connections; then all that was said comes at once. */
  stall(ms: number, isHit: () => boolean): void
  close(): Promise<void>
}

interface Link {
  readonly near: Socket
  readonly far: Socket
  /** Nothing passes before this moment. */
  stalledUntil: number
}

/** @param lateMs how long anything said is on its way */
export async function createRelay(host: string, port: number, lateMs: number): Promise<Relay> {
  const links = new Set<Link>()
  const hit = (isHit: () => boolean) => [...links].filter(isHit)
  const server = createServer((near) => {
    const link: Link = { near, far: connect(port, host), stalledUntil: 0 }
    links.add(link)
    join(link, lateMs, () => links.delete(link))
  })
  const own = await listening(server)
  return {
    port: own,
    cut(isHit) {
      for (const { near, far } of hit(isHit)) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    stall(ms, isHit) {
      for (const link of hit(isHit)) link.stalledUntil = performance.now() + ms
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const { near } of links) near.destroy()
      }),
  }
}

function join(link: Link, lateMs: number, ended: () => void): void {
  const { near, far } = link
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true)
    const pass = passing(link, lateMs, to)
    from.on('data', pass)
    from.on('error', () => undefined)
    from.once('close', () => {
      to.destroy()
      ended()
    })
  }
}

/** In order, each when its time has come. */
function passing(link: Link, lateMs: number, to: Socket): (said: Buffer) => void {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  const wait = async (said: Buffer, since: number, before: Promise<void>) => {
    await before
    const left = Math.max(since + lateMs, link.stalledUntil) - performance.now()
    if (left > 0) await sleep(left)
    to.write(said)
    waiting -= 1
  }
  return (said) => {
    const now = performance.now()
    if (waiting === 0 && lateMs === 0 && link.stalledUntil <= now) return void to.write(said)
    waiting += 1
    last = wait(said, now, last)
  }
}

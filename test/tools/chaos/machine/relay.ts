// A TCP relay between the processes and the database. It can cut connections in the middle of a statement and delay data.

import { connect, createServer, type Socket } from 'node:net'
import type { Clock } from '../../../../src/runtime/clock.ts'
import { listening } from './listening.ts'

export interface Relay {
  readonly port: number
  /** Cuts the chosen connections. */
  cut(isHit: () => boolean): void
  /** Holds back all data of the chosen connections, then passes it on at once. */
  stall(ms: number, isHit: () => boolean): void
  close(): Promise<void>
}

interface Link {
  readonly near: Socket
  readonly far: Socket
  /** No data passes before this time. */
  stalledUntil: number
}

interface Delay {
  /** The delay of each packet. */
  readonly lateMs: number
  readonly clock: Clock
}

export async function createRelay(host: string, port: number, delay: Delay): Promise<Relay> {
  const { clock } = delay
  const links = new Set<Link>()
  const hit = (isHit: () => boolean) => [...links].filter(isHit)
  const server = createServer((near) => {
    const link: Link = { near, far: connect(port, host), stalledUntil: 0 }
    links.add(link)
    join(link, delay, () => links.delete(link))
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
      for (const link of hit(isHit)) link.stalledUntil = clock.now().getTime() + ms
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const { near } of links) near.destroy()
      }),
  }
}

function join(link: Link, delay: Delay, ended: () => void): void {
  const { near, far } = link
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true)
    const pass = passing(link, delay, to)
    from.on('data', pass)
    from.on('error', () => undefined)
    from.once('close', () => {
      to.destroy()
      ended()
    })
  }
}

/** Passes data on in its order, each packet after its delay. */
function passing(link: Link, { lateMs, clock }: Delay, to: Socket): (said: Buffer) => void {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  const wait = async (said: Buffer, since: number, before: Promise<void>) => {
    await before
    const left = Math.max(since + lateMs, link.stalledUntil) - clock.now().getTime()
    if (left > 0) await clock.wait(left)
    to.write(said)
    waiting -= 1
  }
  return (said) => {
    const now = clock.now().getTime()
    if (waiting === 0 && lateMs === 0 && link.stalledUntil <= now) return void to.write(said)
    waiting += 1
    last = wait(said, now, last)
  }
}

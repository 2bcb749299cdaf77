// The relay between the processes and the database, and the load balancer in front of the processes. Both pass on TCP.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '../../../../src/runtime/clock.ts'

/** Starts to listen on 127.0.0.1. @returns the port */
async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'a listening server has a port')
  return address.port
}

export type Relay = Awaited<ReturnType<typeof createRelay>>

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

/** A TCP relay that can cut connections in the middle of a statement and delay data. */
export async function createRelay(host: string, port: number, delay: Delay) {
  const links = new Set<Link>()
  const server = createServer((near) => {
    const link: Link = { near, far: connect(port, host), stalledUntil: 0 }
    links.add(link)
    join(link, delay)
    near.once('close', () => links.delete(link))
  })
  return {
    port: await listening(server),
    cut(isHit: () => boolean) {
      for (const { near } of [...links].filter(isHit)) near.resetAndDestroy()
    },
    /** Holds back all data of the chosen connections, then passes it on at once. */
    stall(ms: number, isHit: () => boolean) {
      const until = delay.clock.now().getTime() + ms
      for (const link of [...links].filter(isHit)) link.stalledUntil = until
    },
    close: () =>
      closed(
        server,
        [...links].map(({ near }) => near),
      ),
  }
}

function closed(server: Server, sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  return new Promise((resolve) => server.close(() => resolve()))
}

function join(link: Link, delay: Delay): void {
  const { near, far } = link
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true)
    from.on('data', passing(link, delay, to))
    from.on('error', () => undefined)
    from.once('close', () => to.destroy())
  }
}

/** Passes data on in its order, each packet after its delay. */
function passing(link: Link, { lateMs, clock }: Delay, to: Socket): (said: Buffer) => void {
  let last: Promise<void> = Promise.resolve()
  const wait = async (said: Buffer, since: number, before: Promise<void>) => {
    await before
    const left = Math.max(since + lateMs, link.stalledUntil) - clock.now().getTime()
    if (left > 0) await clock.wait(left)
    to.write(said)
  }
  return (said) => {
    last = wait(said, clock.now().getTime(), last)
  }
}

/** Connections go in turn to the ports. They are refused where no process listens, and end with their process. */
export async function createBalancer(ports: readonly number[]) {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((near) => {
    const far = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
    sockets.add(near)
    near.pipe(far).pipe(near)
    near.on('error', () => undefined).once('close', () => far.destroy() && sockets.delete(near))
    far.on('error', () => undefined).once('close', () => near.destroy())
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, close: () => closed(server, sockets) }
}

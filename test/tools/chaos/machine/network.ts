// Ports, the relay between the processes and the database, and the load balancer in front of the processes.

import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import type { Clock } from '../../../../src/runtime/clock.ts'
import { startServer } from '../../../support/runtime/server.ts'

/** Starts to listen on 127.0.0.1. @param wanted the port; 0 takes any free one @returns the port */
async function listening(server: Server, wanted = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'a listening server has a port')
  return address.port
}

/** Ports below the ephemeral range, so that no outgoing connection takes the port of a process that is down. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  // Runs that begin at the same time have neighbouring process ids; 16 ports are left between two of them.
  for (let port = 10_000 + ((process.pid * 16) % 20_000); found.length < count; port += 1) {
    const server = createServer()
    const isFree = await listening(server, port).catch(() => undefined)
    if (isFree === undefined) continue
    await new Promise((resolve) => server.close(resolve))
    found.push(port)
  }
  return found
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
    join(link, delay, () => links.delete(link))
  })
  return {
    port: await listening(server),
    cut(isHit: () => boolean) {
      for (const { near, far } of [...links].filter(isHit)) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    /** Holds back all data of the chosen connections, then passes it on at once. */
    stall(ms: number, isHit: () => boolean) {
      const until = delay.clock.now().getTime() + ms
      for (const link of [...links].filter(isHit)) link.stalledUntil = until
    },
    close: () =>
      new Promise<void>((resolve) => {
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
    from.on('data', passing(link, delay, to))
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

interface Target {
  readonly port: number
  isUp(): boolean
}

/** Requests go in turn to the processes that are up. The requests of a process that dies are lost; when none is up the response is 502. */
export async function createBalancer() {
  const dispatcher = new Agent()
  let targets: readonly Target[] = []
  let turn = 0
  const { url, close } = await startServer(async (req, res) => {
    const up = targets.filter((target) => target.isUp())
    turn += 1
    const target = up[turn % up.length]
    const body = await buffer(req)
    const answer = target && (await pass(dispatcher, target, req, body).catch(() => undefined))
    res.writeHead(answer?.statusCode ?? 502).end(answer?.text)
  })
  return {
    url,
    /** Replaces the processes to which requests are forwarded. */
    lead(to: readonly Target[]) {
      targets = to
    },
    async close() {
      await dispatcher.destroy()
      await close()
    },
  }
}

const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect']

async function pass(
  dispatcher: Agent,
  { port }: Target,
  { method = 'POST', url, headers: given }: IncomingMessage,
  body: Buffer,
) {
  const headers = Object.fromEntries(Object.entries(given).filter(([name]) => !hopByHop.includes(name)))
  const options = { dispatcher, method, headers, ...(body.length > 0 && { body }) }
  const answer = await request(`http://127.0.0.1:${port}${url}`, options)
  return { statusCode: answer.statusCode, text: await answer.body.text() }
}

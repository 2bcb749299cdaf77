// Ports: starts servers, and finds free ports for processes.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'

/** Starts to listen on 127.0.0.1. @param wanted the port; 0 takes any free one @returns the port */
export async function listening(server: Server, wanted = 0): Promise<number> {
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

// Ports: the one of a listening server, and free ones for processes.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'

/** @param wanted 0 takes any free port. @returns the port */
export async function listening(server: Server, wanted = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'a listening server has a port')
  return address.port
}

/** Below the ephemeral range, so that no outgoing connection takes the port of a process that is down. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  // Processes of runs that begin at the same time have neighbouring ids.
  for (let port = 10_000 + ((process.pid * 16) % 20_000); found.length < count; port += 1) {
    const server = createServer()
    const isFree = await listening(server, port).catch(() => undefined)
    if (isFree === undefined) continue
    await new Promise((resolve) => server.close(resolve))
    found.push(port)
  }
  return found
}

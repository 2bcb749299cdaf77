// An HTTP server on a free port of this machine, in place of a service on the network; and free ports for programs.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'

/** Free ports below the ephemeral range, so that no outgoing connection uses the port of a process that is down. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  // Runs that begin at the same time have neighbouring process ids; 16 ports are left between two of them.
  for (let port = 10_000 + ((process.pid * 16) % 20_000); found.length < count; port += 1) {
    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) found.push(port)
    await new Promise((closed) => server.close(closed))
  }
  return found
}

export async function startServer(answer: RequestListener, options: ServerOptions = {}) {
  const server = createServer(options, answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(typeof address === 'object' && address, 'a listening server has a port')
  return {
    server,
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

// An HTTP server on a free port of this machine, in place of a service on the network.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'

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

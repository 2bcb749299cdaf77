// A TCP relay between the app and the database that fails on demand.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Starts the relay. While it is cutting, it closes each connection at its first query. */
export async function openRelay(url: URL) {
  let isCutting = false
  let isSilent = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(url.port || 5432), url.hostname)
    for (const socket of [client, database]) sockets.add(socket.on('error', () => undefined))
    let heard = 0
    client.on('data', (chunk) => {
      heard += 1
      // The first message of a connection is the startup message, which is passed on.
      if (isCutting && heard > 1) client.resetAndDestroy()
      else database.write(chunk)
    })
    database.on('data', (chunk) => isSilent || client.write(chunk))
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    cutAll() {
      isCutting = true
      for (const socket of sockets) socket.destroy()
    },
    /** From now on queries are executed, but their responses are dropped. */
    fallSilent() {
      isSilent = true
    },
    heal() {
      isCutting = false
      isSilent = false
    },
    close: () => server.close(),
  }
}

// A TCP relay in front of PostgreSQL that counts the statements of any number of processes.

import { connect, createServer, type Socket } from 'node:net'
import { listening } from '../../chaos/machine/listening.ts'
import type { BenchDatabase } from '../machine/server.ts'
import type { Tally } from './tally.ts'
import { createStatementReader } from './wire.ts'

/** Starts the relay. @returns the database at the relay's address */
export async function countStatements(database: BenchDatabase, tally: Tally): Promise<BenchDatabase> {
  const url = new URL(database.url)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(Number(url.port || 5432), url.hostname)
    for (const socket of [client, target]) sockets.add(socket.on('error', () => undefined).setNoDelay())
    const read = createStatementReader(tally.add)
    client.on('data', read).pipe(target)
    target.pipe(client)
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  const port = await listening(server)
  return {
    ...database,
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await database.close()
    },
  }
}

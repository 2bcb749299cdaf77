// A TCP relay in front of PostgreSQL that counts the statements of any number of processes. It reads what clients send: frontend messages
// of protocol 3, without TLS.

import { connect, createServer, type Socket } from 'node:net'
import { listening } from '../../chaos/machine/listening.ts'
import type { Tally } from './tally.ts'

export interface Relay {
  /** The address of the database behind the relay. */
  readonly url: string
  close(): void
}

export async function countStatements(database: string, tally: Tally): Promise<Relay> {
  const url = new URL(database)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(Number(url.port || 5432), url.hostname)
    for (const socket of [client, target]) sockets.add(socket.on('error', () => undefined).setNoDelay())
    client.on('data', createStatementReader(tally.add)).pipe(target)
    target.pipe(client)
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  const port = await listening(server)
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

interface Message {
  /** The letter of the message type; empty for the first message of a connection, which has no type. */
  readonly type: string
  readonly body: Buffer
  readonly length: number
}

/** @returns a function that takes the data sent by one connection */
function createStatementReader(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  let rest: Buffer = Buffer.alloc(0)
  let hasBegun = false

  const read = ({ type, body }: Message) => {
    // NUL-terminated strings.
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2)
    if (type === 'Q') onStatement(first)
    // A prepared statement gets its name in Parse and is executed by that name, once for each Bind.
    if (type === 'P') texts.set(first, second)
    if (type === 'B') onStatement(texts.get(second) ?? `unknown statement ${second}`)
  }

  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let next = firstOf(rest, hasBegun); next; next = firstOf(rest, hasBegun)) {
      hasBegun = true
      rest = rest.subarray(next.length)
      read(next)
    }
  }
}

/** The first complete message in the bytes. */
function firstOf(bytes: Buffer, hasBegun: boolean): Message | undefined {
  const start = hasBegun ? 1 : 0
  if (bytes.length < start + 4) return undefined
  const length = start + bytes.readUInt32BE(start)
  if (bytes.length < length) return undefined
  return { type: bytes.toString('latin1', 0, start), body: bytes.subarray(start + 4, length), length }
}

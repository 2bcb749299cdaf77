// The cost of one unit of work in SQL statements and requests: of an update and an order, many at once, and of an idle second. Unlike
// durations, counts are nearly the same on every machine.

import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listening } from '../chaos/machine/network.ts'
import { type BenchWorld, deliveries, launch, openOutside, programs } from './sides.ts'

/**
 * The most statements and requests of an update, an order and an idle second, enforced by bench.long.test.ts. Lower a bound when the app
 * needs less; raise one only for a reason.
 */
export const bounds = {
  update: { statements: 6.5, requests: 1 },
  order: { statements: 19.5, requests: 8.2 },
  'idle second': { statements: 9, requests: 0.1 },
}
export type CountName = keyof typeof bounds

/** Calls by the text of the statement or the method of the request. */
type Calls = ReadonlyMap<string, number>

export interface Count {
  readonly name: CountName
  /** Statements for each unit. */
  readonly statements: Calls
  /** Requests for each unit; polls for updates and callbacks of the gateway are not counted. */
  readonly requests: Calls
}

export const sumOf = (calls: Calls): number => [...calls.values()].reduce((sum, count) => sum + count, 0)

function createTally() {
  let calls = new Map<string, number>()
  return {
    add: (name: string) => void calls.set(name, (calls.get(name) ?? 0) + 1),
    /** Returns and clears the counts since the last call. */
    take(): Calls {
      const taken = calls
      calls = new Map()
      return taken
    },
  }
}

/** The calls of one unit, without those that an idle process makes in the same time. @param idle the calls of an idle second */
const per = (units: number, calls: Calls, idle: Calls = new Map(), seconds = 0): Calls =>
  new Map(
    [...calls].map(([name, count]) => [
      name,
      Math.max(0, count - Math.ceil((idle.get(name) ?? 0) * seconds)) / units,
    ]),
  )

/** Within this time the statements that follow the last message of a unit of work come. */
const quietMs = 250
const idleSeconds = 10

export async function countAll(world: BenchWorld): Promise<readonly Count[]> {
  const [updates, orders] = world.isQuick ? [100, 40] : [200, 100]
  const [statements, requests] = [createTally(), createTally()]
  const outside = await openOutside(world)
  const relay = await countStatements(outside.database, statements.add)
  const { telegram, gateway, people } = outside
  telegram.listen(({ method }) => requests.add(method))
  gateway.listen((method, path) =>
    requests.add(`${method} ${path.replace(/^\/v1\/tasks\/.*/, '/v1/tasks/{id}')}`),
  )
  const app = await launch(world.launcher, { ...outside, database: relay.url }, programs.app)
  const taps = await people.prepareOrders(orders)
  await sleep(2000)
  const count = async (name: CountName, units: number, work: () => Promise<unknown>, idle?: Calls) => {
    statements.take()
    requests.take()
    const begun = performance.now()
    await work()
    const seconds = (performance.now() - begun) / 1000
    return {
      name,
      statements: per(units, statements.take(), idle, seconds),
      requests: per(units, requests.take()),
    }
  }
  const until = async (answers: readonly string[], given: readonly string[]) => {
    const heard = telegram.heard(answers, given.length)
    telegram.give(given)
    await heard
    await sleep(quietMs)
  }
  const idle = await count('idle second', idleSeconds, () => sleep(idleSeconds * 1000))
  const balances = Array.from({ length: updates }, (_, at) => people.says(at % orders, '/balance'))
  const update = await count('update', updates, () => until(['sendMessage'], balances), idle.statements)
  const order = await count('order', orders, () => until(deliveries, taps), idle.statements)
  await app.stop()
  await outside.close()
  relay.close()
  return [update, order, idle]
}

export const reportOf = (counts: readonly Count[]): string =>
  counts
    .map(({ name, statements, requests }) =>
      [
        `${name}: ${sumOf(statements).toFixed(2)} statements (at most ${bounds[name].statements}), ${sumOf(requests).toFixed(2)} requests (at most ${bounds[name].requests})`,
        ...linesOf(statements),
        ...linesOf(requests),
      ].join('\n'),
    )
    .join('\n\n')

const linesOf = (calls: Calls): string[] =>
  [...calls]
    .filter(([, count]) => count >= 0.005)
    .toSorted(([, one], [, other]) => other - one)
    .map(
      ([name, count]) => `  ${count.toFixed(2).padStart(6)}  ${name.replaceAll(/\s+/g, ' ').slice(0, 170)}`,
    )

/** A TCP relay in front of PostgreSQL that reads the statements: frontend messages of protocol 3, without TLS. */
async function countStatements(database: string, onStatement: (text: string) => void) {
  const url = new URL(database)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(Number(url.port || 5432), url.hostname)
    for (const socket of [client, target]) sockets.add(socket.on('error', () => undefined).setNoDelay())
    client.on('data', createReader(onStatement)).pipe(target)
    target.pipe(client)
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  const port = await listening(server)
  return {
    /** The address of the database behind the relay. */
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** @returns a function that takes the data sent by one connection */
function createReader(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  let rest: Buffer = Buffer.alloc(0)
  /** The length of the type of a message; the first message of a connection has none. */
  let typed = 0
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= typed + 4 && rest.length >= typed + rest.readUInt32BE(typed)) {
      const length = typed + rest.readUInt32BE(typed)
      const type = rest.toString('latin1', 0, typed)
      // NUL-terminated strings.
      const [first = '', second = ''] = rest.toString('utf8', typed + 4, length).split('\0', 2)
      if (type === 'Q') onStatement(first)
      // A prepared statement gets its name in Parse and is executed by that name, once for each Bind.
      if (type === 'P') texts.set(first, second)
      if (type === 'B') onStatement(texts.get(second) ?? `unknown statement ${second}`)
      rest = rest.subarray(length)
      typed = 1
    }
  }
}

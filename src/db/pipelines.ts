// Short statements share a few connections: those of the same moment are sent together, and the server answers them one after the other. That
// takes far fewer system calls and process switches than a connection for each. A long statement delays those behind it, so it has to be sent
// over another client.

import assert, { AssertionError } from 'node:assert/strict'
import type { Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'
import { type Around, aroundStatements } from './around-statements.ts'
import { isRefusedConnection, refusedMs } from './connection-limit.ts'

/** A connection that sends further statements before the earlier ones are answered. */
interface Pipeline {
  readonly client: Sql
  /** The number of statements without an answer. */
  waiting: number
  /** When the last answer came, or the first statement after a pause was sent, in milliseconds. */
  movedAt: number
  /** The server had no connection for it a moment ago. */
  isRefused: boolean
}

/** @param around wraps the statements of the connection @returns a client of one connection */
type Open = (around: Around) => Sql

/** A connection is avoided while a statement takes longer than this, in milliseconds: it waits for a lock, say. */
const slowMs = 20

interface Connections {
  readonly open: Open
  /** The most connections. */
  readonly most: number
}

/** The statements are spread evenly over this many connections, so that the server can use several processors. */
const usual = 3

/** The other connections are used when this many statements wait in each of the usual ones: when commits or locks take their time. */
const manyWaiting = 8

/**
 * A client that sends each statement over the connection with the fewest waiting ones. It has no transactions, which would hold up the
 * statements behind them. A statement whose connection was refused is repeated over another one.
 */
export function createPipelines({ open, most }: Connections, clock: Clock): Sql {
  const pipelines = Array.from({ length: most }, () => createPipeline(open, clock))
  const [first] = pipelines
  assert(first, 'there is a connection')
  const choose = chooser(pipelines, clock)
  const own: Pick<Sql, 'unsafe' | 'end' | 'begin'> = {
    begin: () => Promise.reject(new AssertionError({ message: 'a transaction has a connection of its own' })),
    unsafe: (text, parameters, options) => (choose() ?? first).client.unsafe(text, parameters, options),
    async end(options) {
      await Promise.all(pipelines.map(({ client }) => client.end(options)))
    },
  }
  const client = new Proxy(first.client, {
    get: (target, name) => Reflect.get(name in own ? own : target, name),
  })
  return aroundStatements(client, async (execute) => {
    for (;;) {
      try {
        return await execute()
      } catch (error) {
        if (!isRefusedConnection(error) || pipelines.every(({ isRefused }) => isRefused)) throw error
      }
    }
  })
}

function createPipeline(open: Open, clock: Clock): Pipeline {
  const leaveAlone = async () => {
    pipeline.isRefused = true
    await clock.wait(refusedMs)
    pipeline.isRefused = false
  }
  const counted: Around = async (execute) => {
    if (pipeline.waiting === 0) pipeline.movedAt = clock.now().getTime()
    pipeline.waiting += 1
    try {
      return await execute()
    } catch (error) {
      if (isRefusedConnection(error)) void leaveAlone()
      throw error
    } finally {
      pipeline.waiting -= 1
      pipeline.movedAt = clock.now().getTime()
    }
  }
  const pipeline: Pipeline = { client: open(counted), waiting: 0, movedAt: 0, isRefused: false }
  return pipeline
}

/** @returns a function that chooses the connection for the next statement; it returns undefined when all are refused */
function chooser(pipelines: readonly Pipeline[], clock: Pick<Clock, 'now'>): () => Pipeline | undefined {
  const others = pipelines.slice(usual)
  let evenly = pipelines.slice(0, usual)
  return () => {
    // Statements of the same moment are counted only when they are sent, so the usual connections take turns.
    evenly = [...evenly.slice(1), ...evenly.slice(0, 1)]
    const slowSince = clock.now().getTime() - slowMs
    const isQuick = ({ waiting, movedAt }: Pipeline) => waiting === 0 || movedAt > slowSince
    const best = leastBusy(evenly.filter(isQuick))
    if (best && best.waiting < manyWaiting) return best
    const other = leastBusy(others.filter(isQuick))
    if (best && other) return best.waiting < other.waiting + manyWaiting ? best : other
    return best ?? other ?? leastBusy(pipelines)
  }
}

function leastBusy(pipelines: readonly Pipeline[]): Pipeline | undefined {
  let best: Pipeline | undefined
  for (const one of pipelines) if (!one.isRefused && (!best || one.waiting < best.waiting)) best = one
  return best
}

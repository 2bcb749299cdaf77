// This process has two clients of one PostgreSQL server, and neither closes idle connections. When the server has no connections left
// ("too many connections"), one client may have some and the other none. Without this module all statements of the latter would fail until
// the server has free connections again.

import type { Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'
import { aroundStatements } from './around-statements.ts'
import { isRefusedConnection, refusedMs } from './connection-limit.ts'

/**
 * Sends statements by another client for some seconds after the server has refused the connection of a statement.
 * @param client reports a refused connection only when it has no connection at all
 * @param spare returns the other client
 */
export function withSpare(client: Sql, spare: () => Sql, clock: Pick<Clock, 'wait'>): Sql {
  let isRefused = false
  const useSpare = async () => {
    isRefused = true
    await clock.wait(refusedMs)
    isRefused = false
  }
  const unsafe: Sql['unsafe'] = (text, parameters, options) =>
    (isRefused ? spare() : client).unsafe(text, parameters, options)
  const either = new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
  return aroundStatements(either, async (execute) => {
    try {
      return await execute()
    } catch (error) {
      if (!isRefusedConnection(error)) throw error
      // The server has not received the statement, so it may be sent again.
      if (!isRefused) void useSpare()
      return await execute()
    }
  })
}

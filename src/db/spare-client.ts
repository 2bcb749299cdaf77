// A server may refuse all connections of one client of this process while another client has some. It keeps those, so statements that can
// be sent nowhere else would fail for as long as the server has no more.

import type { Sql } from 'postgres'
import type { Clock } from '../runtime/clock.ts'
import { aroundStatements } from './around-statements.ts'
import { isRefusedConnection, refusedMs } from './connection-limit.ts'

/**
 * @param client fails a statement like a refused connection only when it has no connection at all
 * @param spare the client that sends the statements meanwhile
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
      // The refused statement was not sent.
      if (!isRefused) void useSpare()
      return await execute()
    }
  })
}

// postgres.js 3.4.9 resolves a statement with an empty answer that the server never gave: the statement was handed to a connection between
// the error and the close of its socket, and was forgotten until the connection was opened again. Such an answer has no command.

import type { Sql } from 'postgres'
import { aroundStatements } from './around-statements.ts'

/** The statement was not executed. The code counts as an outage. */
class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'CONNECTION_CLOSED'
}

/** @returns the client; a statement for which the driver has no real answer is rejected */
export function withRealAnswers(client: Sql): Sql {
  return aroundStatements(client, async (execute) => {
    const answer = await execute()
    if (!answer.command) throw new ConnectionLost('the statement was not sent')
    return answer
  })
}

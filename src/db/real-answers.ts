// postgres.js 3.4.9 resolves a statement with an empty answer that the server never gave: the statement was handed to a connection between
// the error and the close of its socket, and was forgotten until the connection was opened again. Such an answer has no command.

import type { Around } from './around-statements.ts'

/** The statement was not executed. The code counts as an outage. */
class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'CONNECTION_CLOSED'
}

/** Rejects a statement for which the driver has no real answer. */
export const realAnswers: Around = (execute) =>
  execute().then((answer) => {
    if (!answer.command) throw new ConnectionLost('the statement was not sent')
    return answer
  })

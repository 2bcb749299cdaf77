// Reads the SQL statements in the data that a client sends to PostgreSQL (frontend messages of protocol 3, without TLS).

interface Message {
  /** The letter of the message type; empty for the first message of a connection, which has no type. */
  readonly type: string
  readonly body: Buffer
}

/** @param onStatement called with the text of each executed statement @returns a function that takes the data sent by one connection */
export function createStatementReader(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  let rest: Buffer = Buffer.alloc(0)
  let hasBegun = false

  const read = ({ type, body }: Message) => {
    const [first = '', second = ''] = stringsIn(body)
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
      read(next.message)
    }
  }
}

/** The first complete message in the bytes, with its length. */
function firstOf(bytes: Buffer, hasBegun: boolean): { message: Message; length: number } | undefined {
  const start = hasBegun ? 1 : 0
  if (bytes.length < start + 4) return undefined
  const length = start + bytes.readUInt32BE(start)
  if (bytes.length < length) return undefined
  return {
    message: { type: bytes.toString('latin1', 0, start), body: bytes.subarray(start + 4, length) },
    length,
  }
}

/** The first two NUL-terminated strings of a body. */
const stringsIn = (body: Buffer): string[] => body.toString('utf8').split('\0', 2)

// Slow, endless or malformed data that misbehaving servers and clients write to a connection. `drips` is written repeatedly.

export interface Wire {
  readonly first: string
  readonly drips?: string
  /** The connection ends after `first`; otherwise it stays open. */
  readonly ends?: true
}

const ok = 'HTTP/1.1 200 OK\r\n'
const file = 'content-type: image/png\r\n'
const png = '\x89PNG\r\n\x1a\n'
/** A body that the gateway's client reads as a task, and the downloads read as a file. */
const task = '{"id":"task-1","status":"queued"}'

export type Outcome = 'given up' | 'read' | 'too large'

/** Answers of servers, and the outcome of the request. */
export const answers: Readonly<Record<string, readonly [Wire, Outcome]>> = {
  nothing: [{ first: '' }, 'given up'],
  'the end at once': [{ first: '', ends: true }, 'given up'],
  'a first line that drips': [{ first: 'HTTP/1.1 200 ', drips: 'O' }, 'given up'],
  'another protocol': [{ first: 'SSH-2.0-OpenSSH_9.0\r\n' }, 'given up'],
  'an endless first line': [{ first: `HTTP/1.1 200 ${'O'.repeat(200_000)}`, drips: 'OOOO' }, 'given up'],
  'headers that never end': [{ first: ok, drips: 'x-a: b\r\n' }, 'given up'],
  'a very long header': [{ first: `${ok}x-a: ${'b'.repeat(500_000)}\r\n\r\n` }, 'given up'],
  'hints without an end': [
    { first: 'HTTP/1.1 103 Early Hints\r\n\r\n', drips: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
    'given up',
  ],
  'headers and then nothing': [{ first: `${ok}${file}\r\n` }, 'given up'],
  'a body that drips': [{ first: `${ok}${file}\r\n`, drips: ' ' }, 'given up'],
  'a body that is shorter than its length': [
    { first: `${ok}${file}content-length: 9999\r\n\r\n${task}`, ends: true },
    'given up',
  ],
  'a body that stops before its length': [
    { first: `${ok}${file}content-length: 9999\r\n\r\n${task}` },
    'given up',
  ],
  'a body that is longer than its length': [
    { first: `${ok}${file}content-length: 33\r\n\r\n${task}${'x'.repeat(5000)}` },
    'read',
  ],
  'an absurd length': [
    { first: `${ok}${file}content-length: 99999999999999999999999\r\n\r\n${task}`, ends: true },
    'given up',
  ],
  'a chunk that drips': [
    { first: `${ok}${file}transfer-encoding: chunked\r\n\r\nffff\r\n`, drips: ' ' },
    'given up',
  ],
  'a chunk of absurd size': [
    { first: `${ok}${file}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${task}` },
    'given up',
  ],
  'trailers that never end': [
    { first: `${ok}${file}transfer-encoding: chunked\r\n\r\n21\r\n${task}\r\n0\r\n`, drips: 'x-a: b\r\n' },
    'given up',
  ],
  'a refusal that drips': [{ first: 'HTTP/1.1 500 No\r\n\r\n', drips: ' ' }, 'given up'],
  'a body that fills the limit': [{ first: `${ok}${file}\r\n${png}${'x'.repeat(5_000_000)}` }, 'too large'],
  'chunks that fill the limit': [
    { first: `${ok}${file}transfer-encoding: chunked\r\n\r\n4c4b40\r\n${'x'.repeat(5_000_000)}` },
    'too large',
  ],
}

const post = 'POST /telegram HTTP/1.1\r\nhost: x\r\n'

/** Requests of clients, and the expected status; 0 if the connection is closed without a response. */
export const requests: Readonly<Record<string, readonly [Wire, status: number]>> = {
  nothing: [{ first: '' }, 408],
  'a first line that drips': [{ first: 'POST /', drips: 'x' }, 408],
  'an endless first line': [{ first: `POST /${'x'.repeat(100_000)}` }, 431],
  'no first line': [{ first: '\0\0\0\0\r\n\r\n' }, 400],
  'a greeting of TLS': [{ first: '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03' }, 400],
  'no host': [{ first: 'GET / HTTP/1.1\r\n\r\n' }, 400],
  'headers that never end': [{ first: post, drips: 'x-a: b\r\n' }, 408],
  'very many headers': [{ first: `${post}${'x-a: b\r\n'.repeat(30_000)}` }, 431],
  'a body that never comes': [{ first: `${post}content-length: 9\r\n\r\n` }, 408],
  'a body that drips': [{ first: `${post}content-length: 9999\r\n\r\n`, drips: ' ' }, 408],
  'a body that is shorter than its length': [
    { first: `${post}content-length: 9\r\n\r\n{}`, ends: true },
    400,
  ],
  'a length of letters': [{ first: `${post}content-length: many\r\n\r\n{}` }, 400],
  'a length and chunks': [
    { first: `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n` },
    400,
  ],
  'chunks that drip': [{ first: `${post}transfer-encoding: chunked\r\n\r\n`, drips: '1\r\n \r\n' }, 408],
  'a chunk with an endless extension': [
    { first: `${post}transfer-encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}` },
    413,
  ],
  'a body for a path that is none': [
    { first: 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\n', drips: ' ' },
    404,
  ],
  'a body that fills the limit': [
    { first: `${post}content-length: 3000000\r\n\r\n${' '.repeat(3_000_000)}` },
    200,
  ],
  'a body that goes on and on': [
    { first: `${post}content-length: 99000000\r\n\r\n`, drips: ' '.repeat(1_000_000) },
    0,
  ],
}

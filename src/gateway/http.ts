// One request to the gateway: key, timeouts, size limits and outcome. Nothing is retried here: only the caller knows what is safe
// to repeat.

import { pipeline, Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { traceparent } from '../runtime/log.ts'
import { Agent, request } from '../runtime/undici.ts'
import {
  createSecret,
  GatewayError,
  GatewayMalformed,
  GatewayOutOfBalance,
  GatewayRateLimited,
  GatewayRefused,
  GatewayUnauthorised,
  GatewayUnavailable,
  GatewayUnknownOutcome,
  plainWords,
  type Secret,
  wordsOf,
} from './errors.ts'

export interface HttpSettings {
  readonly baseUrl: string
  readonly key: string
  /** The timeout of a request that only reads or registers something. */
  readonly timeoutMs?: number
  /** The timeout of a request that generates something, which is slow when the result itself is the answer. */
  readonly createTimeoutMs?: number
  /** The timeout between two chunks of a stream. */
  readonly idleTimeoutMs?: number
  /** Called with every complete answer, including refusals, before it is parsed. */
  readonly onAnswer?: (operation: string, answer: Answer) => void
}

export interface Call {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** The header with the key; a bearer token by default. */
  readonly keyHeader?: 'x-api-key'
  /** Requests that generate something have a longer timeout and a larger size limit. */
  readonly making?: boolean
  /** Set for a streamed answer: the timeouts then limit the wait for the first byte and each pause between pieces. */
  readonly streamed?: boolean
}

/** An answer whose body has not been read yet. */
export interface Incoming {
  readonly status: number
  readonly type: string
  readonly retryAfterMs: number | undefined
  /** Decompressed. @throws GatewayUnknownOutcome; GatewayMalformed above the size limit */
  readonly chunks: AsyncGenerator<Uint8Array>
  /** Discards the unread body; the connection is kept when `rest` is small. */
  drop(rest: 'little' | 'unknown'): void
}

export type Http = ReturnType<typeof createHttp>

const megabyte = 1024 * 1024
const connectTimeoutMs = 10_000
/**
 * The most concurrent connections. A stream occupies one as long as its answer is being written: with a common limit, orders would wait
 * for answers, and answers for each other.
 */
const [mostCalls, mostStreams] = [64, 2000]
/**
 * A connection that was idle for longer is not reused. Servers close idle connections after 5 s or more; a request that is sent at
 * that moment is lost, and it would be unknown whether an order arrived.
 */
const idleMs = 1500

type RequestOptions = NonNullable<Parameters<typeof request>[1]>

export function createHttp(settings: HttpSettings) {
  const { baseUrl, timeoutMs = 60_000, createTimeoutMs = 180_000, idleTimeoutMs = 300_000 } = settings
  const secret = createSecret(settings.key)
  const timeoutOf = ({ making }: Call) => (making ? createTimeoutMs : timeoutMs)
  const calling = agentOf(mostCalls)
  const streaming = agentOf(mostStreams)
  const send = (dispatcher: Agent, call: Call, options: Omit<RequestOptions, 'method'>) =>
    begin(secret, call, `${baseUrl}${call.path}`, {
      ...options,
      dispatcher,
      method: call.method,
      headers: headersOf(call, secret),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
  const pauses = (call: Call) => ({ headersTimeout: timeoutOf(call), bodyTimeout: idleTimeoutMs })
  const finish = async (call: Call, incoming: Incoming) => {
    const answer = await wholeOf(secret, incoming)
    settings.onAnswer?.(call.operation, answer)
    if (!isDone(answer)) throw errorOf(call.operation, answer)
    return answer
  }
  return {
    secret,
    /** @throws GatewayError unless the status is a success */
    call: async (call: Call): Promise<Answer> =>
      finish(
        call,
        call.streamed
          ? await send(streaming, call, pauses(call))
          : await send(calling, call, { signal: AbortSignal.timeout(timeoutOf(call)) }),
      ),
    /**
     * The timeouts apply to the first byte and to each pause, not to the whole answer.
     * @param signal closes the connection @throws GatewayError unless the status is a success
     */
    async open(call: Call, signal?: AbortSignal): Promise<Incoming> {
      const incoming = await send(streaming, call, { ...pauses(call), ...(signal ? { signal } : {}) })
      if (!isDone(incoming)) await finish(call, incoming)
      return incoming
    },
    close: async () => void (await Promise.all([calling.close(), streaming.close()])),
  }
}

const agentOf = (connections: number): Agent =>
  new Agent({
    connections,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

function headersOf({ headers, keyHeader }: Call, { key }: Secret): Record<string, string> {
  const trace = traceparent()
  return {
    'content-type': 'application/json',
    // Without `accept` some servers answer errors with a page or a redirect.
    accept: 'application/json, */*;q=0.8',
    ...(trace ? { traceparent: trace } : {}),
    ...headers,
    ...(keyHeader ? { [keyHeader]: key } : { authorization: `Bearer ${key}` }),
  }
}

async function begin(secret: Secret, call: Call, url: string, options: RequestOptions): Promise<Incoming> {
  const { operation, making } = call
  try {
    const { statusCode, headers, body } = await request(url, options)
    // A body that is discarded early emits an error, which has no other listener.
    body.on('error', () => undefined)
    const maxBytes = (making ? 64 : 4) * megabyte
    const packed = body.iterator({ destroyOnReturn: false })
    const plain = decoded(packed, String(headers['content-encoding'] ?? ''))
    return {
      status: statusCode,
      type: secret.hide(mediaType(headers['content-type'])),
      retryAfterMs: retryAfterMs(headers['retry-after']),
      chunks: bounded(secret, operation, plain, maxBytes),
      drop: (rest) =>
        rest === 'little' ? void body.dump({ limit: maxBytes }).catch(() => undefined) : body.destroy(),
    }
  } catch (error) {
    const cause = secret.causeOf(error)
    if (neverSent(error)) throw new GatewayUnavailable(operation, 'not reached', undefined, { cause })
    throw new GatewayUnknownOutcome(operation, 'no answer', { cause })
  }
}

async function* bounded(
  secret: Secret,
  operation: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes)
        throw new GatewayMalformed(operation, `the answer is larger than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayUnknownOutcome(operation, 'the answer broke off', { cause: secret.causeOf(error) })
  }
}

async function wholeOf(
  secret: Secret,
  { status, type, retryAfterMs, chunks, drop }: Incoming,
): Promise<Answer> {
  const read: Uint8Array[] = []
  try {
    for await (const chunk of chunks) read.push(chunk)
  } catch (error) {
    drop('unknown')
    throw error
  }
  const bytes = Buffer.concat(read)
  const text = () => secret.hide(bytes.toString())
  return { status, type, retryAfterMs, bytes, text, json: () => secret.parse(bytes.toString()) }
}

const unsentCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

const neverSent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && unsentCodes.test(String(error.code))

// A complete answer, and the error that it means unless it is a success.

export interface Answer {
  readonly status: number
  /** The media type, without parameters. */
  readonly type: string
  readonly retryAfterMs: number | undefined
  readonly bytes: Buffer
  /** The body as text, with the key masked. */
  text(): string
  /** The body as JSON, with the key masked; undefined when it is not JSON. */
  json(): unknown
}

const isDone = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300

function errorOf(operation: string, answer: Answer): GatewayError {
  const { status, retryAfterMs } = answer
  const said = wordsIn(answer)
  const told = { status, said }
  const message = said ?? `HTTP ${status}`
  if (status === 401) return new GatewayUnauthorised(operation, message, told)
  if (status === 402) return new GatewayOutOfBalance(operation, message, told)
  if (status === 429) return new GatewayRateLimited(operation, message, retryAfterMs, told)
  if (status === 503) return new GatewayUnavailable(operation, message, retryAfterMs, told)
  if (status >= 500) return new GatewayUnknownOutcome(operation, message, told)
  return new GatewayRefused(operation, status, said)
}

/** The gateway's words in an answer. JSON that contains no words is not shown. */
function wordsIn({ type, text, json }: Answer): string | undefined {
  const body = json()
  if (body !== undefined) return wordsOf(body)
  return type === 'text/html' ? undefined : plainWords(text())
}

type Header = string | string[] | undefined

const first = (header: Header) => (Array.isArray(header) ? header[0] : header)

const mediaType = (header: Header): string =>
  (first(header) ?? '').split(';', 1).join('').trim().toLowerCase()

/** A longer `Retry-After` is shortened, so that a hold does not last for a day. */
const longestRetryAfterMs = 5 * 60_000

function retryAfterMs(header: Header): number | undefined {
  const text = first(header)?.trim()
  const seconds = text ? Number(text) : Number.NaN
  const isPause = Number.isFinite(seconds) && seconds >= 0
  return isPause ? Math.min(seconds * 1000, longestRetryAfterMs) : undefined
}

// Undoes what proxies do to the bytes of an answer: compression, also where its header is missing or wrong, and a byte order mark.

type Chunks = AsyncGenerator<Uint8Array, void, undefined>

/** Enough bytes to recognise a compression, or that a body is text. */
const headLength = 16

/** The decompressed bytes without a mark. Their number has no limit: the caller counts them. */
async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): Chunks {
  const packed = await begun(chunks)
  const unpacker = unpackerFor(packed.head, encoding)
  const { head, all } = unpacker ? await begun(through(unpacker, packed.all)) : packed
  let rest = hasMark(head) ? mark.length : 0
  for await (const chunk of all) {
    yield chunk.subarray(rest)
    rest = 0
  }
}

const mark = Buffer.from('\ufeff')
const hasMark = (head: Buffer) => head.subarray(0, mark.length).equals(mark)

/** Reads the first bytes; they are the first chunk of `all`. */
async function begun(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Buffer; readonly all: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < headLength) {
    const next = await iterator.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  async function* all() {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { head, all: all() }
}

async function* through(unpacker: Transform, chunks: Chunks): Chunks {
  // An error of either stream destroys the unpacker, whose reader then gets it.
  pipeline(Readable.from(chunks), unpacker, () => undefined)
  yield* unpacker
}

/** The bytes decide: a body that begins as text is not compressed, whatever its header says. Only Brotli and raw deflate have no magic bytes. */
function unpackerFor(head: Buffer, encoding: string): Transform | undefined {
  if (isText(head)) return undefined
  const magic = head.toString('hex', 0, 4)
  if (magic.startsWith('1f8b')) return createGunzip()
  if (magic === '28b52ffd') return createZstdDecompress()
  if (/^78(01|5e|9c|da)/.test(magic)) return createInflate()
  if (/\bbr\b/i.test(encoding)) return createBrotliDecompress()
  return /deflate/i.test(encoding) ? createInflateRaw() : undefined
}

function isText(head: Buffer): boolean {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    return false
  }
  return head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))
}

// One request to the gateway: key, timeouts, size limits and outcome. Nothing is retried here: only the caller knows what is safe
// to repeat.

import { traceparent } from '../runtime/trace.ts'
import { Agent, request } from '../runtime/undici.ts'
import type { Answer } from './answer.ts'
import { assertDone, mediaType, retryAfterMs } from './answer.ts'
import { decoded } from './encoding.ts'
import { GatewayError, GatewayMalformed, GatewayUnavailable, GatewayUnknownOutcome } from './errors.ts'
import { createSecret, type Secret } from './secret.ts'
import type { StateWords } from './status.ts'

export interface GatewaySettings {
  readonly baseUrl: string
  readonly key: string
  /** The public address of our own server: links to it in an answer are not results. */
  readonly ownUrl?: string | undefined
  /** Words of the gateway for the states of tasks, beside those that are usual. */
  readonly stateWords?: StateWords
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

export interface Http {
  readonly secret: Secret
  readonly stateWords: StateWords | undefined
  /** Whether a link leads to our own server. */
  isOurs(url: string): boolean
  /** @param signal closes the connection. @throws GatewayError unless the status is a success */
  call(call: Call, signal?: AbortSignal): Promise<Answer>
  /** Sends a request. The timeouts apply to the first byte and to each pause, not to the whole answer. @throws GatewayError */
  open(call: Call, signal?: AbortSignal): Promise<Incoming>
  /** Reads the complete answer. @throws GatewayError unless the status is a success */
  finish(call: Call, incoming: Incoming): Promise<Answer>
  close(): Promise<void>
}

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

export function createHttp(settings: GatewaySettings): Http {
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
  const finish = async (call: Call, incoming: Incoming) => {
    const answer = await wholeOf(secret, incoming)
    settings.onAnswer?.(call.operation, answer)
    assertDone(call.operation, answer)
    return answer
  }
  return {
    secret,
    stateWords: settings.stateWords,
    isOurs: (url) => settings.ownUrl !== undefined && url.startsWith(`${settings.ownUrl}/`),
    finish,
    async call(call, signal) {
      const late = AbortSignal.timeout(timeoutOf(call))
      return finish(
        call,
        await send(calling, call, { signal: signal ? AbortSignal.any([signal, late]) : late }),
      )
    },
    open: (call, signal) =>
      send(streaming, call, {
        headersTimeout: timeoutOf(call),
        bodyTimeout: idleTimeoutMs,
        ...(signal ? { signal } : {}),
      }),
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
  const authorization = keyHeader ? { [keyHeader]: key } : { authorization: `Bearer ${key}` }
  const trace = traceparent()
  const tracing = trace ? { traceparent: trace } : {}
  // Without `accept` some servers answer errors with a page or a redirect.
  const types = { 'content-type': 'application/json', accept: 'application/json, */*;q=0.8' }
  return { ...types, ...tracing, ...headers, ...authorization }
}

async function begin(secret: Secret, call: Call, url: string, options: RequestOptions): Promise<Incoming> {
  const { operation, making } = call
  try {
    const { statusCode, headers, body } = await request(url, options)
    // A body that is discarded early emits an error, which has no other listener.
    body.on('error', () => undefined)
    const maxBytes = (making ? 64 : 4) * megabyte
    const little = { limit: maxBytes }
    const plain = decoded(
      body.iterator({ destroyOnReturn: false }),
      String(headers['content-encoding'] ?? ''),
    )
    return {
      status: statusCode,
      type: secret.hide(mediaType(headers['content-type'])),
      retryAfterMs: retryAfterMs(headers['retry-after']),
      chunks: bounded(secret, operation, plain, maxBytes),
      drop: (rest) => (rest === 'little' ? void body.dump(little).catch(() => undefined) : body.destroy()),
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

const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function neverSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unsentCodes.has(String(error.code))
}

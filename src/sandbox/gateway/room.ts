// The gateway's HTTP: who may ask, where a request goes, and how its answer leaves, or does not.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Fault, Faults } from '../faults.ts'
import { type Room, readBody } from '../http.ts'
import { type Answer, ConnectionCut, GatewayRefusal, json, refused, type StreamedAnswer } from './answer.ts'
import { underFault } from './faulty.ts'
import { type Requests, readable } from './requests.ts'

/** A request of an operation that has a path of its own. */
export interface Call {
  /** Undefined where there is none. */
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
  readonly fault: Fault | undefined
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

export interface Operation {
  /** What faults of it are scripted for. */
  readonly name: string
  answer(call: Call): Promise<Answer | StreamedAnswer>
}

export interface Operations {
  /** The operation at a path that no model decides on. */
  at(method: string, path: string): Operation | undefined
  isEndpoint(path: string): boolean
  create(path: string, body: unknown, fault: Fault | undefined): Promise<Answer>
  poll(id: string): unknown
  cdn(name: string, range: string | undefined, fault: Fault | undefined): Promise<Answer>
}

interface Deps {
  readonly key: string
  readonly clock: Clock
  readonly faults: Faults
  readonly operations: Operations
  readonly requests: Requests
}

interface Visit {
  readonly method: string
  /** Below `/gateway`. */
  readonly path: string
  readonly req: IncomingMessage
  readonly text: string
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

const prefix = '/gateway'

export function createGatewayRoom(deps: Deps): Room {
  return async (req, res, url) => {
    if (!url.pathname.startsWith(`${prefix}/`)) return false
    const signal = hangUp(res)
    const path = url.pathname.slice(prefix.length)
    const text = await readBody(req).then(String, () => '')
    const visit: Visit = { method: req.method ?? 'GET', path, req, text, signal }
    const answer = await route(deps, visit).catch(failed)
    record(deps, visit, answer)
    if (answer && 'events' in answer) await sendEvents(res, answer)
    else send(req, res, answer)
    return true
  }
}

type Reply = Answer | StreamedAnswer | undefined

async function route(deps: Deps, visit: Visit): Promise<Reply> {
  const { method, path, req, text, signal } = visit
  const { operations } = deps
  const isRead = method === 'GET' || method === 'HEAD'
  const file = below(path, '/cdn/')
  if (isRead && file)
    return faulty(deps, visit, 'cdn', (fault) => operations.cdn(file, req.headers.range, fault))
  if (path.startsWith('/v1/')) authorise(deps, path, req)
  const task = below(path, '/v1/tasks/')
  if (isRead && task) return faulty(deps, visit, 'poll', async () => json(200, operations.poll(task)))
  if (method === 'POST' && operations.isEndpoint(path)) {
    return faulty(deps, visit, 'create', async (fault) => {
      const body = parse(req, text)
      return operations.create(path, body, fault)
    })
  }
  const operation = operations.at(method, path)
  if (operation) {
    return faulty(deps, visit, operation.name, async (fault) => {
      const body = isRead ? undefined : parse(req, text)
      return operation.answer({ body, headers: req.headers, fault, signal })
    })
  }
  throw new GatewayRefusal(404, 'unknown_path', `nothing answers ${method} ${path}`)
}

/** The one name that follows `start`. */
function below(path: string, start: string): string | undefined {
  const name = path.startsWith(start) ? path.slice(start.length) : ''
  return name === '' || name.includes('/') ? undefined : name
}

/** "The messages-format operation also accepts the header `x-api-key`." */
function authorise({ key }: Deps, path: string, { headers }: IncomingMessage): void {
  if (headers.authorization === `Bearer ${key}`) return
  if (path === '/v1/messages' && headers['x-api-key'] === key) return
  throw new GatewayRefusal(
    401,
    'invalid_api_key',
    'the header "Authorization: Bearer <API_KEY>" is missing or wrong',
  )
}

function faulty<A>(
  { faults, clock }: Deps,
  { method, signal, text }: Visit,
  operation: string,
  work: (fault: Fault | undefined) => Promise<A>,
): Promise<A | Answer | undefined> {
  const fault = faults.take('gateway', operation)
  const isStream = fault !== undefined && streams.safeParse(tryJson(text)).success
  return underFault(fault, { clock, signal, isRead: method !== 'POST', isStream }, () => work(fault))
}

const streams = z.looseObject({ stream: z.literal(true) })

function parse({ headers }: IncomingMessage, text: string): unknown {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new GatewayRefusal(400, 'invalid_content_type', 'content-type must be application/json')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayRefusal(400, 'invalid_json', 'the body is not JSON')
  }
}

function failed(error: unknown): Answer {
  if (error instanceof GatewayRefusal) return refused(error)
  process.stderr.write(`sandbox gateway failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  return refused(new GatewayRefusal(500, 'sandbox_failed', 'the sandbox failed: see its log'))
}

function record({ clock, requests }: Deps, { method, path, text, req }: Visit, answer: Reply): void {
  const at = clock.now().toISOString()
  const body = text === '' ? {} : { body: readable(tryJson(text)) }
  requests.add({ at, method, path, status: answer?.status ?? null, ...traceOf(req.headers), ...body })
}

/** "00-<trace>-<span>-<flags>" of W3C Trace Context. */
function traceOf({ traceparent }: IncomingHttpHeaders): { trace?: string } {
  const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(traceparent)) ?? []
  return trace ? { trace } : {}
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function send(req: IncomingMessage, res: ServerResponse, answer: Answer | undefined): void {
  if (!answer) return void res.destroy()
  res.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length })
  res.end(req.method === 'HEAD' ? undefined : answer.body)
}

async function sendEvents(res: ServerResponse, answer: StreamedAnswer): Promise<void> {
  const { status, headers, events } = answer
  res.writeHead(status, headers)
  try {
    for await (const event of events) res.write(event)
    res.end()
  } catch (error) {
    if (!(error instanceof ConnectionCut)) failed(error)
    // What has been said still arrives.
    res.socket?.destroySoon()
  }
}

function hangUp(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => controller.abort())
  return controller.signal
}

// The gateway's HTTP interface: authentication, routing, scripted faults, sending answers.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { type Fault, type Faults, underFault } from '../faults.ts'
import { type Handler, parseJson, readBody } from '../http.ts'
import {
  type Answer,
  ConnectionCut,
  GatewayRefusal,
  htmlPage,
  json,
  refused,
  type StreamedAnswer,
  scriptedRefusal,
} from './answer.ts'
import { abridged, type RequestLog } from './inspection.ts'

/** A request to an operation with a fixed path. */
export interface Call {
  /** The parsed body; undefined for a request without one. */
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
  readonly fault: Fault | undefined
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

export interface Operation {
  /** The name that scripted faults use. */
  readonly name: string
  answer(call: Call): Promise<Answer | StreamedAnswer>
}

export interface Operations {
  /** The operation with this fixed path. */
  at(method: string, path: string): Operation | undefined
  /** Whether a model of the catalog is created at this path. */
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
  readonly requests: RequestLog
}

interface Request {
  readonly method: string
  /** The path without the prefix `/gateway`. */
  readonly path: string
  readonly req: IncomingMessage
  readonly text: string
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

/** The reply to a request; undefined when the connection is to be cut. */
type Reply = Answer | StreamedAnswer | undefined

const prefix = '/gateway'

export function createGatewayRoutes(deps: Deps): Handler {
  return async (req, res, url) => {
    if (!url.pathname.startsWith(`${prefix}/`)) return false
    const signal = hangUpSignal(res)
    const path = url.pathname.slice(prefix.length)
    const text = await readBody(req).then(String, () => '')
    const request: Request = { method: req.method ?? 'GET', path, req, text, signal }
    const reply = await route(deps, request).catch(failed)
    record(deps, request, reply)
    if (reply && 'events' in reply) await sendEvents(res, reply)
    else send(req, res, reply)
    return true
  }
}

async function route(deps: Deps, request: Request): Promise<Reply> {
  const { method, path, req, text, signal } = request
  const { operations } = deps
  const isRead = method === 'GET' || method === 'HEAD'
  const file = nameBelow(path, '/cdn/')
  if (isRead && file)
    return withFaults(deps, request, 'cdn', (fault) => operations.cdn(file, req.headers.range, fault))
  if (path.startsWith('/v1/')) authorise(deps, path, req)
  const task = nameBelow(path, '/v1/tasks/')
  if (isRead && task) return withFaults(deps, request, 'poll', async () => json(200, operations.poll(task)))
  if (method === 'POST' && operations.isEndpoint(path)) {
    return withFaults(deps, request, 'create', async (fault) => {
      const body = parse(req, text)
      return operations.create(path, body, fault)
    })
  }
  const operation = operations.at(method, path)
  if (operation) {
    return withFaults(deps, request, operation.name, async (fault) => {
      const body = isRead ? undefined : parse(req, text)
      return operation.answer({ body, headers: req.headers, fault, signal })
    })
  }
  throw new GatewayRefusal(404, 'unknown_path', `nothing answers ${method} ${path}`)
}

/** The single path segment after `start`; undefined for other paths. */
function nameBelow(path: string, start: string): string | undefined {
  const name = path.startsWith(start) ? path.slice(start.length) : ''
  return name === '' || name.includes('/') ? undefined : name
}

/** Accepts the key as a bearer token. "The messages-format operation also accepts the header `x-api-key`." */
function authorise({ key }: Deps, path: string, { headers }: IncomingMessage): void {
  if (headers.authorization === `Bearer ${key}`) return
  if (path === '/v1/messages' && headers['x-api-key'] === key) return
  throw new GatewayRefusal(
    401,
    'invalid_api_key',
    'the header "Authorization: Bearer <API_KEY>" is missing or wrong',
  )
}

async function withFaults(
  { faults, clock }: Deps,
  { method, signal, text }: Request,
  operation: string,
  work: (fault: Fault | undefined) => Promise<Answer | StreamedAnswer>,
): Promise<Reply> {
  const fault = faults.take('gateway', operation)
  const run = () => work(fault)
  if (strikesInStream(fault) && asksForStream.safeParse(parseJson(text)).success) return run()
  return underFault<Answer | StreamedAnswer>(
    fault,
    {
      clock,
      signal,
      error: ({ status, description, retryAfter }) =>
        refused(scriptedRefusal(status, description, retryAfter)),
      garbage: htmlPage,
      afterHang: () => (method === 'POST' ? refused(scriptedRefusal(504)) : run()),
    },
    run,
  )
}

const asksForStream = z.looseObject({ stream: z.literal(true) })

/** Whether the fault takes effect after a part of a stream has been sent. */
const strikesInStream = (fault: Fault | undefined): boolean =>
  fault?.kind === 'hang' || (fault?.kind === 'cut' && fault.after)

function parse({ headers }: IncomingMessage, text: string): unknown {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new GatewayRefusal(400, 'invalid_content_type', 'content-type must be application/json')
  }
  const body = parseJson(text)
  if (body === undefined) throw new GatewayRefusal(400, 'invalid_json', 'the body is not JSON')
  return body
}

function failed(error: unknown): Answer {
  if (error instanceof GatewayRefusal) return refused(error)
  process.stderr.write(`sandbox gateway failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  return refused(new GatewayRefusal(500, 'sandbox_failed', 'the sandbox failed: see its stderr'))
}

function record({ clock, requests }: Deps, { method, path, text, req }: Request, reply: Reply): void {
  const at = clock.now().toISOString()
  const parsed = parseJson(text)
  const body = text === '' ? {} : { body: abridged(parsed === undefined ? text : parsed) }
  requests.add({ at, method, path, status: reply?.status ?? null, ...traceOf(req.headers), ...body })
}

/** Reads the trace from "00-<trace>-<span>-<flags>" of W3C Trace Context. */
function traceOf({ traceparent }: IncomingHttpHeaders): { trace?: string } {
  const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(traceparent)) ?? []
  return trace ? { trace } : {}
}

function send(req: IncomingMessage, res: ServerResponse, answer: Answer | undefined): void {
  if (!answer) return void res.destroy()
  res.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length })
  res.end(req.method === 'HEAD' ? undefined : answer.body)
}

async function sendEvents(res: ServerResponse, { status, headers, events }: StreamedAnswer): Promise<void> {
  res.writeHead(status, headers)
  try {
    for await (const event of events) res.write(event)
    res.end()
  } catch (error) {
    if (!(error instanceof ConnectionCut)) failed(error)
    // Sends the events written so far, then closes the connection.
    res.socket?.destroySoon()
  }
}

function hangUpSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => controller.abort('closed'))
  return controller.signal
}

// The gateway's HTTP interface: authentication, routing, scripted faults, sending answers.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { type Fault, type Faults, underFault } from '../faults.ts'
import { type Handler, parseJson, readBody } from '../http.ts'
import {
  type Answer,
  bad,
  ConnectionCut,
  GatewayRefusal,
  htmlPage,
  refused,
  type StreamedAnswer,
  scriptedRefusal,
} from './answer.ts'
import { abridged, type RequestRecord } from './inspection.ts'

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

interface Deps {
  readonly key: string
  readonly clock: Clock
  readonly faults: Faults
  /** The newest requests, the newest last. */
  readonly requests: RequestRecord[]
  readonly operationAt: (method: string, path: string) => Operation | undefined
}

interface Request {
  readonly method: string
  /** The path without the prefix `/gateway`. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
}

/** The reply to a request; undefined when the connection is to be cut. */
type Reply = Answer | StreamedAnswer | undefined

const prefix = '/gateway'

export function createGatewayRoutes(deps: Deps): Handler {
  return async (req, res, { pathname }) => {
    if (!pathname.startsWith(`${prefix}/`)) return false
    const gone = new AbortController()
    res.once('close', () => gone.abort('closed'))
    const { method: sent = 'GET', headers } = req
    const method = sent === 'HEAD' ? 'GET' : sent
    const text = await readBody(req).then(String, () => '')
    const request = { method, path: pathname.slice(prefix.length), headers, text, signal: gone.signal }
    const reply = await answer(deps, request).catch(failed)
    record(deps, request, reply)
    if (reply && 'events' in reply) await sendEvents(res, reply)
    else send(req, res, reply)
    return true
  }
}

async function answer(deps: Deps, request: Request): Promise<Reply> {
  const { method, path } = request
  if (path.startsWith('/v1/')) authorise(deps, request)
  const operation = deps.operationAt(method, path)
  if (operation) return withFaults(deps, request, operation)
  throw new GatewayRefusal(404, 'unknown_path', `nothing answers ${method} ${path}`)
}

/** Accepts the key as a bearer token. "The messages-format operation also accepts the header `x-api-key`." */
function authorise({ key }: Deps, { path, headers }: Request): void {
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
  { method, headers, signal, text }: Request,
  { name, answer }: Operation,
): Promise<Reply> {
  const fault = faults.take('gateway', name)
  const run = async () => {
    const body = method === 'GET' ? undefined : parse(headers, text)
    return answer({ body, headers, fault, signal })
  }
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

function parse(headers: IncomingHttpHeaders, text: string): unknown {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw bad('content-type must be application/json', 'invalid_content_type')
  const body = parseJson(text)
  if (body === undefined) throw bad('the body is not JSON', 'invalid_json')
  return body
}

function failed(error: unknown): Answer {
  if (error instanceof GatewayRefusal) return refused(error)
  process.stderr.write(`sandbox gateway failed: ${error instanceof Error ? error.stack : String(error)}\n`)
  return refused(new GatewayRefusal(500, 'sandbox_failed', 'the sandbox failed: see its stderr'))
}

const keptRequests = 200

function record({ clock, requests }: Deps, { method, path, text, headers }: Request, reply: Reply): void {
  const at = clock.now().toISOString()
  // The trace of "00-<trace>-<span>-<flags>" of W3C Trace Context.
  const trace = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(headers.traceparent))?.[1]
  const body = text === '' ? undefined : abridged(parseJson(text) ?? text)
  requests.push({ at, method, path, status: reply?.status ?? null, trace, body })
  if (requests.length > keptRequests) requests.shift()
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

// The gateway's HTTP: who may ask, where a request goes, and how its answer leaves, or does not.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import type { Fault, Faults } from '../faults.ts'
import { type Room, readBody } from '../http.ts'
import { type Answer, GatewayRefusal, json, refused } from './answer.ts'
import { underFault } from './faulty.ts'
import { type Requests, readable } from './requests.ts'

export interface Operations {
  isEndpoint(path: string): boolean
  create(path: string, body: unknown, fault: Fault | undefined): Promise<unknown>
  poll(id: string): unknown
  cdn(name: string, range: string | undefined): Promise<Answer>
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
    send(req, res, answer)
    return true
  }
}

async function route(deps: Deps, visit: Visit): Promise<Answer | undefined> {
  const { method, path, req, text } = visit
  const { operations } = deps
  const isRead = method === 'GET' || method === 'HEAD'
  const file = below(path, '/cdn/')
  if (isRead && file) return faulty(deps, visit, 'cdn', () => operations.cdn(file, req.headers.range))
  if (path.startsWith('/v1/')) authorise(deps, req)
  const task = below(path, '/v1/tasks/')
  if (isRead && task) return faulty(deps, visit, 'poll', async () => json(200, operations.poll(task)))
  if (method === 'POST' && operations.isEndpoint(path)) {
    return faulty(deps, visit, 'create', async (fault) => {
      const body = parse(req, text)
      return json(202, await operations.create(path, body, fault))
    })
  }
  throw new GatewayRefusal(404, 'unknown_path', `nothing answers ${method} ${path}`)
}

/** The one name that follows `start`. */
function below(path: string, start: string): string | undefined {
  const name = path.startsWith(start) ? path.slice(start.length) : ''
  return name === '' || name.includes('/') ? undefined : name
}

function authorise({ key }: Deps, { headers }: IncomingMessage): void {
  if (headers.authorization === `Bearer ${key}`) return
  throw new GatewayRefusal(
    401,
    'invalid_api_key',
    'the header "Authorization: Bearer <API_KEY>" is missing or wrong',
  )
}

function faulty(
  { faults, clock }: Deps,
  { signal }: Visit,
  operation: 'create' | 'poll' | 'cdn',
  work: (fault: Fault | undefined) => Promise<Answer>,
): Promise<Answer | undefined> {
  const fault = faults.take('gateway', operation)
  return underFault(fault, { clock, signal, isRead: operation !== 'create' }, () => work(fault))
}

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

function record({ clock, requests }: Deps, { method, path, text }: Visit, answer: Answer | undefined): void {
  const at = clock.now().toISOString()
  const body = text === '' ? {} : { body: readable(tryJson(text)) }
  requests.add({ at, method, path, status: answer?.status ?? null, ...body })
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

function hangUp(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => controller.abort())
  return controller.signal
}

// The double's API: checks credentials and idempotence keys, and applies scripted faults to `create`, `read`, `list` and `refund`.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../runtime/clock.ts'
import { type ErrorFault, type Faults, underFault } from '../../faults.ts'
import { type Handler, readBody, sendJson } from '../../http.ts'
import { refusalView, YookassaRefusal } from './requests.ts'
import type { Shop } from './shop.ts'

interface Deps {
  readonly shopId: string
  readonly secretKey: string
  readonly shop: Shop
  readonly faults: Faults
  readonly clock: Clock
  readonly closing: AbortSignal
}

export const apiPath = '/yookassa/v3'
const prefix = `${apiPath}/`

export function createApi(deps: Deps): Handler {
  return async (req, res, url) => {
    const { pathname } = url
    if (!pathname.startsWith(prefix)) return false
    const text = String(await readBody(req))
    try {
      authorise(deps, req)
      await answer(deps, req, res, { path: pathname.slice(prefix.length), query: url.searchParams, text })
    } catch (error) {
      if (!(error instanceof YookassaRefusal)) throw error
      sendJson(res, error.status, refusalView(error, 'e1d3b5a7-0000-5000-8000-000000000000'))
    }
    return true
  }
}

function authorise({ shopId, secretKey }: Deps, { headers }: IncomingMessage): void {
  const wanted = `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`
  if (headers.authorization === wanted) return
  throw new YookassaRefusal(401, 'invalid_credentials', 'Basic authentication failed', 'Authorization')
}

interface Asked {
  /** After the prefix of the API. */
  readonly path: string
  readonly query: URLSearchParams
  /** The body. */
  readonly text: string
}

interface Operation {
  readonly name: string
  run(): unknown
}

/** The signal of a hang is not that of the caller, so a request is carried out after it even if its caller has hung up. */
async function answer(deps: Deps, req: IncomingMessage, res: ServerResponse, asked: Asked): Promise<void> {
  const { shop, faults, clock, closing: signal } = deps
  const operation = operationOf(shop, req, asked)
  const run = async () => {
    const body = operation.run()
    await shop.save()
    return { type: 'application/json; charset=utf-8', text: JSON.stringify(body) }
  }
  const faulty = {
    clock,
    signal,
    error({ status, description = 'scripted' }: ErrorFault): never {
      throw new YookassaRefusal(status, 'internal_server_error', description)
    },
    garbage: (text = '<html>Bad gateway</html>') => ({ type: 'text/html', text }),
    afterHang: run,
  }
  const reply = await underFault(faults.take('yookassa', operation.name), faulty, run)
  if (reply) res.writeHead(200, { 'content-type': reply.type }).end(reply.text)
  else res.destroy()
}

function operationOf(shop: Shop, req: IncomingMessage, { path, query, text }: Asked): Operation {
  const [kind = '', id = '', ...more] = path.split('/')
  const operations: Readonly<Record<string, Operation>> = {
    'POST payments': { name: 'create', run: () => shop.create(keyOf(req), parse(text)) },
    'GET payments/:id': { name: 'read', run: () => shop.view(shop.find(id)) },
    'POST refunds': { name: 'refund', run: () => shop.refund(keyOf(req), parse(text)) },
    'GET refunds/:id': { name: 'read', run: () => shop.refundOf(id) },
    'GET refunds': { name: 'list', run: () => shop.listRefunds(Object.fromEntries(query)) },
  }
  const operation = operations[`${req.method} ${kind}${id === '' ? '' : '/:id'}`]
  if (operation && more.length === 0) return operation
  throw new YookassaRefusal(404, 'not_found', `no such operation: ${req.method} /${path}`)
}

function keyOf({ headers }: IncomingMessage): string {
  const key = headers['idempotence-key']
  if (typeof key === 'string' && key !== '' && key.length <= 64) return key
  throw new YookassaRefusal(400, 'invalid_request', 'The key must have 1 to 64 characters', 'Idempotence-Key')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new YookassaRefusal(400, 'invalid_request', 'The body is not JSON')
  }
}

// What the doubles of payment providers have in common: the provider's API below `/<name>`, its payment page, its notifications to the app
// (repeated until the answer is 200), and two routes for tests:
//
//   GET  /api/<name>/payments        all payments
//   POST /api/<name>/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what the payer does on the page, or the operator in the cabinet

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'
import { type ErrorFault, type Faults, type PaymentTarget, underFault } from '../faults.ts'
import { type Handler, parseJson, readBody, sendJson } from '../http.ts'
import { createBackground, notify } from '../notices.ts'
import { type Payments, showCheckout, testAction } from './checkout.ts'

export interface DoubleDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly faults: Faults
  /** The address of the sandbox, without a path. */
  readonly baseUrl: string
  /** The base URL of the app, to which notifications are sent. */
  readonly publicUrl: string
  /** Whether payments are written to the disk. */
  readonly keepsState: boolean
  /** The folder of a double with this name. */
  readonly folder: (name: string) => string
}

/** An error answer of the provider's API. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly body: object
  constructor(status: number, body: object) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

/** The name that scripted faults use, and what the operation does. */
type Operation = readonly [name: string, act: () => unknown]

interface Kind<P extends Payments> {
  readonly name: PaymentTarget
  /** On the payment page. */
  readonly title: string
  readonly apiPath: string
  readonly headers: Readonly<Record<string, string>>
  /** @param tell sends a notification to the app */
  open(tell: (notice: object) => void): P
  /** By method and path, below `apiPath`. */
  operations(payments: P, url: URL, body: unknown, headers: IncomingHttpHeaders): Record<string, Operation>
  refusal(status: number, description: string): Refusal
  /** Headers that prove a notification. */
  proofOf?(body: string): Readonly<Record<string, string>>
}

const notificationPauseMs = 500

export function createDouble<P extends Payments>(settings: DoubleDeps, kind: Kind<P>) {
  const { publicUrl, faults, clock } = settings
  const { name } = kind
  const ended = new AbortController()
  const deps = { clock, faults, closing: ended.signal }
  const background = createBackground(name)
  const payments = kind.open((notice) => {
    const fault = faults.take(name, 'notification')
    const url = `${publicUrl}/payments/${name}`
    background.add(notify(deps, url, notice, fault, notificationPauseMs, kind.proofOf))
  })
  const routes = [
    [`${kind.apiPath}/`, (req, res, url) => answerApi(deps, kind, payments, req, res, url)],
    [`/${name}/checkout`, (req, res, url) => showCheckout(kind, payments, req, res, url)],
    [`/api/${name}/payments`, (req, res, url) => answerTest(payments, req, res, url)],
  ] satisfies [string, (...call: Parameters<Handler>) => Promise<void>][]
  const handler: Handler = async (req, res, url) => {
    const [, answer] = routes.find(([path]) => url.pathname.startsWith(path)) ?? []
    if (!answer) return false
    await answer(req, res, url).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      sendJson(res, error.status, error.body)
    })
    return true
  }
  return {
    handler,
    async close() {
      ended.abort()
      await background.done()
      await payments.save()
    },
  }
}

async function answerTest(
  payments: Payments,
  req: IncomingMessage,
  res: ServerResponse,
  { pathname }: URL,
): Promise<void> {
  if (req.method !== 'POST') return sendJson(res, 200, payments.list())
  const id = pathname.split('/').at(-1) ?? ''
  payments.decide(id, testAction.parse(parseJson(String(await readBody(req)))).action)
  await payments.save()
  sendJson(res, 200, payments.find(id))
}

/** A scripted hang ends only with the sandbox, not when the client disconnects: the request is carried out after the hang. */
async function answerApi<P extends Payments>(
  { faults, clock, closing }: Pick<DoubleDeps, 'faults' | 'clock'> & { readonly closing: AbortSignal },
  kind: Kind<P>,
  payments: P,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
): Promise<void> {
  const body = parseJson(String(await readBody(req)))
  if (Object.entries(kind.headers).some(([header, value]) => req.headers[header] !== value))
    throw kind.refusal(401, 'wrong credentials')
  const called = `${req.method} ${url.pathname.slice(kind.apiPath.length)}`
  const [name, act] = kind.operations(payments, url, body, req.headers)[called] ?? []
  if (!name || !act) throw kind.refusal(404, `no such operation: ${called}`)
  const run = async () => {
    const answer = act()
    await payments.save()
    return { type: 'application/json; charset=utf-8', text: JSON.stringify(answer) }
  }
  const faulty = {
    clock,
    signal: closing,
    error({ status, description = 'scripted' }: ErrorFault): never {
      throw kind.refusal(status, description)
    },
    garbage: (text = '<html>Bad gateway</html>') => ({ type: 'text/html', text }),
    afterHang: run,
  }
  const reply = await underFault(faults.take(kind.name, name), faulty, run)
  if (reply) res.writeHead(200, { 'content-type': reply.type }).end(reply.text)
  else res.destroy()
}

/** An id like `2f3b588d-000f-5000-8000-1d6e87c7fbde`. */
export function uuidFrom(random: () => number): string {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex(8)}-000f-5000-8000-${hex(12)}`
}

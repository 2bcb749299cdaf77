// What the doubles of payment providers have in common: the provider's API below `/<name>`, its payment page, its notifications to the app
// (repeated until the answer is 200), and two routes for tests:
//
//   GET  /api/<name>/payments        all payments
//   POST /api/<name>/payments/:id    {action: 'pay' | 'cancel' | 'refund'}: what the payer does on the page, or the operator in the cabinet

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'
import { type ErrorFault, type Faults, type PaymentTarget, underFault } from '../faults.ts'
import { type Handler, parseJson, readBody, sendJson } from '../http.ts'
import { createBackground, notify } from '../notices.ts'
import { checkoutPath, type Payments, showCheckout, testAction } from './checkout.ts'

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
  constructor(status: number, description: string, body: object) {
    super(description)
    this.status = status
    this.body = body
  }
}

export interface Operation {
  /** The name that scripted faults use. */
  readonly name: string
  act(): unknown
}

interface Kind<P extends Payments> {
  readonly name: PaymentTarget
  /** The name on the payment page. */
  readonly title: string
  readonly apiPath: string
  /** @param tell sends a notification to the app */
  open(tell: (notice: object) => void): P
  /** @throws Refusal when the request is not documented, or its credentials are wrong */
  operationOf(payments: P, req: IncomingMessage, url: URL, body: unknown): Operation
  /** The answer of a scripted error. */
  refusal(status: number, description: string): Refusal
  /** Headers that prove a notification. */
  headersOf?(body: string): Readonly<Record<string, string>>
}

const notificationPauseMs = 500

export function createDouble<P extends Payments>(settings: DoubleDeps, kind: Kind<P>) {
  const { publicUrl, faults, clock } = settings
  const { name, title } = kind
  const ended = new AbortController()
  const deps = { clock, faults, closing: ended.signal }
  const background = createBackground(name)
  const payments = kind.open((notice) => {
    const fault = faults.take(name, 'notification')
    const url = `${publicUrl}/payments/${name}`
    background.add(notify(deps, url, notice, fault, notificationPauseMs, kind.headersOf))
  })
  const routes = [
    [`${kind.apiPath}/`, (req, res, url) => answerApi(deps, kind, payments, req, res, url)],
    [checkoutPath(name), (req, res, url) => showCheckout({ name, title, payments }, req, res, url)],
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

/** The signal of a hang is not that of the caller, so a request is carried out after it even if its caller has hung up. */
async function answerApi<P extends Payments>(
  { faults, clock, closing }: Pick<DoubleDeps, 'faults' | 'clock'> & { readonly closing: AbortSignal },
  kind: Kind<P>,
  payments: P,
  req: IncomingMessage,
  res: ServerResponse,
  url: URL,
): Promise<void> {
  const body = parseJson(String(await readBody(req)))
  const { name, act } = kind.operationOf(payments, req, url, body)
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

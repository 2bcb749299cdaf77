// A local double of the tax service for the self-employed: what the app uses of its API at `/tax/v1`, a page for each receipt, and
// `GET /api/tax/receipts`, all of them with the requests that made them. It keeps them in memory. A token is valid for an hour.

import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { hourMs } from '../../runtime/clock.ts'
import { type ErrorFault, underFault } from '../faults.ts'
import { type Handler, parseJson, readBody, sendJson } from '../http.ts'
import { type DoubleDeps, Refusal } from './double.ts'

/** The password of every taxpayer. */
export const taxPassword = 'sandbox-tax-password'
const apiPath = '/tax/v1'

const refused = (status: number, message: string) => new Refusal(status, { message })

/** A time without its offset is refused, as by the service. */
const time = z.iso.datetime({ offset: true })
const account = z.object({ username: z.string().length(12), password: z.string() })
const income = z.looseObject({
  operationTime: time,
  services: z.tuple([z.looseObject({ name: z.string().min(1) })]),
  totalAmount: z.string().regex(/^\d{1,9}\.\d{2}$/),
})
const comment = z.enum(['Чек сформирован ошибочно', 'Возврат средств'])
const cancellation = z.looseObject({ operationTime: time, comment, receiptUuid: z.string() })
const list = z.object({ from: time, to: time, offset: z.coerce.number(), limit: z.coerce.number().max(100) })

interface Receipt {
  readonly approvedReceiptUuid: string
  readonly inn: string
  readonly name: string
  readonly operationTime: string
  readonly totalAmount: number
  readonly request: object
  cancellationInfo: object | null
}

function checked<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const { data, success, error } = schema.safeParse(given)
  if (success) return data
  throw refused(400, `validation.failed ${error.issues[0]?.path.join('.')}`)
}

export function createTaxService({ clock, random, faults, baseUrl }: DoubleDeps) {
  const receipts: Receipt[] = []
  const closing = new AbortController()
  const now = () => clock.now().getTime()

  function signIn(body: unknown) {
    const { username, password } = checked(account, body)
    if (password !== taxPassword) throw refused(422, 'Указанный Вами ИНН или пароль некорректны')
    const until = now() + hourMs
    return { token: `${username}.${until}`, tokenExpireIn: new Date(until).toISOString() }
  }

  function operate(name: string, given: unknown, inn: string): unknown {
    if (name === 'income') {
      const request = checked(income, given)
      const { operationTime, services, totalAmount } = request
      const approvedReceiptUuid = Math.floor(random() * 36 ** 8).toString(36)
      const facts = { approvedReceiptUuid, inn, name: services[0].name, operationTime, request }
      receipts.push({ ...facts, totalAmount: Number(totalAmount), cancellationInfo: null })
      return { approvedReceiptUuid }
    }
    if (name === 'cancel') {
      const { receiptUuid, ...info } = checked(cancellation, given)
      const found = receipts.find((one) => one.inn === inn && one.approvedReceiptUuid === receiptUuid)
      if (!found || found.cancellationInfo) throw refused(400, 'no such valid receipt')
      found.cancellationInfo = info
      return { incomeInfo: found }
    }
    const { from, to, offset, limit } = checked(list, given)
    const isIn = (at: number) => at >= Date.parse(from) && at <= Date.parse(to)
    const found = receipts.filter((one) => one.inn === inn && isIn(Date.parse(one.operationTime)))
    return { content: found.slice(offset, offset + limit), hasMore: offset + limit < found.length }
  }

  async function answer(req: IncomingMessage, { pathname, searchParams }: URL): Promise<string | undefined> {
    const isPost = req.method === 'POST'
    const given = isPost ? parseJson(String(await readBody(req))) : Object.fromEntries(searchParams)
    const name = pathname.slice(apiPath.length + 1)
    const work = async () => {
      if (name === 'auth/lkfl') return JSON.stringify(signIn(given))
      const [inn = '', until] = (req.headers.authorization ?? '').replace('Bearer ', '').split('.')
      if (!(Number(until) > now())) throw refused(401, 'token expired')
      return JSON.stringify(operate(name, given, inn))
    }
    const faulty = {
      clock,
      signal: closing.signal,
      error({ status, description = 'scripted' }: ErrorFault): never {
        throw refused(status, description)
      },
      garbage: (text = '<html>Ведутся работы</html>') => text,
      afterHang: work,
    }
    return underFault(faults.take('tax', name), faulty, work)
  }

  const handler: Handler = async (req, res, url) => {
    const isTest = url.pathname === '/api/tax/receipts'
    if (!isTest && !url.pathname.startsWith(`${apiPath}/`)) return false
    const isShown = (one: Receipt) => url.pathname.endsWith(`/${one.inn}/${one.approvedReceiptUuid}/print`)
    const shown = isTest ? receipts : receipts.find(isShown)
    try {
      const text = shown ? JSON.stringify(shown, null, 2) : await answer(req, url)
      if (text === undefined) res.destroy()
      else res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(text)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      sendJson(res, error.status, error.body)
    }
    return true
  }
  const env = { SELF_EMPLOYED_URL: `${baseUrl}${apiPath}` }
  return { handler, env, close: async () => closing.abort() }
}

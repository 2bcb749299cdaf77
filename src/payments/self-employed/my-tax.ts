// The tax service for the self-employed ("Мой налог", lknpd.nalog.ru). Its API is the one of its own web page, neither documented nor
// promised: what is known of it comes from public clients (docs/configuration.md). The rest of the app knows `TaxService` only.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Kopecks } from '../../money.ts'
import { type Clock, dayMs, minuteMs, offsetTime } from '../../runtime/clock.ts'
import { createApiClient, kopecksIn } from '../api-client.ts'
import type { Answer } from '../provider.ts'
import { moneyOf } from '../receipt.ts'

export interface TaxService {
  /** The valid receipts with this number. @param at the time of the sale */
  find(number: string, at: Date): Promise<Answer<readonly Found[]>>
  /** Not idempotent: after the outcome `unavailable` the sale may have been registered. @returns the id of the receipt */
  register(sale: Sale): Promise<Answer<string>>
  cancel(receiptId: string, why: keyof typeof comments): Promise<Answer<unknown>>
  signIn(): Promise<Answer<unknown>>
  /** The page of a receipt, which anybody may open. */
  pageOf(receiptId: string): string
  close(): Promise<void>
}

interface Found {
  readonly receiptId: string
  readonly amount: Kopecks
}

interface Sale {
  readonly number: string
  readonly item: string
  readonly amount: Kopecks
  readonly at: Date
}

export interface Taxpayer {
  readonly inn: string
  readonly password: string
  readonly url: string
}

/** The service accepts no other ones. */
const comments = { refund: 'Возврат средств', mistake: 'Чек сформирован ошибочно' } as const

const timeoutMs = 20_000
/** No sign-in is attempted for this long after a failed one, so that the service does not lock the account. */
const pauseMs = 10 * minuteMs
/** Both sides of the time of a sale in which its receipts are looked for: wider than any mistake about time zones. */
const windowMs = dayMs
const pageSize = 100
const mostPages = 50
/** Programs that name themselves are not known to be served. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const receiptId = z.string().regex(/^[\w-]{1,64}$/)
const session = z.object({ token: z.string(), tokenExpireIn: z.coerce.date() })
const registered = z.object({ approvedReceiptUuid: receiptId }).transform((one) => one.approvedReceiptUuid)
const canceled = z.object({ incomeInfo: z.object({ cancellationInfo: z.looseObject({}) }) })
/** Everything that decides whether a receipt exists is required: what is missing in an answer is not taken for "no". */
const income = z.object({
  approvedReceiptUuid: receiptId,
  name: z.string(),
  totalAmount: kopecksIn,
  cancellationInfo: z.looseObject({}).nullable(),
})
const incomes = z.object({ content: z.array(income), hasMore: z.boolean() })
const refusal = z.object({ code: z.string().catch(''), message: z.string().catch('') })

function createAccount({ inn, password, url }: Taxpayer, clock: Clock) {
  const headers = { accept: 'application/json, text/plain, */*', 'user-agent': userAgent }
  const wordsOf = (body: unknown) => Object.values(refusal.safeParse(body).data ?? {})
  const api = createApiClient({ url, headers, secrets: [password], wordsOf }, timeoutMs)
  // All processes of the operator are one device.
  const sourceDeviceId = createHash('sha256').update(`generation-bot ${inn}`).digest('hex').slice(0, 21)
  const deviceInfo = { sourceType: 'WEB', sourceDeviceId, appVersion: '1.0.0', metaDetails: { userAgent } }
  let last: { readonly opened: Answer<z.output<typeof session>>; readonly until: number } | undefined

  async function signIn() {
    const now = clock.now().getTime()
    if (last && last.until > now) return last.opened
    const opened = await api.post('/auth/lkfl', { username: inn, password, deviceInfo }, session)
    const until = opened.is === 'answer' ? opened.value.tokenExpireIn.getTime() - minuteMs : now + pauseMs
    last = { opened, until }
    return opened
  }

  async function ask<T>(path: string, schema: z.ZodType<T>, body?: object): Promise<Answer<T>> {
    const opened = await signIn()
    if (opened.is !== 'answer') return opened
    const own = { authorization: `Bearer ${opened.value.token}` }
    const answer = await (body ? api.post(path, body, schema, own) : api.get(path, schema, own))
    // The token may have been withdrawn.
    if (answer.is === 'unavailable') last = undefined
    return answer
  }
  return { ask, signIn, close: api.close }
}

/** @param zone of the operator, in which the times of sales are written */
export function createMyTax(taxpayer: Taxpayer, clock: Clock, zone: string): TaxService {
  const { ask, ...account } = createAccount(taxpayer, clock)
  const timeOf = (time: Date) => offsetTime(time, zone)
  /** The list answers 500 to a day without a time and an offset; known clients write milliseconds. */
  const limitOf = (at: Date, apart: number) =>
    timeOf(new Date(at.getTime() + apart)).replace(/(?=[+-]\d\d:\d\d$)/, '.000')

  async function find(number: string, at: Date): Promise<Answer<readonly Found[]>> {
    const period = { from: limitOf(at, -windowMs), to: limitOf(at, windowMs) }
    const value: Found[] = []
    for (let page = 0; page < mostPages; page += 1) {
      const part = { offset: `${page * pageSize}`, limit: `${pageSize}`, sortBy: 'operation_time:asc' }
      const answer = await ask(`/incomes?${new URLSearchParams({ ...period, ...part })}`, incomes)
      if (answer.is !== 'answer') return answer
      const { content, hasMore } = answer.value
      const ours = content.filter((one) => !one.cancellationInfo && one.name.endsWith(`№ ${number}`))
      value.push(...ours.map((one) => ({ receiptId: one.approvedReceiptUuid, amount: one.totalAmount })))
      if (!hasMore) return { is: 'answer', value }
    }
    return { is: 'unavailable', said: 'the list of incomes does not end' }
  }

  return {
    ...account,
    find,
    register({ number, item, amount, at }) {
      const { value: sum } = moneyOf({ currency: 'RUB', amount })
      return ask('/income', registered, {
        operationTime: timeOf(at),
        requestTime: timeOf(clock.now()),
        services: [{ name: `${item} № ${number}`, amount: sum, quantity: 1 }],
        totalAmount: sum,
        client: { contactPhone: null, displayName: null, incomeType: 'FROM_INDIVIDUAL', inn: null },
        paymentType: 'CASH',
        ignoreMaxTotalIncomeRestriction: false,
      })
    },
    cancel(receiptUuid, why) {
      const time = timeOf(clock.now())
      const times = { operationTime: time, requestTime: time }
      return ask('/cancel', canceled, { ...times, comment: comments[why], receiptUuid, partnerCode: null })
    },
    pageOf: (id) => `${taxpayer.url}/receipt/${taxpayer.inn}/${id}/print`,
  }
}

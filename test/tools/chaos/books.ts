// The books of the outside services: payments at Telegram and YooKassa, tasks and answers of the gateway.

import { request } from 'undici'
import { z } from 'zod'
import type { Outside } from '../../../src/sandbox/outside.ts'
import type { Billed } from './model/answers.ts'
import { marksIn } from './users/ordering.ts'
import { questionIn } from './users/talking.ts'

/**
 * A request to the doubles. Connections are not reused: the server closes idle ones after a few seconds, and on a slow machine a request
 * could be sent at that moment. @throws if the status is not 200
 */
export async function ask(url: string, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
  const { statusCode, body } = await request(url, { method, reset: true, headersTimeout: 0, bodyTimeout: 0 })
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${await body.text()}`)
  return body.json()
}

const partner = z.object({ type: z.string() }).optional()
const entry = z.object({ id: z.string(), amount: z.int(), source: partner, receiver: partner })
const page = z.object({ result: z.object({ transactions: z.array(entry) }) })
const pageSize = 100

const shopPayments = z.array(
  z.object({
    id: z.string(),
    status: z.enum(['pending', 'succeeded', 'canceled']),
    /** In kopecks. */
    amount: z.int(),
    refunded: z.int(),
    metadata: z.object({ topUpId: z.string() }),
  }),
)

export interface Books {
  /** The paid amount by charge, in the smallest unit of its currency. */
  readonly paid: ReadonlyMap<string, number>
  /** The charges of refunded payments. */
  readonly refunded: ReadonlySet<string>
  /** All payments at YooKassa, including unpaid ones. */
  readonly shop: z.output<typeof shopPayments>
}

export async function readBooks({ url, env }: Pick<Outside, 'url' | 'env'>): Promise<Books> {
  const shop = shopPayments.parse(await ask(`${url}/api/yookassa/payments`))
  const paid = new Map<string, number>()
  const refunded = new Set<string>()
  for (const one of shop.filter(({ status }) => status === 'succeeded')) {
    paid.set(one.id, one.amount)
    if (one.refunded >= one.amount) refunded.add(one.id)
  }
  for (let offset = 0; ; offset += pageSize) {
    const address = `${url}/bot${env.BOT_TOKEN}/getStarTransactions?offset=${offset}&limit=${pageSize}`
    const { transactions } = page.parse(await ask(address)).result
    for (const { id, amount, source, receiver } of transactions) {
      if (source?.type === 'user') paid.set(id, amount)
      if (receiver?.type === 'user') refunded.add(id)
    }
    if (transactions.length < pageSize) return { paid, refunded, shop }
  }
}

const time = z.iso.datetime().transform((text) => Date.parse(text))

const account = z.object({
  tasks: z.array(
    z.object({
      id: z.string(),
      prompt: z.string(),
      status: z.enum(['queued', 'processing', 'completed', 'failed', 'canceled']),
      results: z.int(),
    }),
  ),
  answers: z.array(
    z.object({
      question: z.string(),
      model: z.string(),
      text: z.string(),
      thinking: z.string(),
      modes: z.array(z.string()),
      input: z.int(),
      output: z.int(),
      isWhole: z.boolean(),
      tellsUsage: z.boolean(),
      begunAt: time,
      endedAt: time,
    }),
  ),
})

/** A task with the mark of its order. */
export type Task = z.output<typeof account>['tasks'][number] & { readonly mark: string }

export interface Accounts {
  readonly tasks: readonly Task[]
  readonly answers: readonly Billed[]
}

export async function readAccounts(url: string): Promise<Accounts> {
  const { tasks, answers } = account.parse(await ask(`${url}/api/gateway/account`))
  return {
    tasks: tasks.map((task) => ({ ...task, mark: marksIn(task.prompt)[0] ?? task.id })),
    answers: answers.map(({ question, ...answer }) => ({ ...answer, number: questionIn(question) ?? 0 })),
  }
}

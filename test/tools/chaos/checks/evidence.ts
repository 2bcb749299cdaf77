// The final state of everything that checks compare: the tables of the app, the chats, and the books of the outside services.

import { asc, eq } from 'drizzle-orm'
import { request } from 'undici'
import { z } from 'zod'
import { artifacts, drafts, generations, operatorActions, turns } from '../../../../src/db/schema.ts'
import type { Outside } from '../../../../src/sandbox/outside.ts'
import { marksIn } from '../users/ordering.ts'
import { questionIn } from '../users/talking.ts'
import type { Town } from '../users/town.ts'
import type { ChaosWorld } from '../world.ts'
import { judgeOrders } from './orders.ts'

export interface Violation {
  readonly check: string
  /** The subject whose history is printed: the mark of an order, a person, a charge. */
  readonly about: string
  readonly fact: string
}

export type Found = readonly Omit<Violation, 'check'>[]

/** Checks by name. */
export type Checks = Readonly<Record<string, (evidence: Evidence) => Promise<Found> | Found>>

/** An order in the tables of the app. */
export type Ordered = Awaited<ReturnType<typeof readOrdered>>[number]
/** An answer in the tables of the app. */
export type Booked = Awaited<ReturnType<typeof readTurns>>[number]
/** An answer in the books of the gateway. */
export type Billed = Awaited<ReturnType<typeof readAccounts>>['answers'][number]
/** A task in the books of the gateway, with the mark of its order. */
export type Task = z.output<typeof account>['tasks'][number] & { readonly mark: string }

/** Everything but the judgement of each order. */
export type Known = Awaited<ReturnType<typeof readKnown>>
export type Evidence = Awaited<ReturnType<typeof gather>>

/** @param retried the marks of the commands that were set aside and retried */
export async function gather(world: ChaosWorld, town: Town, retried: ReadonlySet<string>) {
  const known = await readKnown(world, town)
  return { ...known, retried, judged: judgeOrders(known) }
}

async function readKnown(world: ChaosWorld, town: Town) {
  const { outside, database } = world
  const accounts = await readAccounts(outside.url)
  const ordered = await readOrdered(database, town)
  const actions = await database.db.select().from(operatorActions)
  return {
    ...world,
    town,
    ordered,
    tasks: assign(accounts.tasks, ordered),
    billed: accounts.answers,
    /** The reasons in the app's log of operator actions. */
    done: new Set(actions.flatMap(({ reason }) => reason ?? [])),
    books: await readBooks(outside),
    turns: await readTurns(database),
    ...(await readMoves(database)),
  }
}

/** Which of the things that may fail have happened: invitations, moves of money to and from wallets. */
async function readMoves({ sql }: ChaosWorld['database']) {
  const invitations = await sql<{ friend: number; inviter: number; isTakenBack: boolean }[]>`
    select u.telegram_id::float as friend, r.telegram_id::float as inviter,
      exists (select from transfers where key = 'referral-back:' || u.id) as "isTakenBack"
    from users u join users r on r.id = u.referrer_id`
  const moves = await sql<{ kind: string; amount: number; group: number }[]>`
    select t.kind, t.amount::float, w.chat_id::float as "group"
    from transfers t join accounts w on w.id = t.wallet_id where t.kind in ('fund', 'take-back')`
  return { invitations, moves }
}

async function readOrdered({ db }: ChaosWorld['database'], { book }: Town) {
  const files = Map.groupBy(
    await db.select().from(artifacts).orderBy(asc(artifacts.position)),
    ({ generationId }) => generationId,
  )
  const found = await db
    .select({ order: generations, updateId: drafts.updateId })
    .from(generations)
    .innerJoin(drafts, eq(drafts.id, generations.draftId))
    .orderBy(asc(generations.createdAt))
  return found.map(({ order, updateId }) => {
    const request = JSON.stringify(order.request)
    return {
      ...order,
      request,
      amount: Number(order.amount),
      captured: Number(order.captured ?? 0),
      refunded: Number(order.refunded ?? 0),
      mark: book.byUpdate.get(updateId ?? 0)?.mark ?? marksIn(request)[0] ?? order.id,
      /** The message id of each artifact, in the order of the artifacts. */
      messageIds: (files.get(order.id) ?? []).map(({ messageId }) => messageId),
    }
  })
}

async function readTurns({ db }: ChaosWorld['database']) {
  const found = await db.select().from(turns).orderBy(asc(turns.createdAt))
  return found.map((turn) => ({
    ...turn,
    captured: Number(turn.captured ?? 0),
    refunded: Number(turn.refunded ?? 0),
    number: questionIn(turn.question) ?? 0,
  }))
}

/**
 * Assigns the tasks of a prompt to the orders with this prompt. A task goes to the order that has its id; if no order has it, to an order
 * without a task id, first to a lost one, then to a late one.
 */
function assign(tasks: readonly Task[], ordered: readonly Ordered[]): readonly Task[] {
  const byTask = new Map(ordered.map((one) => [one.taskId, one]))
  const rankOf = ({ reason }: Ordered) => (reason === 'lost' ? 0 : reason === 'late' ? 1 : 2)
  const without = Map.groupBy(
    ordered.filter(({ taskId }) => taskId === null).toSorted((a, b) => rankOf(a) - rankOf(b)),
    ({ request }) => marksIn(request)[0],
  )
  return tasks.map((task) => {
    const named = byTask.get(task.id)
    if (named) return marksIn(named.request)[0] === task.mark ? { ...task, mark: named.mark } : task
    return { ...task, mark: without.get(task.mark)?.shift()?.mark ?? task.mark }
  })
}

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

const shopPayment = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  /** In kopecks. */
  amount: z.int(),
  refunded: z.int(),
  metadata: z.object({ topUpId: z.string() }),
})

/** Reads the books of the payment providers. */
export async function readBooks({ url, env }: Pick<Outside, 'url' | 'env'>) {
  /** All payments at YooKassa, including unpaid ones. */
  const shop = z.array(shopPayment).parse(await ask(`${url}/api/yookassa/payments`))
  const kept = shop.filter(({ status }) => status === 'succeeded')
  /** The paid amount by charge, in the smallest unit of its currency. */
  const paid = new Map(kept.map(({ id, amount }) => [id, amount]))
  /** The charges of refunded payments. */
  const refunded = new Set(kept.filter((one) => one.refunded >= one.amount).map(({ id }) => id))
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

const task = z.object({
  id: z.string(),
  prompt: z.string(),
  status: z.enum(['queued', 'processing', 'completed', 'failed', 'canceled']),
  results: z.int(),
})
/** Milliseconds since 1970. */
const time = z.iso.datetime().transform((text) => Date.parse(text))
const answer = z.object({
  question: z.string(),
  model: z.string(),
  text: z.string(),
  input: z.int(),
  output: z.int(),
  /** Whether the gateway sent the end of the answer. */
  isWhole: z.boolean(),
  /** Whether the end of the answer reported the usage. */
  tellsUsage: z.boolean(),
  begunAt: time,
  endedAt: time,
})
const account = z.object({ tasks: z.array(task), answers: z.array(answer) })

async function readAccounts(url: string) {
  const { tasks, answers } = account.parse(await ask(`${url}/api/gateway/account`))
  return {
    tasks: tasks.map((one): Task => ({ ...one, mark: marksIn(one.prompt)[0] ?? one.id })),
    answers: answers.map(({ question, ...one }) => ({ ...one, number: questionIn(question) ?? 0 })),
  }
}

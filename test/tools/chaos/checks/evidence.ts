// The final state of everything that checks compare.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { type Accounts, type Books, readAccounts, readBooks, type Task } from '../books.ts'
import type { Booked } from '../model/answers.ts'
import { type JudgedOrder, judgeOrders } from '../model/orders.ts'
import { marksIn, type OrderBook } from '../users/ordering.ts'
import { questionIn } from '../users/talking.ts'
import type { Town } from '../users/town.ts'
import type { ChaosWorld } from '../world.ts'

export interface Violation {
  readonly check: string
  /** The subject whose history is printed: the mark of an order, a person, a charge. */
  readonly about: string
  readonly fact: string
}

type Found = readonly Omit<Violation, 'check'>[]

/** Checks by name. */
export type Checks = Readonly<Record<string, (evidence: Evidence) => Promise<Found> | Found>>

/** Journal counters of events that may let a lease expire while its process continues to work. */
export const leasesMayExpire = /^process( ended)?: |^fault: database|^machine: was too slow/

export type Ordered = z.output<typeof row> & { readonly mark: string }

export interface Evidence extends Pick<ChaosWorld, 'database' | 'chats' | 'journal' | 'settings' | 'fleet'> {
  readonly town: Town
  /** The books of the payment providers. */
  readonly books: Books
  /** The amounts of the bot's answers at the end, in kopecks: to `/balance` by person, and to a wallet owner's `/wallet` by group id. */
  readonly balances: ReadonlyMap<number, number>
  /** The reasons in the app's log of operator actions. */
  readonly done: ReadonlySet<string>
  /** The generations of the database. */
  readonly ordered: readonly Ordered[]
  /** The answers of text models in the database, each with the number of its question. */
  readonly turns: readonly Booked[]
  /** The books of the gateway. */
  readonly accounts: Accounts
  /** The tasks in the books of the gateway, each with the mark of its order. */
  readonly tasks: readonly Task[]
  /** What the model of the harness expects of each order. */
  readonly judged: readonly JudgedOrder[]
  /** Marks of the commands whose updates were set aside and retried at the end. */
  readonly retried: ReadonlySet<string>
}

export async function gather(
  world: ChaosWorld,
  town: Town,
  seen: Pick<Evidence, 'balances' | 'retried'>,
): Promise<Evidence> {
  const { outside, chats, database } = world
  const accounts = await readAccounts(outside.url)
  const ordered = await readOrdered(database.sql, town.book)
  const tasks = assign(accounts.tasks, ordered)
  const reasons = await database.sql`select reason from operator_actions where reason is not null`
  const done = new Set(reasons.map(({ reason }) => String(reason)))
  const refunds = town.desk.refunds.filter(({ reason }) => done.has(reason))
  const judged = judgeOrders({
    wanted: town.book.orders,
    made: tasks,
    entered: ordered,
    saidIn: (place) => chats.of(place).told(),
    refundedByOperators: new Set(refunds.map(({ generation }) => generation)),
  })
  const [books, turns] = [await readBooks(outside), await readTurns(database.sql)]
  return { ...world, ...seen, town, books, done, ordered, turns, accounts, tasks, judged }
}

const row = z.object({
  id: z.string(),
  quoteId: z.string(),
  chatId: z.coerce.number(),
  state: z.string(),
  reason: z.string().nullable(),
  delivery: z.string(),
  attempts: z.number(),
  /** Whether its result came after the refund. */
  isLate: z.boolean(),
  amount: z.coerce.number(),
  captured: z.coerce.number(),
  refunded: z.coerce.number(),
  /** Whether the wallet of the group paid. */
  isByGroup: z.boolean(),
  taskId: z.string().nullable(),
  statusMessageId: z.number().nullable(),
  request: z.string(),
  /** The message id of each artifact, in the order of the artifacts. */
  messageIds: z.array(z.number().nullable()),
  /** The update that created its draft. */
  updateId: z.coerce.number().nullable(),
  createdAt: z.date(),
  submittedAt: z.date().nullable(),
  settledAt: z.date().nullable(),
})

async function readOrdered(sql: Sql, book: OrderBook): Promise<Ordered[]> {
  const found = await sql`
    select g.id, g.quote_id as "quoteId", coalesce(g.captured, 0) as captured, coalesce(g.refunded, 0) as refunded,
      g.chat_id as "chatId", g.state, g.reason, g.delivery, g.attempts, g.arrived_late_at is not null as "isLate",
      g.wallet_id is not null as "isByGroup", g.amount, g.task_id as "taskId", g.status_message_id as "statusMessageId",
      g.request::text as request,
      (select coalesce(json_agg(message_id order by position), '[]') from artifacts
        where generation_id = g.id) as "messageIds",
      (select update_id::text from drafts where id = g.draft_id) as "updateId",
      g.created_at as "createdAt", g.submitted_at as "submittedAt", g.settled_at as "settledAt"
    from generations g order by g.created_at`
  return found.map((one) => {
    const ordered = row.parse(one)
    const again = book.byUpdate.get(ordered.updateId ?? 0)
    return { ...ordered, mark: again?.mark ?? marksIn(ordered.request)[0] ?? ordered.id }
  })
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

const turnRow = z.object({
  id: z.string(),
  question: z.string(),
  captured: z.coerce.number(),
  refunded: z.coerce.number(),
  delivery: z.string(),
  asked: z.int().nullable(),
})

async function readTurns(sql: Sql): Promise<Booked[]> {
  const found = await sql`
    select id, question, coalesce(captured, 0) as captured, coalesce(refunded, 0) as refunded, delivery,
      question_message_id as asked
    from turns order by created_at`
  return found.map((one) => {
    const { question, ...turn } = turnRow.parse(one)
    return { ...turn, number: questionIn(question) ?? 0 }
  })
}

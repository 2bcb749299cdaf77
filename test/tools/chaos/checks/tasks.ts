// The books of the gateway: its tasks, each with the mark of its order, and the answers of text models, each with its question.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { compareWithGateway } from '../../../../src/ledger/audit.ts'
import { ask } from '../ask.ts'
import type { Billed } from '../model/answers.ts'
import { amountsIn, type Entry, exactly, upTo } from '../model/balances.ts'
import { type JudgedOrder, judgeOrders } from '../model/orders.ts'
import type { Correction } from '../users/operating.ts'
import { marksIn, type OrderBook } from '../users/ordering.ts'
import { questionIn } from '../users/talking.ts'
import { isUndecided, readTurns } from './answers.ts'
import type { Check, Evidence } from './check.ts'
import { giftsOf, movesBetween } from './money.ts'

const time = z.iso.datetime().transform((text) => Date.parse(text))

const account = z.object({
  charged: z.int(),
  tasks: z.array(
    z.object({
      id: z.string(),
      prompt: z.string(),
      status: z.enum(['queued', 'processing', 'completed', 'failed', 'canceled']),
      charge: z.int(),
      results: z.int(),
    }),
  ),
  answers: z.array(
    z.object({
      question: z.string(),
      model: z.string(),
      pictures: z.int(),
      text: z.string(),
      thinking: z.string(),
      modes: z.array(z.string()),
      input: z.int(),
      output: z.int(),
      charge: z.int(),
      isWhole: z.boolean(),
      tellsUsage: z.boolean(),
      begunAt: time,
      endedAt: time,
    }),
  ),
})

export type Task = z.output<typeof account>['tasks'][number] & { readonly mark: string }

export interface Accounts {
  /** The sum of all tasks and answers, in kopecks. */
  readonly charged: number
  readonly tasks: readonly Task[]
  readonly answers: readonly (Billed & { readonly charge: number })[]
}

export async function readAccounts(url: string): Promise<Accounts> {
  const { charged, tasks, answers } = account.parse(await ask(`${url}/api/gateway/account`))
  return {
    charged,
    tasks: tasks.map((task) => ({ ...task, mark: marksIn(task.prompt)[0] ?? task.id })),
    answers: answers.map(({ question, ...answer }) => ({ ...answer, number: questionIn(question) ?? 0 })),
  }
}

/**
 * Assigns the tasks of a prompt to the orders with this prompt. A task goes to the order that has its id; if no order has it, to an order
 * without a task id, first to a lost one, then to a late one.
 */
export function assign(tasks: readonly Task[], ordered: readonly Ordered[]): readonly Task[] {
  const byTask = new Map(ordered.map((one) => [one.taskId, one]))
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

const rankOf = ({ reason }: Ordered): number => (reason === 'lost' ? 0 : reason === 'late' ? 1 : 2)

// The generations of the database, each with its mark, its artifacts and its transfers.

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
  captured: z.coerce.number().nullable(),
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
  /** Its transfers, like `hold 528` and `capture 528`. */
  moves: z.array(z.string()),
})

export type Ordered = z.output<typeof row> & { readonly mark: string }

export async function readOrdered(sql: Sql, book: OrderBook): Promise<Ordered[]> {
  const found = await sql`
    select g.id, g.quote_id as "quoteId", coalesce(g.refunded, 0) as refunded, g.chat_id as "chatId", g.state, g.reason, g.delivery, g.attempts,
      g.arrived_late_at is not null as "isLate",
      g.wallet_id is not null as "isByGroup", g.amount, g.captured, g.task_id as "taskId",
      g.status_message_id as "statusMessageId", g.request::text as request,
      (select coalesce(json_agg(message_id order by position), '[]') from artifacts
        where generation_id = g.id) as "messageIds",
      (select update_id::text from drafts where id = g.draft_id) as "updateId", g.created_at as "createdAt",
      g.submitted_at as "submittedAt", g.settled_at as "settledAt",
      array(select kind || ' ' || amount from transfers where generation_id = g.id order by id) as moves
    from generations g order by g.created_at`
  return found.map((one) => {
    const ordered = row.parse(one)
    const again = book.byUpdate.get(ordered.updateId ?? 0)
    return { ...ordered, mark: again?.mark ?? marksIn(ordered.request)[0] ?? ordered.id }
  })
}

// Checks that each order was submitted to the gateway once, and that users paid for exactly the results it made. Completed tasks that no
// user paid for are our loss and are counted.

export const oneTaskEach: Check = {
  name: 'one task for each order',
  find: ({ tasks }) =>
    [...Map.groupBy(tasks, ({ mark }) => mark)]
      .filter(([, same]) => same.length > 1)
      .map(([mark, same]) => ({
        about: mark,
        fact: `${same.length} tasks: ${same.map(({ id }) => id).join(', ')}`,
      })),
}

export const ownTask: Check = {
  name: 'each order has the task that was made for it',
  find({ ordered, tasks }) {
    const marks = new Map(tasks.map(({ id, mark }) => [id, mark]))
    return ordered
      .filter(({ taskId, mark }) => taskId !== null && marks.get(taskId) !== mark)
      .map(({ id, mark, taskId }) => ({
        about: mark,
        fact: `generation ${id} has task ${taskId}, which is of ${marks.get(taskId ?? '') ?? 'no order'}`,
      }))
  },
}

/** The most orders that a process submits concurrently. */
const submittedAtOnce = 16

/** Only a lost response or an ended process can lose a task: a response that arrived is kept in memory while the database is down. */
export const lossesHaveCauses: Check = {
  name: 'no more lost tasks than lost responses and ended processes explain',
  find({ ordered, tasks, journal }) {
    const made = new Set(tasks.map(({ mark }) => mark))
    const lost = ordered.filter(({ reason, mark }) => reason === 'lost' && made.has(mark))
    const most =
      journal.sum(/^fault: gateway create (answer lost|garbage|hang|5)/) +
      journal.sum(/^process( ended)?: /) * submittedAtOnce
    if (lost.length <= most) return []
    return [{ about: lost[0]?.mark ?? 'gateway', fact: `${lost.length} are lost, at most ${most}` }]
  },
}

/**
 * Orders whose completed task stays unpaid: the response that named it was lost, or it completed after the deadline. In the second
 * case its result is delivered free.
 */
const isUnpaidOrder = ({ reason, isLate }: Ordered): boolean =>
  reason === 'lost' || (reason === 'late' && isLate)

export const paidIfMade: Check = {
  name: 'captured if and only if the task completed',
  find: ({ ordered, tasks, journal }) => {
    const made = new Map(tasks.map((task) => [task.mark, task]))
    return ordered.flatMap((one) => {
      const task = made.get(one.mark)
      if (isUnpaid(one, task)) journal.count(`completed but unpaid: ${one.reason}`)
      const isRight = (one.state === 'succeeded') === (task?.status === 'completed') || isUnpaid(one, task)
      if (isRight) return []
      return [
        { about: one.mark, fact: `generation ${one.id} ${one.state} (${one.reason}), task ${task?.status}` },
      ]
    })
  },
}

const isUnpaid = (one: Ordered, task: Task | undefined): boolean =>
  task?.status === 'completed' && one.state === 'failed' && isUnpaidOrder(one)

/** The catalog of the run sells at the gateway's own prices. */
export const paidWhatWasMade: Check = {
  name: 'the captured amount is the price of the task',
  find: ({ ordered, tasks }) => {
    const made = new Map(tasks.map((task) => [task.mark, task]))
    return ordered
      .filter(({ state, captured, mark }) => state === 'succeeded' && captured !== made.get(mark)?.charge)
      .map(({ id, mark, captured }) => ({
        about: mark,
        fact: `generation ${id} captured ${captured}, the gateway ${made.get(mark)?.charge}`,
      }))
  },
}

export const accountsAgree: Check = {
  name: 'the account of the gateway equals ours plus the tasks that nobody received',
  async find({ database, ordered, tasks }: Evidence) {
    const byMark = new Map(ordered.map((one) => [one.mark, one]))
    const completed = tasks.filter(({ status }) => status === 'completed')
    const sumOf = (some: readonly Task[]) => some.reduce((sum, { charge }) => sum + BigInt(charge), 0n)
    const isUngiven = ({ mark }: Task) => {
      const one = byMark.get(mark)
      return one?.state !== 'succeeded' && one?.isLate !== true
    }
    const unpaid = sumOf(completed.filter(isUngiven))
    const { ours, difference } = await compareWithGateway(database.db, sumOf(completed))
    if (difference === unpaid) return []
    return [{ about: 'gateway', fact: `ours ${ours}, difference ${difference}, unpaid ${unpaid}` }]
  },
}

const candidate = z.object({ generation: z.string(), task: z.string() })

export const namedTasksAreDelivered: Check = {
  name: 'a lost order whose task a callback has named gets its result',
  async find({ database, ordered, tasks, journal }) {
    const found = await database.sql`
      select generation_id as generation, task_id as task from task_candidates`
    const named = Map.groupBy(
      found.map((one) => candidate.parse(one)),
      ({ generation }) => generation,
    )
    const own = new Map(
      tasks.filter(({ status }) => status === 'completed').map(({ id, mark }) => [id, mark]),
    )
    const lost = ordered.filter(
      ({ id, reason, mark }) =>
        reason === 'lost' && (named.get(id) ?? []).some(({ task }) => own.get(task) === mark),
    )
    journal.count('lost orders whose task was named', lost.length)
    return lost
      .filter(({ isLate }) => !isLate)
      .map(({ id, mark }) => ({ about: mark, fact: `generation ${id} has no result` }))
  },
}

// The entries that must have changed the balance of each person, computed without the app's transfers.

export async function entriesOf(
  evidence: Evidence,
  orders: readonly JudgedOrder[],
): Promise<readonly Entry[]> {
  return [
    ...welcomes(evidence),
    ...giftsOf(evidence),
    ...payments(evidence),
    ...corrections(evidence),
    ...orders.map(spentOn),
    ...(await answersOf(evidence)),
    ...movesBetween(evidence),
  ]
}

const welcomes = ({ people, welcomeCredit }: Evidence): Entry[] =>
  [...people].map((person) => ({ person, what: 'welcome', due: exactly(welcomeCredit) }))

/** A payment is credited if the provider booked the amount that was asked for and did not refund it. */
const payments = ({ payments: paid, books }: Evidence): Entry[] =>
  paid.map(({ charge, person, credit, asked }) => {
    const isDue = books.paid.get(charge) === asked && !books.refunded.has(charge)
    return { person, what: `payment ${charge.slice(0, 6)}`, due: exactly(isDue ? credit : 0) }
  })

const corrections = (evidence: Evidence): Entry[] =>
  evidence.desk.corrections.map((one) => ({
    person: one.person,
    what: `correction ${one.reason}`,
    due: dueOf(evidence, one),
  }))

/**
 * The amount of a correction; zero if its question stayed open. The app refuses a tap on a question whose note is not stored (not yet, or
 * never because the process ended).
 */
function dueOf(evidence: Evidence, one: Correction) {
  if (isDone(evidence, one)) return exactly(one.amount)
  if (isUndecided(evidence, one)) return exactly(0)
  return one.amount > 0 ? exactly(one.amount) : upTo(one.amount)
}

/** Whether a message to the person or an operator says that the correction is done. Without one, a debit may have exceeded the balance. */
function isDone({ chats, desk }: Evidence, { person, reason, amount }: Correction): boolean {
  const toPerson = chats
    .of(person)
    .told()
    .some(({ words }) => /^[➕➖]/u.test(words) && words.includes(reason))
  const toOperator = desk.operators
    .flatMap((id) => chats.of(id).told())
    .some(({ words }) => /^✅ .*: (added|taken) /.test(words) && amountsIn(words)[0] === Math.abs(amount))
  return toPerson || toOperator
}

export const spentOn = ({ payer, mark, cost: { captured, refunded } }: JudgedOrder): Entry => ({
  person: payer,
  what: mark,
  due: exactly(refunded - captured),
})

/** What answers and translations cost by the app's tables. Whether these prices are right is judged in answers.ts and rewriting.ts. */
export async function answersOf(evidence: Evidence): Promise<Entry[]> {
  const asked = [...evidence.questions, ...evidence.translations]
  const askers = new Map(asked.map(({ number, person }) => [number, person]))
  const turns = await readTurns(evidence)
  return turns.flatMap(({ number, captured, refunded }) => {
    const person = askers.get(number)
    return person === undefined
      ? []
      : [{ person, what: `question ${number}`, due: exactly(refunded - captured) }]
  })
}

// Judges the orders by the harness's model.

export function judged(evidence: Evidence): readonly JudgedOrder[] {
  const { book, tasks, ordered, chats, desk, operatorReasons } = evidence
  const done = new Set(operatorReasons)
  const decided = desk.refunds.filter((one) => done.has(one.reason) || !isUndecided(evidence, one))
  return judgeOrders({
    wanted: book.orders,
    made: tasks,
    entered: ordered.map(({ captured, ...one }) => ({ ...one, captured: captured ?? 0 })),
    saidIn: (place) => chats.of(place).told(),
    refundedByOperators: new Set(decided.map(({ generation }) => generation)),
  })
}

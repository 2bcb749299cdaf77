// Checks that each order was submitted to the gateway once, and that users paid for exactly the results it made. Completed tasks that no
// user paid for are our loss and are counted.

import { z } from 'zod'
import { compareWithGateway } from '../../../../src/ledger/audit.ts'
import type { Check, Evidence } from './check.ts'
import type { Ordered } from './ordered.ts'
import type { Task } from './tasks.ts'

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

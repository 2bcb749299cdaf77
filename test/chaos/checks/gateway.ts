// The gateway was asked once for each order, and users paid for exactly what it made; what it made in vain is our loss, and is
// listed.

import { compareWithGateway } from '../../../src/ledger/audit.ts'
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

/** Ends of ours that leave a completed task unpaid: the answer that named it was lost. */
const inVain = ['lost']

export const paidIfMade: Check = {
  name: 'captured if and only if the gateway made it',
  find: ({ ordered, tasks, journal }) => {
    const made = new Map(tasks.map((task) => [task.mark, task]))
    return ordered.flatMap((one) => {
      const task = made.get(one.mark)
      if (isInVain(one, task)) journal.count(`made in vain: ${one.reason}`)
      const isRight = (one.state === 'succeeded') === (task?.status === 'completed') || isInVain(one, task)
      if (isRight) return []
      return [
        { about: one.mark, fact: `generation ${one.id} ${one.state} (${one.reason}), task ${task?.status}` },
      ]
    })
  },
}

const isInVain = ({ state, reason }: Ordered, task: Task | undefined): boolean =>
  task?.status === 'completed' && state === 'failed' && inVain.includes(reason ?? '')

/** The catalog of the run sells at the gateway's own prices. */
export const paidWhatWasMade: Check = {
  name: 'captured is the price of what the gateway made',
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
  name: 'the account of the gateway is ours and what was made in vain',
  async find({ database, ordered, tasks }: Evidence) {
    const byMark = new Map(ordered.map((one) => [one.mark, one]))
    const completed = tasks.filter(({ status }) => status === 'completed')
    const sumOf = (some: readonly Task[]) => some.reduce((sum, { charge }) => sum + BigInt(charge), 0n)
    const vain = sumOf(completed.filter(({ mark }) => byMark.get(mark)?.state !== 'succeeded'))
    const { ours, difference } = await compareWithGateway(database.db, sumOf(completed))
    if (difference === vain) return []
    return [{ about: 'gateway', fact: `ours ${ours}, difference ${difference}, made in vain ${vain}` }]
  },
}

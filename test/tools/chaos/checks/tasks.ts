// The books of the gateway: its tasks, each with the mark of its order, and the answers of text models, each with its question.

import { z } from 'zod'
import { ask } from '../ask.ts'
import type { Billed } from '../model/answers.ts'
import { marksIn } from '../users/orders.ts'
import { questionIn } from '../users/questions.ts'
import type { Ordered } from './ordered.ts'

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

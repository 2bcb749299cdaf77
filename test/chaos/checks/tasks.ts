// The books of the gateway: its tasks, each with the mark of its order, and the answers of text models, each with its question.

import { z } from 'zod'
import { ask } from '../ask.ts'
import type { Billed } from '../model/answers.ts'
import { marksIn } from '../users/orders.ts'
import { questionIn } from '../users/questions.ts'

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
      text: z.string(),
      input: z.int(),
      output: z.int(),
      charge: z.int(),
      isWhole: z.boolean(),
      begunAt: time,
      endedAt: time,
    }),
  ),
})

export type Task = z.output<typeof account>['tasks'][number] & { readonly mark: string }

export interface Accounts {
  /** Kopecks, for all tasks and answers. */
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

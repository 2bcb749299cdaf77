// The tasks of the gateway, each with the mark of its order.

import { z } from 'zod'
import { ask } from '../ask.ts'
import { marksIn } from '../users/orders.ts'

const account = z.object({
  tasks: z.array(
    z.object({
      id: z.string(),
      prompt: z.string(),
      status: z.enum(['queued', 'processing', 'completed', 'failed', 'canceled']),
      charge: z.int(),
      results: z.int(),
    }),
  ),
})

export type Task = z.output<typeof account>['tasks'][number] & { readonly mark: string }

export async function readTasks(url: string): Promise<Task[]> {
  const { tasks } = account.parse(await ask(`${url}/api/gateway/account`))
  return tasks.map((task) => ({ ...task, mark: marksIn(task.prompt)[0] ?? task.id }))
}

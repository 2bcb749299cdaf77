// The links of a task that has ended. The gateway's links expire; the task may name new ones.

import { asGatewayError } from '../gateway/errors.ts'
import type { Generation, GenerationDeps } from './generation.ts'

/** The links that the task of the generation names now; none when it cannot be read. */
export async function linksNow(
  { gateway, log }: Pick<GenerationDeps, 'gateway' | 'log'>,
  { id, taskId }: Generation,
): Promise<readonly string[]> {
  if (taskId === null) return []
  try {
    return (await gateway.readTask(taskId)).urls
  } catch (cause) {
    log.warn({ generation: id, task: taskId, error: asGatewayError(cause) }, 'links cannot be renewed')
    return []
  }
}
